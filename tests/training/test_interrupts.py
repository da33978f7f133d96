import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from keras_transformer.training.interrupts import Interrupts


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_is_a_request_and_the_second_interrupts(number):
    calls = []
    before = signal.getsignal(number)
    with Interrupts(lambda: calls.append("requested")) as interrupts:
        assert not interrupts.requested
        os.kill(os.getpid(), number)
        assert interrupts.requested
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
    assert calls == ["requested"]
    assert signal.getsignal(number) == before


def test_outside_the_main_thread_signals_are_handled_as_before():
    before = [signal.getsignal(number) for number in Interrupts.SIGNALS]

    def handlers_inside() -> tuple[bool, list[object]]:
        with Interrupts(lambda: None) as interrupts:
            return interrupts.requested, [signal.getsignal(n) for n in Interrupts.SIGNALS]

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(handlers_inside).result() == (False, before)
    assert [signal.getsignal(number) for number in Interrupts.SIGNALS] == before

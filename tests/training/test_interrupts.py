import os
import signal

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

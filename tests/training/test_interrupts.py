import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from keras_transformer.errors import Terminated
from keras_transformer.signals import NUMBERS, signals
from keras_transformer.training.interrupts import Interrupts


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (signal.SIGINT, KeyboardInterrupt),
        (signal.SIGTERM, Terminated),
        (signal.SIGHUP, Terminated),
    ],
)
@pytest.mark.usefixtures("hangups")
def test_the_first_signal_is_a_request_and_the_second_interrupts(number, kind):
    calls = []
    before = signal.getsignal(number)
    with Interrupts(lambda: calls.append("requested")) as interrupts:
        assert not interrupts.requested
        os.kill(os.getpid(), number)
        assert interrupts.requested
        with pytest.raises(KeyboardInterrupt) as error:
            os.kill(os.getpid(), number)
        assert error.type is kind
    assert calls == ["requested"]
    assert signal.getsignal(number) == before


def test_a_signal_that_was_discarded_before_is_obeyed_at_the_beginning(monkeypatch):
    before = [signal.getsignal(number) for number in NUMBERS]
    monkeypatch.setattr(signals, "received", signal.SIGTERM)
    with pytest.raises(Terminated), Interrupts(lambda: None):
        pytest.fail("the training begins")
    assert [signal.getsignal(number) for number in NUMBERS] == before


def test_outside_the_main_thread_signals_are_handled_as_before():
    before = [signal.getsignal(number) for number in NUMBERS]

    def handlers_inside() -> tuple[bool, list[object]]:
        with Interrupts(lambda: None) as interrupts:
            return interrupts.requested, [signal.getsignal(n) for n in NUMBERS]

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(handlers_inside).result() == (False, before)
    assert [signal.getsignal(number) for number in NUMBERS] == before


def test_a_second_signal_waits_for_a_save():
    with Interrupts(lambda: None) as interrupts:
        os.kill(os.getpid(), signal.SIGTERM)
        assert interrupts.signal == signal.SIGTERM
        saved = []
        with pytest.raises(KeyboardInterrupt), interrupts.deferred():
            os.kill(os.getpid(), signal.SIGINT)
            saved.append("saved")
        assert saved == ["saved"]
        assert interrupts.signal == signal.SIGTERM


def test_the_first_signal_during_a_save_is_only_a_request():
    with Interrupts(lambda: None) as interrupts:
        with interrupts.deferred():
            os.kill(os.getpid(), signal.SIGINT)
        assert interrupts.requested

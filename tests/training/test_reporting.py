import io
import os

import pytest

from keras_transformer.training.progress import epoch_bar, show
from keras_transformer.training.trainer import Totals

TOTALS = Totals(loss=4668.6, correct=651.0, tokens=1000.0)  # a loss of 4.6686, accuracy 0.651


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def screen(monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((80, 24)))
    with epoch_bar("epoch 10/10", 100_000, 40_000) as bar:
        yield bar


def last_line(bar):
    return bar.fp.getvalue().split("\r")[-1].rstrip()


def test_nothing_is_cut_off_at_80_columns(screen):
    show(screen, TOTALS, 0.0049, 15_359.0)
    screen.refresh()
    line = last_line(screen)
    assert len(line) <= 80
    assert line.startswith("epoch 10/10  40% |")
    assert line.endswith("loss 4.669, acc 0.651, lr 4.9e-03, 15,359 tok/s")


def test_the_bar_stays_during_validation(screen):
    show(screen, TOTALS, 0.0049, 15_359.0)
    screen.set_description_str("epoch 10/10 validating")
    assert last_line(screen).startswith("epoch 10/10 validating  40% ")


def test_nothing_is_shown_elsewhere(monkeypatch):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with epoch_bar("epoch 1/2", 10, 0) as bar:
        bar.update(5)
    assert bar.disable

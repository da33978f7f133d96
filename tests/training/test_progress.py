import io
import os
import sys

import pytest

from keras_transformer.training.objective import Totals
from keras_transformer.training.progress import epoch_bar, show_figures

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


def test_the_figures_fit_in_80_columns(screen):
    show_figures(screen, TOTALS, 0.0049, 15_359.0)
    screen.refresh()
    line = last_line(screen)
    assert len(line) <= 80
    assert line.startswith("epoch 10/10  40% |")
    assert line.endswith("loss 4.669, acc 0.651, lr 4.9e-03, 15,359 tok/s")


def test_the_bar_remains_visible_during_validation(screen):
    show_figures(screen, TOTALS, 0.0049, 15_359.0)
    screen.set_description_str("epoch 10/10 validating")
    assert last_line(screen).startswith("epoch 10/10 validating  40% ")


def test_outside_a_terminal_there_is_a_line_every_two_minutes(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with epoch_bar("epoch 1/2", 1000, 100) as bar:
        bar.start_t = 0
        show_figures(bar, TOTALS, 0.0049, 15_359.0)
        for seconds in (60, 119, 120, 121, 230, 250, 360):
            monkeypatch.setattr(bar, "_time", lambda seconds=seconds: seconds)
            bar.update(100)
            bar.refresh()
    # 300 pairs took 120 s, so 600 take 240 s; 600 pairs took 250 s, so 300 take 125 s
    figures = "left, loss 4.669, acc 0.651, lr 4.9e-03, 15,359 tok/s"
    assert capsys.readouterr().out.splitlines() == [
        f"epoch 1/2: 40%, 04:00 {figures}",
        f"epoch 1/2: 70%, 02:05 {figures}",
    ]
    assert sys.stderr.getvalue() == ""

import io
import os
import sys

import pytest
import tensorflow as tf

from keras_transformer.training.objective import Totals
from keras_transformer.training.reporting import (
    epoch_bar,
    epoch_line,
    log_step,
    log_validation,
    show_figures,
    tensorboard,
    validation_line,
)
from tests.limits import limited_files

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


def test_a_line_has_the_figures_of_an_epoch():
    validation = validation_line(TOTALS._replace(loss=2000.0), 12.345)
    assert validation == "validation loss 2.000, perplexity 7.39, BLEU 12.35"
    assert epoch_line(TOTALS, validation, 61.6, 15_359.0) == (
        "loss 4.669, accuracy 0.651; validation loss 2.000, perplexity 7.39, BLEU 12.35; "
        "62 s, 15,359 target tokens/s"
    )


@pytest.mark.parametrize("size", [10, 1000])
def test_training_continues_if_the_curves_cannot_be_written(tmp_path, capsys, size):
    """The limit is reached by the head of the file, or by its points."""
    with limited_files(size), tensorboard(tmp_path):
        for step in range(0, 1000, 50):
            log_step(step, TOTALS, 0.01, 500.0)
        log_validation(1000, TOTALS, 12.0)
    err = capsys.readouterr().err
    assert err.startswith(f"warning: {tmp_path / 'logs'}: the curves for TensorBoard end here: ")
    assert err.endswith(": File too large\n")
    assert err.count("\n") == 1


def test_training_continues_if_there_is_no_directory_for_the_curves(tmp_path, capsys):
    (tmp_path / "logs").touch()
    with tensorboard(tmp_path):
        log_step(50, TOTALS, 0.01, 500.0)
    err = capsys.readouterr().err
    assert "logs: the curves for TensorBoard end here: " in err
    assert err.count("\n") == 1


def test_errors_of_training_are_not_errors_of_the_curves(tmp_path):
    with pytest.raises(tf.errors.DataLossError, match="lost"), tensorboard(tmp_path):
        raise tf.errors.DataLossError(None, None, "lost")


def test_nothing_is_logged_outside_the_context():
    log_step(50, TOTALS, 0.01, 500.0)


def test_tensorboard_curves(tmp_path):
    with tensorboard(tmp_path):
        for step in range(1, 101):
            log_step(step, TOTALS, 0.01, 500.0)
        log_validation(100, TOTALS, 12.0)
    [file] = (tmp_path / "logs").iterdir()
    points = {
        (event.step, value.tag): float(tf.make_ndarray(value.tensor))
        for event in tf.compat.v1.train.summary_iterator(str(file))
        for value in event.summary.value
    }
    training = {"loss": 4.6686, "accuracy": 0.651, "learning_rate": 0.01}
    training |= {"target_tokens_per_second": 500.0}
    expected = {(step, f"train/{name}"): y for step in (50, 100) for name, y in training.items()}
    validation = {"loss": 4.6686, "perplexity": 106.55, "bleu": 12.0}
    expected |= {(100, f"validation/{name}"): y for name, y in validation.items()}
    assert points == pytest.approx(expected, rel=1e-4)

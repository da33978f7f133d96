import pytest
import tensorflow as tf

from keras_transformer.training.curves import log_step, log_validation, tensorboard
from keras_transformer.training.objective import Totals
from tests.limits import limited_files

TOTALS = Totals(loss=4668.6, correct=651.0, tokens=1000.0)  # a loss of 4.6686, accuracy 0.651


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

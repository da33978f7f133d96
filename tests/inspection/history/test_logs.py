import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.errors import NoRun, UserError
from keras_transformer.inspection.history.logs import CURVES, read_history
from keras_transformer.inspection.history.recorded_attention import PLUGIN, TAG, RecordedAttention
from keras_transformer.training.curves import log_step, record
from tests.inspection.logs import log_attention, make_run, recorded, totals, training


def points(curve):
    return dict(zip(curve.steps.tolist(), curve.values.tolist(), strict=True))


def test_the_curves_are_the_values_logged(tmp_path):
    history = read_history(make_run(tmp_path / "run", training(1, 200)))
    assert history.name == "run"
    assert set(history.curves) == set(CURVES)
    steps = (50, 100, 150, 200)
    expected = {
        "train/loss": {step: 8 - step / 100 for step in steps},
        "train/accuracy": dict.fromkeys(steps, 0.5),
        "train/learning_rate": {step: step / 1e5 for step in steps},
        "train/target_tokens_per_second": {step: 1000 + step for step in steps},
        "validation/loss": {100: 5, 200: 4},
        "validation/perplexity": {100: np.exp(5), 200: np.exp(4)},
        "validation/bleu": {100: 10, 200: 20},
    }
    for name, curve in history.curves.items():
        assert points(curve) == pytest.approx(expected[name], rel=1e-6), name
    assert history.attention == []


def test_later_sessions_supersede_the_steps_that_they_repeat(tmp_path):
    """The first session is killed after step 290, and the second resumes after step 110.

    The third resumes after step 160. What the first one logged about later steps is obsolete.
    """
    sessions = training(1, 290), training(111, 160, offset=0.25)
    curves = read_history(make_run(tmp_path / "run", *sessions)).curves
    assert points(curves["train/loss"]) == {50: 7.5, 100: 7.0, 150: 6.75}
    assert points(curves["validation/bleu"]) == {100: 10}
    sessions = *sessions, training(161, 300, offset=0.5)
    curves = read_history(make_run(tmp_path / "longer", *sessions)).curves
    assert points(curves["train/loss"]) == {
        50: 7.5,
        100: 7.0,
        150: 6.75,
        200: 6.5,
        250: 6.0,
        300: 5.5,
    }
    assert points(curves["validation/bleu"]) == {100: 10, 200: 20.5, 300: 30.5}


def test_sessions_are_ordered_by_their_time_not_by_the_names_of_their_files(tmp_path):
    run = make_run(tmp_path / "run", training(1, 100))
    [old] = (run / "logs").iterdir()
    make_run(tmp_path / "other", training(1, 50, offset=1.0))
    [new] = (tmp_path / "other" / "logs").iterdir()
    old.rename(run / "logs" / "z.tfevents.1")
    new.rename(run / "logs" / "a.tfevents.2")
    assert points(read_history(run).curves["train/loss"]) == {50: 8.5}


def test_a_step_that_is_logged_twice_has_its_last_value(tmp_path):
    """This happens if a step is skipped."""

    def session():
        for loss in (3.0, 2.0):
            log_step(50, totals(loss), 0.1, 1.0)

    assert points(read_history(make_run(tmp_path / "run", session)).curves["train/loss"]) == {50: 2}


def test_empty_and_truncated_files_are_read_as_far_as_possible(tmp_path):
    """A process that was killed leaves such files."""
    run = make_run(tmp_path / "run", training(1, 100), training(101, 200), lambda: None)
    (run / "logs" / "events.out.tfevents.0").touch()
    second = sorted((run / "logs").iterdir(), key=lambda path: path.stat().st_size)[-1]
    content = second.read_bytes()
    second.write_bytes(content[:-5])
    curves = read_history(run).curves
    assert points(curves["train/loss"]).keys() == {50, 100, 150, 200}
    assert points(curves["validation/bleu"]).keys() < {100, 200}


def test_attention_is_read_with_its_labels(tmp_path):
    first, second = recorded(0, 0.0), recorded(50, 0.25)

    def session():
        for each in (first, second):
            log_attention(each)

    history = read_history(make_run(tmp_path / "run", session))
    for read, written in zip(history.attention, (first, second), strict=True):
        assert read[:-1] == written[:-1]
        np.testing.assert_array_equal(read.weights, written.weights)
        assert read.weights.dtype == np.float32
    assert all(not len(curve.steps) for curve in history.curves.values())


def test_the_attention_of_a_trained_run_is_that_of_its_network(small_run, translator):
    """The best weights are those after the first epoch."""
    history = read_history(small_run)
    steps = history.curves["validation/bleu"].steps.tolist()
    assert history.curves["validation/bleu"].values.tolist() == [1, 0]
    start, first, second = history.attention
    assert [(each.step, each.epoch) for each in history.attention] == [
        (0, 0),
        (steps[0], 1),
        (steps[1], 2),
    ]
    source = translator.source_subwords.encode(first.sentence)
    target = translator.target_subwords.encode(first.reference)
    for position in range(len(target)):
        inputs = tf.constant([source]), tf.constant([target[: position + 1]])
        _, weights = translator.model(inputs, return_attention=True)
        wanted = weights.cross[0][0, :, position]
        np.testing.assert_allclose(first.weights[0, :, position], wanted, atol=1e-5)
    assert np.abs(start.weights - first.weights).max() > 1e-4
    assert np.abs(second.weights - first.weights).max() > 1e-4


def test_a_directory_without_a_run_is_an_error(tmp_path):
    for directory in (tmp_path, tmp_path / "missing"):
        with pytest.raises(NoRun, match=r"^\S+: no run here \(no config.json\)$"):
            read_history(directory)


@pytest.mark.parametrize("content", ["nothing", "directory", "text", "empty"])
def test_a_run_without_logs_is_an_error(tmp_path, content):
    run = make_run(tmp_path / "run")
    if content != "nothing":
        (run / "logs").mkdir()
    if content == "text":
        (run / "logs" / "events.out.tfevents.1").write_text("no events" * 100)
    if content == "empty":
        (run / "logs" / "events.out.tfevents.1").touch()
    with pytest.raises(UserError, match="^[^\n]*logs: no curves here"):
        read_history(run)


def test_files_that_cannot_be_read_are_an_error(tmp_path):
    run = make_run(tmp_path / "run", training(1, 50))
    (run / "logs" / "events.out.tfevents.9").mkdir()
    with pytest.raises(UserError, match=r"tfevents\.9: cannot be read: [^\n]+$"):
        read_history(run)


@pytest.mark.parametrize(
    "labels",
    [
        b"",
        b"\xff",
        b"[]",
        b"3",
        b"[" * 100_000,
        b'{"epoch": 1}',
        recorded(0, 0.0)._replace(source=["a"]).labels(),
        recorded(0, 0.0)._replace(source=[1, 2, 3, 4, 5]).labels(),
        recorded(0, 0.0)._replace(source=None).labels(),
        recorded(0, "one").labels(),
        recorded(0, 0.0)._replace(sentence=None).labels(),
        recorded(0, 0.0).labels()[:-1] + b', "step": 3}',
    ],
)
def test_labels_that_do_not_fit_the_weights_are_an_error(tmp_path, labels):
    weights = recorded(0, 0.0).weights
    with pytest.raises(ValueError, match=r".+"):
        RecordedAttention.parse(0, labels, weights)

    def session():
        data = tf.compat.v1.SummaryMetadata.PluginData(plugin_name=PLUGIN, content=labels)
        metadata = tf.compat.v1.SummaryMetadata(plugin_data=data)
        record(lambda: tf.summary.write(TAG, weights, 0, metadata))

    with pytest.raises(UserError, match="^[^\n]*logs: damaged: "):
        read_history(make_run(tmp_path / "run", session))


@pytest.mark.parametrize("value", [[1.0, 2.0], ["a"], "a", []])
def test_a_curve_that_is_no_number_is_an_error(tmp_path, value):
    def session():
        record(lambda: tf.summary.write("train/loss", tf.constant(value), 50))

    with pytest.raises(UserError, match=r"^\S+tfevents\S+: cannot be read: [^\n]+$"):
        read_history(make_run(tmp_path / "run", session))

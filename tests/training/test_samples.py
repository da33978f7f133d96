import re
from html.parser import HTMLParser

import hypothesis
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import strategies
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from tensorboard.plugin_util import markdown_to_safe_html

from keras_transformer.inspection.history.logs import read_history
from keras_transformer.inspection.history.recorded_picture import picture
from keras_transformer.pictures.saving import pixels
from keras_transformer.search.settings import SearchSettings
from keras_transformer.training.curves import tensorboard
from keras_transformer.training.precision import dtype_policy
from keras_transformer.training.samples import (
    Samples,
    attention_of,
    escaped,
    is_recorded,
    moderate_pair,
)
from keras_transformer.translation.translator import Translator
from tests.conftest import toy_pairs
from tests.limits import limited_files
from tests.training.toy_training import assert_equal, new_trainer, values

PAIRS = toy_pairs(12, seed=3)


def summaries(directory):
    """Return {(step, tag): array} of the summaries in the logs of a run directory."""
    [file] = (directory / "logs").iterdir()
    return {
        (event.step, value.tag): tf.make_ndarray(value.tensor)
        for event in EventFileLoader(str(file)).Load()
        for value in event.summary.value
    }


def test_attention_is_recorded_more_often_at_the_beginning():
    steps = [step for step in range(30_001) if is_recorded(step)]
    assert steps == [
        *range(0, 1000, 50),
        *range(1000, 10_000, 500),
        *range(10_000, 30_001, 5000),
    ]


@pytest.mark.parametrize(
    ("lengths", "chosen"),
    [([3, 10, 10, 14], 1), ([3, 7, 20], 1), ([12, 9], 1), ([2], 0), ([41, 60], 0)],
)
def test_the_pair_is_the_first_of_about_ten_subwords(translator, lengths, chosen):
    """Each of the letters is a subword of its own, like the mark of a space before the first."""
    pairs = [("b" * n, "b" * n) for n in lengths]
    counted = [len(translator.target_subwords.encode(target)) - 2 for _, target in pairs]
    assert all(abs(count - n) <= 1 for count, n in zip(counted, lengths, strict=True))
    assert moderate_pair(pairs, translator) == pairs[chosen]


def test_recorded_attention_is_that_of_a_network_that_reads_the_reference(translator):
    """Each row is computed by a network that has read only the preceding subwords."""
    sentence, reference = "ba be lo ki", "ki lo be ba"
    recorded = attention_of(translator, (sentence, reference), 50, 0.5)
    source = translator.source_subwords.encode(sentence)
    target = translator.target_subwords.encode(reference)
    assert recorded[:4] == (50, 0.5, sentence, reference)
    assert recorded.source == translator.source_subwords.labels(source)
    assert recorded.target == translator.target_subwords.labels(target)
    assert recorded.weights.shape == (1, 2, len(target), len(source))
    for position in range(len(target)):
        inputs = tf.constant([source]), tf.constant([target[: position + 1]])
        _, weights = translator.model(inputs, return_attention=True)
        for layer, wanted in zip(recorded.weights, weights.cross, strict=True):
            np.testing.assert_allclose(layer[:, position], wanted[0, :, position], atol=1e-5)


@pytest.mark.parametrize("dtype", ["mixed_bfloat16", "mixed_float16"])
def test_attention_in_mixed_precision_is_recorded_in_float32(small_run, translator, dtype):
    from keras_transformer.runs.run import Run

    with dtype_policy(dtype):
        model = Run.open(small_run).build_model(*Run.open(small_run).subwords())
    mixed = Translator(model, translator.encoding)
    recorded = attention_of(mixed, ("ba be", "be ba"), 0, 0.0)
    assert recorded.weights.dtype == np.float32
    np.testing.assert_allclose(recorded.weights.sum(-1), 1, atol=1e-6)


def test_an_epoch_is_logged_as_texts_weights_and_an_image(tmp_path, translator):
    samples = Samples(translator, PAIRS)
    with tensorboard(tmp_path):
        samples.log_epoch(70, 2, 12.5)
    logged = summaries(tmp_path)
    assert set(logged) == {
        (70, "samples/translations"),
        (70, "attention/weights"),
        (70, "attention/cross"),
    }
    recorded = attention_of(translator, moderate_pair(PAIRS, translator), 70, 2.0)
    np.testing.assert_array_equal(logged[70, "attention/weights"], recorded.weights)
    sources, references = zip(*PAIRS[:8], strict=True)
    found = translator.translate(sources, SearchSettings().greedy())
    texts = [best.text for best, *_ in found]
    table = [[cell.decode() for cell in row] for row in logged[70, "samples/translations"]]
    assert table[0] == ["**source**", "**translation**", "**reference**"]
    wanted = zip(sources, texts, references, strict=True)
    assert table[1:] == [list(row) for row in wanted], "toy sentences have no markup"
    *size, image = logged[70, "attention/cross"]
    wanted = pixels(picture(recorded, bleu=12.5))
    height, width, _ = wanted.shape
    assert [int(each) for each in size] == [width, height]
    np.testing.assert_array_equal(tf.image.decode_png(image), wanted)


def test_within_an_epoch_only_the_weights_are_logged(tmp_path, translator):
    samples = Samples(translator, PAIRS)
    with tensorboard(tmp_path):
        for step in (0, 49, 50, 51):
            samples.log_step(step, step / 100)
    assert set(summaries(tmp_path)) == {(0, "attention/weights"), (50, "attention/weights")}
    with pytest.raises(Exception, match="no run here"):
        read_history(tmp_path)


class Recording:
    """Has the methods of a translator, and records their calls."""

    def __init__(self, translator):
        self.translator = translator
        self.calls = []

    def __getattr__(self, name):
        self.calls.append(name)
        return getattr(self.translator, name)


def test_nothing_is_computed_outside_the_context(tmp_path, translator):
    recording = Recording(translator)
    samples = Samples(recording, PAIRS)
    samples.log_step(0, 0.0)
    samples.log_epoch(50, 1, 0.0)
    assert recording.calls == []
    with tensorboard(tmp_path):
        samples.log_epoch(50, 1, 0.0)
    assert {"translate", "attention"} < set(recording.calls), "inside the context they are computed"


def test_an_error_ends_the_samples_with_one_warning(tmp_path, translator, capsys):
    samples = Samples(translator, [])  # there is no pair to choose
    with tensorboard(tmp_path):
        samples.log_step(0, 0.0)
        samples.log_epoch(50, 1, 0.0)
    err = capsys.readouterr().err
    assert err.startswith("warning: there are no more samples for TensorBoard: ")
    assert err.count("\n") == 1


def test_no_samples_are_computed_after_the_disk_is_full(tmp_path, translator, capsys):
    recording = Recording(translator)
    samples = Samples(recording, PAIRS)
    with limited_files(500), tensorboard(tmp_path):
        for epoch in range(1, 4):
            samples.log_epoch(epoch, epoch, 0.0)
    assert recording.calls.count("translate") == 1
    err = capsys.readouterr().err
    assert "the curves for TensorBoard end here: " in err
    assert err.count("\n") == 1


def test_ctrl_c_is_no_error_of_the_samples(tmp_path):
    class Interrupted:
        def translate(self, *_):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), tensorboard(tmp_path):
        Samples(Interrupted(), PAIRS).log_epoch(50, 1, 0.0)


class Text(HTMLParser):
    """Collects the text of a page."""

    def __init__(self, page):
        super().__init__()
        self.text = ""
        self.tags = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)

    def handle_data(self, data):
        self.text += data


def without_spaces(text):
    return re.sub(r"\s", "", text)


@hypothesis.given(
    strategies.text(
        strategies.one_of(
            strategies.sampled_from("\\`*_{}[]()#+-.!|~<>&=:\"' 1ab"),
            strategies.characters(exclude_categories=("C", "Z")),
        )
    )
)
@hypothesis.example("1. # <b>a</b> *b* _c_ `d` [e](f) &amp; | ~~g~~")
@hypothesis.example("http://example.org")
def test_tensorboard_shows_texts_as_they_are(text):
    """TensorBoard's own function renders the Markdown."""
    shown = Text(markdown_to_safe_html(escaped(text)))
    assert without_spaces(shown.text) == without_spaces(text)
    assert shown.tags <= {"p"}


def test_a_training_logs_its_attention_from_beginning_to_end(tmp_path, reused_learners, capsys):
    trainer = new_trainer(tmp_path / "run", samples=True)
    steps = len(list(trainer.batches(trainer.train_pairs, seed=1)))
    assert trainer.train()
    assert "warning" not in capsys.readouterr().err
    recorded = read_history(tmp_path / "run").attention
    assert [(each.step, each.epoch) for each in recorded] == [(0, 0), (steps, 1), (2 * steps, 2)]
    wanted = attention_of(trainer.translator, recorded[0][2:4], 2 * steps, 2.0)
    np.testing.assert_array_equal(recorded[-1].weights, wanted.weights)
    assert np.abs(recorded[0].weights - wanted.weights).max() > 1e-4


def test_samples_do_not_change_the_training(tmp_path, reused_learners):
    trainers = [new_trainer(tmp_path / str(flag), samples=flag) for flag in (False, True)]
    for trainer in trainers:
        assert trainer.train()
    assert_equal(*(values(trainer.model) for trainer in trainers))

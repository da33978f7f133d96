"""The command `draw attention`."""

import numpy as np
import pytest

from keras_transformer.commands.drawing import attention
from keras_transformer.inspection.attention.forced import given_translation
from keras_transformer.inspection.attention.weights import read_attention
from keras_transformer.inspection.attention.words import words_of
from keras_transformer.pictures import saving
from keras_transformer.translation.attention_kinds import KINDS
from keras_transformer.translation.translator import Translator
from tests.commands.conftest import Call
from tests.rest.scripted_server import ScriptedServer, answering, http_reply

SENTENCE = "ba lo ki"
TARGET = SENTENCE, "--target", "ki fo"  # a picture that needs no search
SIXTY = "b " * 60


@pytest.fixture
def drawn(call: Call, small_run, tmp_path, monkeypatch):
    """Draw a picture of the small run; return the figure and what was printed."""
    figures = []
    monkeypatch.setattr(saving, "save", lambda figure, path: figures.append(figure))

    def draw(*arguments):
        flags = ["--checkpoint", small_run, "--output", tmp_path / "x.png"]
        status, out, err = call("draw", "attention", *flags, *arguments)
        assert status == 0, err
        return figures[-1], out, err

    return draw


def panels_of(figure):
    return [axes for axes in figure.axes if axes.get_title() and axes.images]


def matrices(figure):
    return [panel.images[0].get_array().filled(np.nan) for panel in panels_of(figure)]


def given(translator, kind="cross"):
    """Return the attention for the translation "ki fo"."""
    translation, _ = given_translation(translator, SENTENCE, "ki fo")
    [found] = read_attention(translator, SENTENCE, translation, [kind])
    return found


def check_equal(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_cross_attention_of_all_heads_is_drawn_by_default(drawn, translator, reranking):
    figure, out, err = drawn(SENTENCE)
    [[best]] = reranking.translate([SENTENCE])
    [cross] = read_attention(translator, SENTENCE, best)
    check_equal(matrices(figure), cross.weights)
    assert out == f"{best.text}\n"
    assert err.splitlines()[-1].startswith("wrote ")


def test_all_kinds_and_layers_are_on_one_sheet(drawn, translator):
    figure, _, _ = drawn(*TARGET, "--attention", "all", "--layer", "all")
    every = [given(translator, kind) for kind in KINDS]
    check_equal(matrices(figure), [matrix for each in every for matrix in each.weights])


def test_heads_are_averaged_or_chosen(drawn, translator):
    weights = given(translator).weights
    for heads, expected in (("mean", np.mean(weights, 0)), ("2", weights[1])):
        figure, _, _ = drawn(*TARGET, "--heads", heads)
        check_equal(matrices(figure), [expected])


def test_subwords_are_merged_into_words(drawn, translator):
    figure, _, _ = drawn(*TARGET, "--words")
    check_equal(matrices(figure), given(translator).with_words().weights)
    [columns] = {tuple(t.get_text() for t in p.get_xticklabels()) for p in panels_of(figure)}
    assert columns == ("<start>", "ba", "lo", "ki", "<end>")
    [rows] = {tuple(t.get_text() for t in p.get_yticklabels()) for p in panels_of(figure)}
    assert rows == ("ki", "fo", "<end>")


def test_the_weights_of_a_token_are_bars(drawn, translator):
    figure, _, _ = drawn(*TARGET, "--words", "--token", "ki")
    heights = [[bar.get_height() for bar in axes.patches] for axes in figure.axes]
    check_equal(heights, given(translator).with_words().weights[:, 0])


def test_a_given_translation_is_drawn_with_its_probabilities(drawn, translator):
    figure, out, err = drawn(*TARGET, "--attention", "decoder")
    translation, forced = given_translation(translator, SENTENCE, "ki fo")
    check_equal(matrices(figure), given(translator, "decoder").weights)
    strip = next(axes for axes in figure.axes if axes.patches)
    widths = [bar.get_width() for bar in strip.patches]
    np.testing.assert_allclose(widths, forced.probabilities)
    texts = [text.get_text() for text in figure.texts]
    assert f"log probability of this translation: {translation.score:.2f}" in texts
    assert (out, err.count("\n")) == ("", 1)


def test_the_probabilities_of_the_words_of_a_given_translation(drawn, translator):
    figure, _, _ = drawn(*TARGET, "--words")
    translation, forced = given_translation(translator, SENTENCE, "ki fo")
    words = words_of(translator.target_subwords.labels(translation.ids[1:]))
    strip = next(axes for axes in figure.axes if axes.patches)
    products = [forced.probabilities[words.numbers == word].prod() for word in range(3)]
    np.testing.assert_allclose([bar.get_width() for bar in strip.patches], products, rtol=1e-5)


def test_characters_of_a_target_that_the_network_does_not_know_are_named(drawn):
    _, _, err = drawn(SENTENCE, "--target", "ki 猫")
    assert err.startswith("warning: characters of --target not in the vocabulary: 猫\n")


def test_several_sentences_can_be_drawn_as_one(drawn):
    figure, _, _ = drawn("ba lo. ki de.", "--target", "b", "--no-split")
    assert "ba lo. ki de." in [text.get_text() for text in figure.texts]


def test_a_language_without_spaces_has_no_words(capsys):
    assert attention.merged_sides(("en", "de")) == ["source", "target"]
    assert capsys.readouterr().err == ""
    assert attention.merged_sides(("ja", "de")) == ["target"]
    message = "warning: ja is written without spaces: its subwords are not merged\n"
    assert capsys.readouterr().err == message


def test_a_sentence_in_capitals_is_drawn_as_the_network_reads_it(drawn):
    figure, _, _ = drawn("BA LO KI", "--target", "ki fo")
    assert "Ba lo ki" in [text.get_text() for text in figure.texts]


RUN = ["--checkpoint", "RUN", "-o", "{}/x.png"]
SERVER = ["--server", "http://localhost:1/v1/models/toy", "-o", "{}/x.png"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ba"], "arguments are required: -o/--output"),
        (["ba", "-o", "{}/x"], "x: cannot be written: the name must end in"),
        (["ba", "-o", "{}/x.bmp"], "x.bmp: cannot be written: the name must end in"),
        (["ba", "-o", "{}/no/x.png"], "no/x.png: cannot be written"),
        (["ba", "-o", "{}"], "cannot be written: it is a directory"),
        (["ba", "--checkpoint", "{}/none", "-o", "{}/x.png"], "none: no run here"),
        ([*RUN], "arguments are required: SENTENCE"),
        ([*RUN, ""], "the sentence is empty"),
        ([*RUN, " \u3000"], "the sentence is empty"),
        ([*RUN, "\u200b"], "the sentence is empty"),  # a zero-width space
        ([*RUN, "\xad\ufeff", "--target", "ba"], "the sentence is empty"),
        ([*RUN, "ba", "--target", "\u200b"], "the target is empty"),
        ([*RUN, "ba", "lo"], "unrecognized arguments: lo"),
        ([*RUN, "ba lo. ki de."], "one sentence, not 2: draw them one at a time, or give --no-spl"),
        (
            [*RUN, SIXTY],
            "the sentence is too long: it has 60 subwords, and the network reads at mo",
        ),
        (
            [*RUN, "ba", "--target", SIXTY],
            "the target is too long: it has 60 subwords, and the net",
        ),
        ([*RUN, "ba", "--target", " "], "the translation given with --target is empty"),
        ([*RUN, "ba", "--layer", "2"], "there is no decoder layer 2: the decoder has 1"),
        ([*RUN, "ba", "--layer", "0"], "--layer: '0': expected a number from 1 or all (see"),
        ([*RUN, "ba", "--layer", "one"], "--layer: 'one': expected a number from 1 or all (see"),
        ([*RUN, "ba", "--heads", "3"], "there is no head 3: each layer has 2"),
        (
            [*RUN, "ba", "--heads", "-1"],
            "--heads: '-1': expected a number from 1, all or mean (see",
        ),
        ([*RUN, "ba", "--heads", "max"], "--heads: 'max': expected a number from 1, all or mean"),
        ([*RUN, "ba", "--attention", "self"], "--attention: invalid choice: 'self'"),
        ([*RUN, "ba", "--token", " "], "--token needs a subword or a word"),
        (
            [*RUN, "ba lo", "--target", "ki fo", "--token", "fox"],
            "no subword that attends is 'fox'; the subwords are: k i fo <end>: give --words to",
        ),
        (
            [*RUN, "ba lo", "--target", "ki fo", "--words", "--token", "fox"],
            "no word that attends is 'fox'; the words are: ki fo <end>\n",
        ),
        ([*SERVER, "--checkpoint", "{}", "ba"], "give --server or --checkpoint, not both"),
        ([*SERVER, "--target", "b", "ba"], "--target cannot be combined with --server"),
        ([*SERVER, "ba"], "no server answers there"),
        (["--server", "here", "-o", "{}/x.png", "ba"], "here: not the address of a model"),
    ],
)
def test_bad_input_is_an_error(error_of, small_run, tmp_path, arguments, message):
    arguments = [str(small_run) if a == "RUN" else a.format(tmp_path) for a in arguments]
    assert message in error_of("draw", "attention", *arguments)
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory_is_an_error_without_advice(error_of, small_run, tmp_path, monkeypatch):
    """A picture is of one sentence: there is no flag --batch-size."""

    def fail(*arguments, **options):
        raise MemoryError

    monkeypatch.setattr(Translator, "translate", fail)
    flags = ["--checkpoint", small_run, "-o", tmp_path / "x.png"]
    assert error_of("draw", "attention", *flags, "ba") == "error: out of memory\n"


def test_a_picture_that_cannot_be_written_leaves_no_file(call, small_run, tmp_path, monkeypatch):
    def fail(figure, kind):
        raise OSError("disk full")

    monkeypatch.setattr(saving, "encoded", fail)
    flags = ["--checkpoint", small_run, "-o", tmp_path / "x.png", "--target", "ki"]
    status, _, err = call("draw", "attention", *flags, "ba")
    assert (status, list(tmp_path.iterdir())) == (2, [])
    assert err == f"error: {tmp_path}/x.png: cannot be written: disk full\n"


def test_the_attention_of_a_server_is_drawn(call, tmp_path):
    square = np.full((1, 1, 2, 3, 3), 1 / 3).tolist()
    subwords = ["<start>", "▁a", "<end>"]
    outputs = {f"{side}_subwords": [subwords] for side in ("source", "target")}
    outputs |= {f"{kind}_attention": square for kind in KINDS}
    with ScriptedServer(answering(["b"], [0]), http_reply({"outputs": outputs})) as server:
        flags = ["--server", server.address, "-o", tmp_path / "x.png", "--layer", "all"]
        status, out, err = call("draw", "attention", *flags, "a")
    assert (status, out, err) == (0, "b\n", f"wrote {tmp_path}/x.png\n")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")

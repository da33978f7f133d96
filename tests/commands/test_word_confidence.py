"""The output formats of `translate --confidence`."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.commands import word_confidence
from keras_transformer.commands.console import printed
from keras_transformer.commands.word_confidence import (
    STYLES,
    codes,
    colored,
    shows_color,
    with_column,
)
from keras_transformer.runs.run import Run
from keras_transformer.translation.confidence_model import saved_temperature
from keras_transformer.translation.line_translator import LineTranslator
from keras_transformer.translation.word_probabilities import Word, WordProbabilities, corrected

SEQUENCE = re.compile("\x1b\\[([\\d;]*)m")


def words(text, *probabilities):
    return [Word(*each) for each in zip(text.split(), probabilities, strict=True)]


def test_probabilities_are_a_column_with_a_dash_for_corrected_words():
    found = with_column("Peter ist da.", words("Peter ist da.", None, 1.0, 0.123456))
    assert found == "Peter ist da.\t- 1.0000 0.1235"
    assert with_column("", []) == "\t"


texts = st.text(st.characters(exclude_characters="\x1b", exclude_categories=["Cs"]), max_size=30)


@given(texts, st.data())
def test_the_column_has_one_field_for_each_word(text, data):
    line, count = printed(text), len(printed(text).split())
    values = st.none() | st.floats(0, 1)
    drawn = data.draw(st.lists(values, min_size=count, max_size=count))
    shown = with_column(line, words(line, *drawn))
    translation, column = shown.split("\t")
    assert translation == line
    for word, field, value in zip(translation.split(), column.split(), drawn, strict=True):
        assert word
        assert field == "-" if value is None else float(field) == pytest.approx(value, abs=5.1e-5)


@given(texts, st.data())
def test_the_text_without_control_sequences_is_unchanged(text, data):
    line, count = printed(text), len(printed(text).split())
    drawn = data.draw(st.lists(st.none() | st.floats(0, 1), min_size=count, max_size=count))
    assert SEQUENCE.sub("", colored(line, words(line, *drawn))) == line


def test_improbable_words_are_styled_and_probable_ones_are_not():
    text = "a b c d e"
    assert colored(text, words(text, 0.1, 0.3, 0.6, 0.9, None)) == (
        f"\x1b[{STYLES[0].codes}ma\x1b[0m \x1b[{STYLES[1].codes}mb\x1b[0m "
        f"\x1b[{STYLES[2].codes}mc\x1b[0m d \x1b[2me\x1b[0m"
    )


def test_styles_differ_without_color():
    """Without the colors, the parameters are those of bold, italic, underlined and dim letters."""
    values = (0.1, 0.3, 0.6, 0.9, None)
    without_color = {re.sub(";?38;5;\\d+", "", codes(value)) for value in values}
    assert without_color == {"1;4", "4", "3", "", "2"}


def test_a_style_ends_at_its_limit():
    for style, following in zip(STYLES, [*STYLES[1:], None], strict=True):
        assert codes(style.limit - 1e-9) == style.codes
        assert codes(style.limit) == (following.codes if following else "")


@pytest.mark.parametrize(
    ("is_terminal", "variables", "wanted"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_color_is_for_terminals_that_have_it(monkeypatch, is_terminal, variables, wanted):
    class Stream:
        def isatty(self):
            return is_terminal

    for name, value in ({"TERM": "xterm"} | variables).items():
        monkeypatch.setenv(name, value)
    if "NO_COLOR" not in variables:
        monkeypatch.delenv("NO_COLOR", raising=False)
    assert shows_color(Stream()) == wanted


def wanted_words(reranking, small_run, line):
    """Return the words of the best translation of a line, computed with the library."""
    [found] = LineTranslator(reranking).translate([line])
    temperature = saved_temperature(Run.open(small_run))
    [[best, *_]] = WordProbabilities(reranking.translator, temperature).of([found])
    return best


def test_each_line_of_output_has_the_words_of_its_translation(call, small_run, reranking, tmp_path):
    lines = ["ba lo", "", "be. ki lo."]
    flags = ["--checkpoint", small_run, "--quiet"]
    _, plain, _ = call("translate", *flags, *lines)
    status, out, err = call("translate", *flags, "--confidence", *lines)
    assert (status, err) == (0, "")
    rows = [row.split("\t") for row in out.split("\n")[:-1]]
    assert [text for text, _ in rows] == plain.split("\n")[:-1]
    for line, (text, column) in zip(lines, rows, strict=True):
        best = wanted_words(reranking, small_run, line)
        found = corrected(best, text)
        assert len(column.split()) == len(text.split())
        numbers = [float(field) for field in column.split() if field != "-"]
        known = [word.probability for word in found if word.probability is not None]
        assert numbers == pytest.approx(known, abs=1e-3)

    target = tmp_path / "out.tsv"
    assert call("translate", *flags, "--confidence", "-o", target, *lines)[0] == 0
    assert target.read_text(encoding="utf-8") == out


def test_the_column_follows_the_number_the_score_and_the_translation(call, small_run):
    flags = ["--checkpoint", small_run, "--quiet", "--n-best", 2, "--scores"]
    _, plain, _ = call("translate", *flags, "ba lo", "be. lo.")
    _, out, _ = call("translate", *flags, "--confidence", "ba lo", "be. lo.")
    rows = [row.split("\t") for row in out.splitlines()]
    assert ["\t".join(row[:3]) for row in rows] == plain.splitlines()
    assert [row[0] for row in rows] == ["1", "1", "2", "2"]
    for _, _, text, column in rows:
        assert len(text.split()) == len(column.split())


def test_confidence_and_a_plot(call, small_run, tmp_path):
    flags = ["--checkpoint", small_run, "--quiet", "--confidence", "ba lo"]
    _, plain, _ = call("translate", *flags)
    _, out, _ = call("translate", *flags, "--plot", tmp_path / "x.png")
    assert out == plain
    text, column = out.rstrip("\n").split("\t")
    assert len(text.split()) == len(column.split()) > 0


def test_a_server_returns_no_probabilities(error_of):
    message = error_of("translate", "--server", "http://localhost:1", "--confidence", "ba")
    assert "--confidence cannot be combined with --server" in message


def test_words_are_colored_at_a_terminal(call, small_run, reranking, monkeypatch):
    text = reranking.translate(["ba lo"])[0][0].text
    marked = colored(text, wanted_words(reranking, small_run, "ba lo"))
    monkeypatch.setattr(word_confidence, "shows_color", lambda stream: stream is sys.stdout)
    flags = ["--quiet", "--confidence", "--checkpoint", small_run]
    assert call("translate", *flags, "ba lo") == (0, f"{marked}\n", "")
    assert "\x1b[" in marked

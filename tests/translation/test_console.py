import io
import sys
from pathlib import Path

import pytest

from keras_transformer.errors import UserError
from keras_transformer.translation.console import prompt, translate_lines
from keras_transformer.translation.plotting import plot_translation
from keras_transformer.translation.translator import Translation


class Echo:
    """Stands in for a translator: says what it was asked."""

    def __init__(self):
        self.buffers = []

    def translate(self, sentences, n_best=1, first_number=1, **search):
        self.buffers.append((first_number, len(sentences)))
        return [
            [Translation(f"{sentence}{'!' * n}", -0.5 - n, (1,)) for n in range(n_best)]
            for sentence in sentences
        ]


def test_one_line_in_one_line_out():
    lines = ["a", "", "b\u2028c", "d\te\rf\x85g"]
    assert list(translate_lines(Echo(), lines)) == ["a", "", "b c", "d e f g"]


def test_only_a_buffer_is_held():
    echo = Echo()
    read = []

    def endless():
        while True:
            read.append(1)
            yield "x"

    output = translate_lines(echo, endless(), buffer_size=3)
    assert [next(output) for _ in range(4)] == ["x"] * 4
    assert len(read) == 6
    assert echo.buffers == [(1, 3), (4, 3)]


def test_lines_before_a_bad_one_are_translated():
    def lines():
        yield from "abc"
        raise UserError("line 4: not UTF-8")

    output = translate_lines(Echo(), lines())
    assert [next(output) for _ in "abc"] == ["a", "b", "c"]
    with pytest.raises(UserError, match="line 4"):
        next(output)


def test_scores_and_n_best():
    assert list(translate_lines(Echo(), ["a"], scores=True)) == ["-0.5000\ta"]
    assert list(translate_lines(Echo(), ["a", "b"], n_best=2, scores=True)) == [
        "1\t-0.5000\ta",
        "1\t-1.5000\ta!",
        "2\t-0.5000\tb",
        "2\t-1.5000\tb!",
    ]


def test_prompt(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("gut\n\nschön".encode())))
    assert list(prompt("de")) == ["gut", "", "schön"]
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "de> de> de> de> \n"


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_plot(translator, tmp_path, kind):
    path = tmp_path / "plot.png"
    sentence = "ba be $lo$ 漢"
    [[translation]] = translator.translate([sentence], beam_size=2)
    plot_translation(translator, sentence, translation, path, kind)
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("sentence", "name", "layer", "message"),
    [
        ("ba", "plot.png", 2, "no layer 2: the network has 1"),
        ("ba", "plot.png", 0, "no layer 0"),
        ("ba", "plot.nothing", 1, "cannot be written"),
        ("ba", "no/such/plot.png", 1, "cannot be written"),
        (" ", "plot.png", 1, "empty translation"),
    ],
)
def test_what_cannot_be_plotted(translator, tmp_path, sentence, name, layer, message):
    [[translation]] = translator.translate([sentence])
    with pytest.raises(UserError, match=message):
        plot_translation(translator, sentence, translation, tmp_path / Path(name), layer=layer)

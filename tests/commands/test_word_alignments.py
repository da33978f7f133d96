"""The flag --alignments of the command `translate`."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from keras_transformer.client import ServedTranslator
from keras_transformer.inspection.alignments.cross_attention import one_by_one
from keras_transformer.inspection.alignments.links import aligned
from keras_transformer.translation.translation import Translation

LINES = ["ba lo ki.", "", "ba lo. Ki be ma.", "BA LO KI BE", "  Zoe  ba\xa0lo ", "lo " * 60]


def split_lines(out):
    """Return the text and the links of each line of output."""
    rows = [line.rpartition(" ||| ") for line in out.removesuffix("\n").split("\n")]
    return [(text, [tuple(map(int, each.split("-"))) for each in links.split()])
            for text, _, links in rows]  # fmt: skip


@pytest.mark.parametrize(
    "flags",
    [[], ["--n-best", "3"], ["--no-split"], ["--buffer-size", "1"], ["--alignment-head", "2"]],
)
def test_translations_are_followed_by_links_between_existing_words(call, small_run, flags):
    run = ["--checkpoint", small_run, "--quiet"]
    others = [] if "--alignment-head" in flags else flags
    _, plain, _ = call("translate", *run, *others, *LINES)
    status, out, err = call("translate", *run, *flags, "--alignments", *LINES)
    assert (status, err) == (0, "")
    rows = split_lines(out)
    assert [text for text, _ in rows] == plain.removesuffix("\n").split("\n")
    for k, (text, links) in enumerate(rows):
        number, tab, text = text.partition("\t") if "--n-best" in flags else (k + 1, "", text)
        words, others = LINES[int(number) - 1].split(), text.split()
        assert links == sorted(set(links))
        assert all(i < len(words) and j < len(others) for i, j in links)
        assert bool(links) == bool(words and others)
    assert re.fullmatch(r"([^|]* \|\|\| (\d+-\d+( \d+-\d+)*)?\n)+", out)


def test_a_line_of_symbols_has_no_links(call, small_run):
    """The symbols are copied. There are more of them than the decoder reads."""
    flags = ["--checkpoint", small_run, "--quiet", "--alignments"]
    status, out, err = call("translate", *flags, "─ " * 50, "ba lo")
    assert (status, err) == (0, "")
    (symbols, links), (_, others) = split_lines(out)
    assert (symbols.split(), links) == (["─"] * 50, [])
    assert others


def test_links_are_those_of_the_chosen_layer_and_head(call, small_run, reranking, translator):
    sentence = "ba lo ki be ma"
    [[best]] = reranking.translate([sentence])
    attention = one_by_one(translator)([sentence], [best])
    run = ["--checkpoint", small_run, "--quiet", "--alignments", sentence]
    for flags, choice in ([], ()), (["--alignment-layer", 1, "--alignment-head", 2], (1, 2)):
        _, out, _ = call("translate", *run, *flags)
        assert split_lines(out)[0][1] == sorted(aligned(attention, *choice)[0])


def test_a_plotted_translation_can_be_aligned(call, small_run, tmp_path):
    run = ["--checkpoint", small_run, "--quiet", "--plot", tmp_path / "plot.png", "ba lo"]
    _, plain, _ = call("translate", *run)
    status, out, _ = call("translate", *run, "--alignments")
    assert status == 0
    assert split_lines(out)[0][0] + "\n" == plain


def test_the_attention_of_a_server_is_aligned(call, monkeypatch):
    def translate(self, sentences, **options):
        return ([Translation(sentence.upper(), 0.0)] for sentence in sentences)

    def attention(self, sentence, translation):
        source = ["<start>", *(f"▁{word}" for word in sentence.split()), "<end>"]
        target = ["<start>", *(f"▁{word}" for word in translation.text.split()), "<end>"]
        weights = np.eye(len(target), len(source), 1)[np.newaxis, np.newaxis]
        return source, target, SimpleNamespace(cross=[weights])

    monkeypatch.setattr(ServedTranslator, "stream", translate)
    monkeypatch.setattr(ServedTranslator, "attention", attention)
    server = ["--server", "http://localhost:8501/v1/models/x", "--alignments"]
    status, out, _ = call("translate", *server, "ba lo ki", "", "ba")
    assert (status, out) == (0, "BA LO KI ||| 0-0 1-1 2-2\n ||| \nBA ||| 0-0\n")
    status, _, err = call("translate", *server, "--alignment-layer", 2, "ba")
    assert (status, "there is no decoder layer 2" in err) == (2, True)

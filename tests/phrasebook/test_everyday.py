"""The hand-written pairs: what every line must look like."""

import re
from itertools import islice

import pytest

from keras_transformer import phrasebook
from keras_transformer.phrasebook import corpus
from keras_transformer.phrasebook.everyday import (
    FOLDER,
    everyday_pairs,
    held_out_pairs,
    read_pairs,
)

FILES = sorted((FOLDER / "everyday").glob("*.tsv"))
HELD_OUT = [*held_out_pairs("validation"), *held_out_pairs("test")]
ALL = [*everyday_pairs(), *HELD_OUT]
# Typographic quotes, dashes and spaces, which the subword models replace.
REPLACED = re.compile("[‘’“”„…–—\u00a0\u200b]|  |^ | $")


def test_there_are_enough():
    assert len(FILES) >= 20
    assert len(everyday_pairs()) >= 10_000
    assert [len(held_out_pairs(split)) for split in ("validation", "test")] == [200, 200]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_line_is_a_pair(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        assert line.count("\t") == 1, line
        assert all(side and not REPLACED.search(side) for side in line.split("\t")), line


def test_final_marks_agree():
    def mark(text):
        return text[-1] if text[-1] in ".?!" else ""

    assert [pair for pair in ALL if mark(pair[0]) != mark(pair[1])] == []


def test_an_english_sentence_has_one_translation():
    found = {}
    for path in FILES:
        for english, german in read_pairs(path):
            assert found.setdefault(english, german) == german, (path.name, english)


def test_held_out_sentences_are_not_trained_on():
    held_out = {_plain(english) for english, _ in HELD_OUT}
    trained = {
        _plain(english) for epoch in (0, 1) for english, _ in phrasebook.pairs("train", epoch)
    }
    assert len(held_out) == len(HELD_OUT)
    assert sorted(held_out & trained) == []


def _plain(text):
    """A sentence without what the variants change."""
    return " ".join(re.findall(r"[\w']+", text.lower()))


def test_an_epoch_is_always_the_same_and_its_generated_pairs_are_new():
    once, again, other = (set(phrasebook.pairs("train", epoch)) for epoch in (3, 3, 4))
    assert once == again
    generated = [set(corpus.generated_pairs(epoch)) for epoch in (3, 4)]
    assert len(generated[0] & generated[1]) < 0.5 * len(generated[0])
    assert len(once - other) > 5_000


def test_generated_pairs_are_not_those_written_by_hand():
    written = {english for english, _ in everyday_pairs()}
    assert not written & {english for english, _ in corpus.generated_pairs(0)}


def test_the_grammar_repeats_no_sentence():
    pairs = list(islice(corpus.grammar_pairs(5), 5_000))
    for side in zip(*pairs, strict=True):
        assert len(set(side)) == len(pairs)

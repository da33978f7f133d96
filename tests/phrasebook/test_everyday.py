"""Properties of the written pairs."""

import re
from collections import Counter
from itertools import islice

import pytest

from keras_transformer import phrasebook
from keras_transformer.phrasebook import corpus
from keras_transformer.phrasebook.everyday import (
    FOLDER,
    everyday_pairs,
    held_out_pairs,
    read_pairs,
    repeated_pairs,
)

FILES = sorted((FOLDER / "everyday").glob("*.tsv"))
HELD_OUT = [*held_out_pairs("validation"), *held_out_pairs("test")]
ALL = [*everyday_pairs(), *HELD_OUT]
# Typographic quotes, dashes and spaces, which the subword models normalize.
REPLACED = re.compile("[‘’“”„…–—\u00a0\u200b]|  |^ | $")


def test_corpus_size():
    assert len(FILES) >= 20
    assert len(everyday_pairs()) >= 10_000
    assert [len(held_out_pairs(split)) for split in ("validation", "test")] == [200, 200]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_line_is_a_pair(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        assert line.count("\t") == 1, line
        assert all(side and not REPLACED.search(side) for side in line.split("\t")), line


def test_both_sides_end_with_the_same_mark():
    def mark(text):
        return text[-1] if text[-1] in ".?!" else ""

    assert [pair for pair in ALL if mark(pair[0]) != mark(pair[1])] == []


def test_each_english_sentence_has_one_translation():
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


def test_subwords_and_statistics_are_not_learned_from_held_out_sentences():
    learned = {_plain(english) for english, _ in phrasebook.vocabulary_pairs()}
    assert sorted(learned & {_plain(english) for english, _ in HELD_OUT}) == []


def test_no_german_source_is_held_out():
    held_out = {_plain(german) for _, german in HELD_OUT}
    trained = [*phrasebook.pairs("train", 0, "de"), *phrasebook.vocabulary_pairs("de")]
    assert sorted(held_out.intersection(_plain(german) for _, german in trained)) == []


def test_likely_and_short_sentences_are_repeated():
    repeated = Counter(repeated_pairs())
    first, likely = ("first_sentences", 3), ("machine_learning", 1)
    for topic, times in (first, likely):
        pairs = read_pairs(FOLDER / "everyday" / f"{topic}.tsv")
        assert min(repeated[pair] for pair in pairs) == times, topic
    epoch = Counter(_plain(english) for english, _ in phrasebook.pairs("train", 0))
    times = {
        "I love you.": 5,  # short, and one of the first
        "My name is Sarah, and I come from Canada.": 4,  # one of the first
        "What is machine learning?": 3,  # short, and likely
        "How does a neural network work?": 2,  # likely
        "Cover the pot and let it simmer for half an hour.": 1,
    }
    assert {sentence: epoch[_plain(sentence)] for sentence in times} == times


def _plain(text):
    """Return the lower-case words of a sentence, which are the same for all its variants."""
    return " ".join(re.findall(r"[\w']+", text.lower()))


def test_epochs_are_reproducible_and_differ_from_each_other():
    first, repeated, other = (set(phrasebook.pairs("train", epoch)) for epoch in (3, 3, 4))
    assert first == repeated
    generated = [set(corpus.generated_pairs(epoch)) for epoch in (3, 4)]
    assert len(generated[0] & generated[1]) < 0.5 * len(generated[0])
    assert len(first - other) > 5_000


def test_generated_pairs_do_not_repeat_hand_written_sentences():
    written = {english for english, _ in everyday_pairs()}
    assert not written & {english for english, _ in corpus.generated_pairs(0)}


def test_the_grammar_never_repeats_a_sentence():
    pairs = list(islice(corpus.grammar_pairs(5), 5_000))
    for side in zip(*pairs, strict=True):
        assert len(set(side)) == len(pairs)

"""Statistics of sentence pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text import statistics
from keras_transformer.text.statistics import (
    LengthStatistics,
    common_share,
    sample_pairs,
    script_shares,
    text_statistics,
)


def test_letters_are_counted_by_script():
    """Digits, spaces and punctuation have no script."""
    assert script_shares(["Aé 12!", "Жя"]) == {"LATIN": 0.5, "CYRILLIC": 0.5}
    assert script_shares(["漢字", "か"]) == pytest.approx({"CJK": 2 / 3, "HIRAGANA": 1 / 3})
    assert script_shares(["12!"]) == {}


def test_languages_with_one_script_have_much_in_common():
    english, german, russian = "A dog runs.", "Ein Hund läuft.", "Собака бежит."
    assert text_statistics([(english, german)], 1).common_script == 1
    assert text_statistics([(english, russian)], 1).common_script == 0


@pytest.mark.parametrize(
    ("sentence", "words"),
    [("A dog runs.", 3), ("\u72ac\u304c\u8d70\u308b", 3), ("", 0), ("\u30b3\u30fc", 2)],
)
def test_words_are_estimated_in_scripts_without_spaces(sentence, words):
    """A text without spaces is one word, and each two of its letters are one more."""
    assert text_statistics([(sentence, "x")], 1).source_words == words


def test_characters_of_both_sides_are_counted_once():
    statistics = text_statistics([("abc", "bcd"), ("a", "e")], 2)
    assert (statistics.characters, statistics.most_characters) == (5, 4)


shares = st.dictionaries(st.sampled_from("abcde"), st.floats(0.01, 1), min_size=1).map(
    lambda each: {name: share / sum(each.values()) for name, share in each.items()}
)


@given(shares, shares)
def test_the_overlap_is_one_minus_the_distance(one, other):
    """The total variation distance of two distributions is sum |p - q| / 2."""
    names = sorted({*one, *other})
    p, q = (np.array([each.get(name, 0) for name in names]) for each in (one, other))
    assert common_share(one, other) == pytest.approx(1 - np.abs(p - q).sum() / 2)


@given(count=st.integers(1, 60))
def test_a_sample_is_evenly_spaced(count):
    pairs = [(str(number), "") for number in range(count)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "MAX_SAMPLE", 7)
        sample, total = sample_pairs(pairs)
    numbers = [int(source) for source, _ in sample]
    assert total == count
    assert numbers[0] == 0
    assert len(numbers) == count if count <= 7 else 7 / 2 < len(numbers) <= 7
    assert len(set(np.diff(numbers).tolist())) <= 1


def test_words_of_a_sample_are_scaled_to_the_corpus():
    found = text_statistics([("a b c", "d e")], count=10)
    assert (found.pairs, found.source_words, found.target_words) == (10, 30, 20)


@pytest.mark.parametrize("text", ["你好吗", "你好吗？", "བཀྲ", "བཀྲ།"])
def test_two_letters_of_a_script_without_spaces_are_a_word(text):
    """And the part between white space is one; punctuation marks are none."""
    found = text_statistics([(text, "d")], count=10)
    assert (found.source_words, found.target_words) == (25, 10)


def test_lengths_include_start_and_end(translator):
    subwords = translator.source_subwords
    sentences = ["ba lo ki", "ba", "ba lo ki ba lo ki €"]
    lengths = [2 + len(subwords.bpemb.spm.encode(sentence)) for sentence in sentences]
    found = LengthStatistics.of(sentences, subwords)
    assert found.mean == pytest.approx(np.mean(lengths))
    assert found.longest == max(lengths)
    assert found.unknown == "€"


def test_most_sentences_are_99_percent(translator):
    subwords = translator.source_subwords
    found = LengthStatistics.of(["ba"] * 199 + ["ba lo ki"] * 2, subwords)
    assert found.most == 2 + len(subwords.bpemb.spm.encode("ba"))
    assert found.longest == 2 + len(subwords.bpemb.spm.encode("ba lo ki"))

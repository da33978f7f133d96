"""The page's words against those in Python."""

import random

import numpy as np
import pytest

from keras_transformer.inspection.attention.words import merged, unmerged, words_of
from tests.page.node import run_node

PIECES = ["▁the", "▁", "▁▁", "a", "b.", "▁c", "<unk>", "<0xC3>", "<0xA9>", "<0xE2>", "<0x82>"]
# Subwords, and the characters that they spell out as bytes.
UNKNOWN = [
    (["▁the", "a"], []),
    (["▁", "<0xC3>", "<0xA9>", "a", "<0xE2>", "<0x82>", "<0xAC>", "<0xC3>", "<0xA9>"], ["é", "€"]),
    (["a", "<0xE2>", "<0x82>"], []),  # truncated within a character
    (["<", "0xC3>", "<0xC3", ">"], []),  # text, not bytes
]
TOKENS = ["<pad>", "<start>", "<end>"]
# Subwords of languages without spaces: their words, and the number of the word of each subword.
UNSPACED = [
    (["<start>", "▁我", "不", "吃肉", "。", "<end>"], None, [0, 1, 2, 3, 4, 5]),
    (["<start>", "▁", "我", "吃肉", "<end>"], ["<start>", "▁我", "吃肉", "<end>"], [0, 1, 1, 2, 3]),
    # Thai, with a space between sentences and one at the end.
    (["▁ฝนตก", "▁", "ผม", "อยู่", "▁"], ["▁ฝนตก", "▁ผม", "อยู่▁"], [0, 1, 1, 2, 2]),
    # 龘 twice as bytes, after a space.
    (
        ["▁", "<0xE9>", "<0xBE>", "<0x98>", "<0xE9>", "<0xBE>", "<0x98>", "a", "<end>"],
        ["▁龘", "龘", "a", "<end>"],
        [0, 0, 0, 0, 1, 1, 1, 2, 3],
    ),
    (["<0xC3>", "<0xA9>", "b", "<0x80>"], ["é", "b", "\ufffd"], [0, 0, 1, 2]),
    ([], None, []),
]


def random_sentences(count):
    draw = random.Random(0)
    pool = [*PIECES, *PIECES, *TOKENS]
    return [draw.choices(pool, k=draw.randint(0, 12)) for _ in range(count)]


def plain_sentences(count):
    """Subwords among which there are neither bytes nor spaces without a word."""
    draw = random.Random(1)
    pool = ["▁the", "a", "b.", "▁c", "<unk>", "我", "▁不", *TOKENS]
    return [draw.choices(pool, k=draw.randint(0, 12)) for _ in range(count)]


def random_weights(count):
    """Weights of up to 3 heads between random sentences, with hidden positions."""
    draw = np.random.default_rng(0)
    sentences = [each for each in random_sentences(2 * count + 100) if each]
    for source, target in zip(sentences[:count], sentences[count : 2 * count], strict=True):
        numbers = [words_of(each).numbers for each in (target, source)]
        weights = draw.random((draw.integers(1, 4), len(target), len(source)), np.float32)
        weights[draw.random(weights.shape) < draw.choice([0.0, 0.5, 0.9])] = np.nan
        yield weights, *numbers


def as_json(weights, rows, columns):
    values = [None if np.isnan(value) else float(value) for value in weights.ravel()]
    sizes = dict(zip(["heads", "rows", "columns"], weights.shape, strict=True))
    return sizes | {"values": values, "rowWords": rows.tolist(), "columnWords": columns.tolist()}


@pytest.fixture(scope="module")
def page():
    weights = [as_json(*each) for each in random_weights(200)]
    unknown = [subwords for subwords, _ in UNKNOWN]
    given = {"sentences": random_sentences(2000), "weights": weights, "unknown": unknown}
    given["unspaced"] = [*(subwords for subwords, _, _ in UNSPACED), *plain_sentences(500)]
    return run_node("words.mjs", given)


def test_subwords_are_grouped_as_in_python(page):
    for sentence, found in zip(random_sentences(2000), page["words"], strict=True):
        words = words_of(sentence)
        assert found == {"labels": words.labels, "numbers": words.numbers.tolist()}, sentence


def test_without_spaces_each_subword_is_a_word(page):
    for (subwords, labels, numbers), found in zip(UNSPACED, page["unspaced"], strict=False):
        assert found == {"labels": labels or subwords, "numbers": numbers}
    for sentence, found in zip(
        plain_sentences(500), page["unspaced"][len(UNSPACED) :], strict=True
    ):
        words = unmerged(sentence)
        assert found == {"labels": words.labels, "numbers": words.numbers.tolist()}, sentence


def test_characters_spelled_out_as_bytes_are_unknown(page):
    assert page["unknown"] == [characters for _, characters in UNKNOWN]


def test_weights_between_words_equal_those_in_python(page):
    for (weights, rows, columns), found in zip(random_weights(200), page["merged"], strict=True):
        expected = merged(weights, rows, columns)
        assert (found["heads"], found["rows"], found["columns"]) == expected.shape
        values = np.array([np.nan if value is None else value for value in found["values"]])
        np.testing.assert_allclose(values.reshape(expected.shape), expected, rtol=1e-6)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.inspection.attention.words import joined, merged, multiplied, words_of

TOKENS = ["<start>", "<end>", "<pad>"]
subwords = st.lists(
    st.one_of(
        st.sampled_from([*TOKENS, "▁", "<unk>", "."]),
        st.builds("▁{}".format, st.text("abc", min_size=1)),
        st.text("äbc", min_size=1),
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.parametrize(
    ("given_subwords", "labels", "numbers"),
    [
        (
            ["<start>", "▁die", "▁Kat", "ze", ".", "<end>"],
            ["<start>", "▁die", "▁Katze.", "<end>"],
            [0, 1, 2, 2, 2, 3],
        ),
        (["<start>", "ab", "c", "<end>"], ["<start>", "abc", "<end>"], [0, 1, 1, 2]),
        (["▁die", "▁", "<unk>", "s", "▁da"], ["▁die", "▁<unk>s", "▁da"], [0, 1, 1, 1, 2]),
        (["<end>", "<pad>", "<pad>"], ["<end>", "<pad>", "<pad>"], [0, 1, 2]),
        (["▁", "<0xE7>", "<0x8C>", "<0xAB>", "▁a"], ["▁猫", "▁a"], [0, 0, 0, 0, 1]),
        (["▁<", "0", "x", "4", "1", ">"], ["▁<0x41>"], [0] * 6),
        (["▁駅", "は", "どこ", "です", "か"], ["▁駅はどこですか"], [0] * 5),
        (["<start>", "▁", "▁", "a", "▁"], ["<start>", "▁▁a▁"], [0, 1, 1, 1, 1]),
        ([], [], []),
    ],
)
def test_a_word_begins_after_a_space_and_special_tokens_stay(given_subwords, labels, numbers):
    words = words_of(given_subwords)
    assert words.labels == labels
    assert words.numbers.tolist() == numbers


def test_words_are_what_spaces_separate(translator):
    """Compares with Python's `split`."""
    sentence = "ba loki d efi"
    pieces = translator.source_subwords.labels(translator.source_subwords.encode(sentence))
    words = words_of(pieces).labels
    assert [word.removeprefix("▁") for word in words[1:-1]] == sentence.split()


def test_bytes_that_are_no_character_become_the_replacement_character():
    assert joined(["▁", "<0xE7>", "<0x8C>"]) == "▁\ufffd"
    assert joined(["<0x41>", "b"]) == "Ab"


@given(subwords)
def test_the_words_of_a_sentence_contain_its_subwords_in_order(pieces):
    words = words_of(pieces)
    assert "".join(words.labels) == "".join(pieces)
    assert sorted(words.numbers) == words.numbers.tolist()
    assert set(words.numbers) == set(range(len(words.labels)))
    for token in TOKENS:
        assert words.labels.count(token) == pieces.count(token)


@given(subwords)
def test_between_special_tokens_words_are_what_spaces_separate(pieces):
    """Compares with `split`. A sentence of nothing but spaces is one word."""
    pieces = [piece for piece in pieces if piece not in TOKENS]
    found = [label.replace("▁", " ").strip() for label in words_of(pieces).labels]
    text = "".join(pieces).replace("▁", " ")
    assert found == (text.split() or [""] * bool(pieces))


@st.composite
def cases(draw):
    """Weights (H, query, key), some of which are hidden, with the words of rows and columns."""
    rows, columns = words_of(draw(subwords)), words_of(draw(subwords))
    shape = draw(st.integers(1, 3)), len(rows.numbers), len(columns.numbers)
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    weights = random.random(shape)
    weights[random.random(shape) < draw(st.sampled_from([0.0, 0.3, 0.7]))] = np.nan
    totals = np.nansum(weights, -1, keepdims=True)
    return np.divide(weights, totals, where=totals > 0, out=weights), rows, columns


@given(cases())
def test_merged_weights_are_sums_over_keys_and_means_over_queries(case):
    """Compares with a loop over all pairs of words."""
    weights, rows, columns = case
    found = merged(weights, rows.numbers, columns.numbers)
    assert found.shape == (len(weights), len(rows.labels), len(columns.labels))
    for head, row, column in np.ndindex(found.shape):
        queries = [i for i, word in enumerate(rows.numbers) if word == row]
        keys = [j for j, word in enumerate(columns.numbers) if word == column]
        block = [[weights[head, i, j] for j in keys] for i in queries]
        total = sum(value for line in block for value in line if not np.isnan(value))
        wanted = np.nan if np.isnan(block).all() else total / len(queries)
        np.testing.assert_allclose(found[head, row, column], wanted, atol=1e-12)


@given(cases())
def test_merging_conserves_mass(case):
    """A row of a word has the mean of the sums of its subwords' rows, which is 1 if they are 1."""
    weights, rows, columns = case
    mass = np.nansum(weights, -1)  # (H, query)
    found = np.nansum(merged(weights, rows.numbers, columns.numbers), -1)
    for word in range(len(rows.labels)):
        wanted = mass[:, rows.numbers == word].mean(-1)
        np.testing.assert_allclose(found[:, word], wanted, atol=1e-12)


def test_merging_of_single_subwords_changes_nothing():
    weights = np.array([[[1, np.nan], [0.25, 0.75]]])
    np.testing.assert_array_equal(merged(weights, [0, 1], [0, 1]), weights)


def test_the_probability_of_a_word_is_the_product_of_those_of_its_subwords():
    np.testing.assert_allclose(multiplied([0.5, 0.5, 0.2, 0.1], [0, 1, 1, 2]), [0.5, 0.1, 0.1])

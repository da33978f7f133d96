"""How the page compares translations, probabilities and pictures."""

from itertools import combinations

import numpy as np
import pytest

from tests.page.test_interface import call, calls

NETWORK = {"encoder_layers": 1, "decoder_layers": 2, "num_heads": 2}


def longest_common(one, other):
    """The length of the longest common subsequence, by trying all subsequences."""
    common = [
        set(combinations(one, length)) & set(combinations(other, length))
        for length in range(len(one) + 1)
    ]
    return max(length for length, found in enumerate(common) if found)


@pytest.mark.parametrize("seed", range(5))
def test_the_words_that_do_not_differ_are_the_longest_common_subsequence(seed):
    draw = np.random.default_rng(seed)
    one, other = (draw.choice(list("abcd"), length).tolist() for length in (7, 8))
    differs = call("difference", "difference", one, other)
    same = [
        [word for word, is_other in zip(words, flags, strict=True) if not is_other]
        for words, flags in zip((one, other), differs, strict=True)
    ]
    assert same[0] == same[1]
    assert len(same[0]) == longest_common(one, other)


def test_a_loss_is_said_as_a_ratio_of_probabilities():
    texts = {
        np.log(17): "17 times less probable",
        -np.log(3.4): "3.4 times as probable",
        np.log(4 / 3): "25% less probable",
        -np.log(1.25): "25% more probable",
        0.001: "as probable as before",
        np.log(7688): "7,700 times less probable",
        np.log(4.9e8): "490 million times less probable",
        60: "over a trillion times less probable",
    }
    assert calls("loss", "comparison", list(texts)) == list(texts.values())


def test_a_change_too_small_to_be_seen_is_none():
    found = [call("loss", "movement", *each) for each in [(-1, -2.5), (-2.5, -1), (-1.001, -1.004)]]
    assert found == ["falls from −1.00 to −2.50", "rises from −2.50 to −1.00", "stays at −1.00"]


def test_a_correlation_equals_that_of_numpy():
    one, other = np.random.default_rng(0).normal(size=(2, 12))
    found = call("agreement", "correlation", one.tolist(), other.tolist())
    assert found == pytest.approx(np.corrcoef(one, other)[0, 1])


def test_a_link_lists_heads_that_exist():
    heads = call("heads", "headsOf", NETWORK)
    assert len(heads) == (1 + 2 + 2) * 2
    found = call("heads", "listed", "c2.1,e1.2,x1.1,d3.1,e1.22", heads)
    assert call("heads", "listOf", found) == "e1.2,c2.1"
    assert call("heads", "nameOf", found[1]) == "cross-attention, layer 2, head 1"

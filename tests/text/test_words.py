import unicodedata
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.words import count_words, fold_case, tokens, words

ACCENTED = ["M\u00fcller", "\u00e9t\u00e9", "\u010cesk\u00fd", "na\u00efve", "plain"]


def test_words_are_counted_case_sensitively_and_folded():
    assert words("Don't eat 3 apples, O'Neil-Smith!") == [
        "don't",
        "eat",
        "apples",
        "o'neil-smith",
    ]
    counts = count_words(["A cat.", "a dog", "CAT"])
    assert counts == {"A": 1, "cat": 1, "a": 1, "dog": 1, "CAT": 1}
    assert fold_case(counts) == {"a": 2, "cat": 2, "dog": 1}


@given(st.lists(st.sampled_from(ACCENTED)), st.sampled_from(["NFC", "NFD"]))
def test_an_accent_may_be_a_character_of_its_own(chosen, form):
    text = unicodedata.normalize(form, " ".join(chosen))
    assert words(text) == [word.lower() for word in chosen]
    assert tokens(text) == chosen
    assert count_words([text]) == Counter(chosen)

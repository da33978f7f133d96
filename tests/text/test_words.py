from keras_transformer.text.words import count_words, fold_case, words


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

from keras_transformer.text.subword_words import word_numbers


def test_a_piece_that_begins_with_the_mark_of_a_space_begins_a_word():
    assert word_numbers(["▁Die", "▁Kat", "ze", ".", "▁ja"]) == [0, 1, 1, 1, 2]
    assert word_numbers(["a", "b", "▁c"]) == [0, 0, 1]
    assert word_numbers([]) == []


def test_spaces_without_a_word_belong_to_the_word_that_follows_or_to_the_last():
    assert word_numbers(["▁", "▁", "a", "▁", "▁b", "▁"]) == [0, 0, 0, 1, 1, 1]
    assert word_numbers(["▁", "▁"]) == [0, 0]

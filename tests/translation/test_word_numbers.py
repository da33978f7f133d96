from keras_transformer.translation.word_numbers import assign_numbers, known_numbers, numbered


def test_new_words_receive_the_next_numbers():
    numbers = {"a": 0}
    assert assign_numbers(["b", "a", "b", "c"], numbers).tolist() == [1, 0, 1, 2]
    assert numbers == {"a": 0, "b": 1, "c": 2}


def test_unknown_words_have_the_number_minus_one():
    assert known_numbers(["b", "x"], {"a": 0, "b": 1}).tolist() == [1, -1]


def test_numbers_can_be_restored_from_the_words():
    numbers: dict[str, int] = {}
    assign_numbers(["b", "a", "b"], numbers)
    assert numbered(list(numbers)) == numbers

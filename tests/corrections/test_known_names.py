from keras_transformer.corrections.known_names import KnownNames

GERMAN = {"Anna": 7, "Freund": 90, "August": 50, "Klein": 65, "klein": 112, "Hand": 40, "Lena": 1}
ENGLISH = {"Anna": 9, "August": 50, "Klein": 65, "klein": 2, "Hand": 8, "hand": 30, "Lena": 1}
WORDS = ("Anna", "Freund", "August", "Klein", "Hand", "Lena", "Zork")


def test_a_name_is_equally_frequent_in_both_languages():
    names = KnownNames(GERMAN, ENGLISH)
    assert [word for word in WORDS if names.has(word)] == ["Anna", "Lena"]


def test_a_name_usually_has_a_capital_in_the_sources():
    names = KnownNames(ENGLISH, GERMAN)
    assert [word for word in WORDS if names.has(word)] == ["Anna", "Klein", "Lena"]

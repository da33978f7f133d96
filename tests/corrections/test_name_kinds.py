import pytest

from keras_transformer.corrections.name_kinds import Kind, kind_of


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Kind.PERSON, "I met Zork."),
        (Kind.PERSON, "Zork is here."),
        (Kind.PERSON, "Please give it back to Zork."),
        (Kind.PERSON, "I got a letter from Zork."),
        (Kind.PERSON, "We are going to talk to Zork."),
        (Kind.PERSON, "We are going to Zork's house."),
        (Kind.PERSON, "We met in Zork's house."),
        (Kind.PERSON, "Er fragte nach Zork."),
        (Kind.PERSON, "Alle haben nach Zork gesucht."),
        (Kind.PERSON, "Sie ist in Zork verliebt."),
        (Kind.PERSON, "Er kam nach Zorks Hochzeit."),
        (Kind.PERSON, "Ich war bei Zork."),
        (Kind.TOWN, "I was born in Zork."),
        (Kind.TOWN, "There is a lake near Zork."),
        (Kind.TOWN, "We are going to Zork."),
        (Kind.TOWN, "The train to Zork is late."),
        (Kind.TOWN, "He came back from Zork."),
        (Kind.TOWN, "He drove from Boston to Zork."),
        (Kind.TOWN, "The city of Zork is old."),
        (Kind.TOWN, "Wir fahren nach Zork."),
        (Kind.TOWN, "Sie kommt aus Zork."),
        (Kind.TOWN, "Das ist die Stadt Zork."),
        (Kind.SURNAME, "Mr. Zork is here."),
        (Kind.SURNAME, "Mr Zork is here."),
        (Kind.SURNAME, "I am going to Dr. Zork."),
        (Kind.SURNAME, "I met Professor Zork."),
        (Kind.SURNAME, "Ich kenne Herrn Zork."),
        (Kind.SURNAME, "Frau Zork ist da."),
    ],
)
def test_the_words_around_a_name_tell_its_kind(kind, sentence):
    start = sentence.index("Zork")
    assert kind_of(sentence, start, start + len("Zork")) is kind

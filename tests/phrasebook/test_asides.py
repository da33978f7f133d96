import random
from itertools import islice

from keras_transformer.phrasebook import corpus
from keras_transformer.phrasebook.asides import with_aside


def test_an_aside_precedes_the_final_mark_on_both_sides():
    rand = random.Random(1)
    found = {with_aside(("Is it red?", "Ist es rot?"), rand) for _ in range(10_000)}
    assert {
        ("Is it red (at home)?", "Ist es rot (zu Hause)?"),
        ("Is it red (Germany)?", "Ist es rot (Deutschland)?"),
        ("Is it red (Monday)?", "Ist es rot (Montag)?"),
        ("Is it red (saw)?", "Ist es rot (Säge)?"),
    } <= found
    for english, german in found:
        assert english.startswith("Is it red (") and english.endswith(")?")
        assert german.startswith("Ist es rot (") and german.endswith(")?")


def test_pairs_of_the_corpus():
    for pair in islice(corpus.aside_pairs(0), 2_000):
        for text in pair:
            assert text.count("(") == text.count(")") == 1
            assert text[-2] == ")" and text[-1] in ".?!"
            assert "  " not in text and "( " not in text and " )" not in text

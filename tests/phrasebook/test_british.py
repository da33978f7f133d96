import random
import re

import pytest

from keras_transformer.phrasebook.british import in_british, sometimes_british, words
from keras_transformer.phrasebook.corpus import training_pairs


@pytest.mark.parametrize(
    ("american", "german", "british"),
    [
        ("Gray is my favorite color.", "Grau ist ...", "Grey is my favourite colour."),
        ("We have an apartment.", "Wir haben eine Wohnung.", "We have a flat."),
        ("Take the elevator.", "Nimm den Aufzug.", "Take the lift."),
        ("I like the fall.", "Ich mag den Herbst.", "I like the autumn."),
        ("Don't fall!", "Fall nicht!", "Don't fall!"),
        ("The trash can is full.", "Der Mülleimer ist voll.", "The dustbin is full."),
        ("Mom knows Mrs. Miller.", "Mama kennt Frau Miller.", "Mum knows Mrs Miller."),
        ("The colorblind man smiled.", "...", "The colorblind man smiled."),
    ],
)
def test_american_words_become_british(american, german, british):
    assert in_british(american, german) == british


def test_some_pairs_stay_american():
    pair = "My neighbor is nice.", "Mein Nachbar ist nett."
    found = {sometimes_british(pair, random.Random(seed)) for seed in range(20)}
    assert found == {pair, ("My neighbour is nice.", pair[1])}


def test_the_corpus_contains_both_spellings():
    text = " ".join(english for english, _ in training_pairs(0)).lower()
    for spelling in ("neighbor", "neighbour", "gray", "grey", "apartment", "flat"):
        assert re.search(rf"\b{spelling}\b", text), spelling


def test_no_american_word_is_also_listed_as_british():
    british = {word for choices in words().values() for word, _ in choices}
    assert not british & set(words())

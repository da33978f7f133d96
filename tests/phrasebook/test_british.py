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
        ("Leaves fall in fall.", "Im Herbst fallen Blätter.", "Leaves fall in autumn."),
        ("Fire trucks are red.", "Feuerwehrautos sind rot.", "Fire engines are red."),
        ("The bank stores it.", "Die Bank speichert es.", "The bank stores it."),
        ("Two stores closed.", "Zwei Läden haben geschlossen.", "Two shops closed."),
        ("Enable cookies.", "Aktiviere Cookies.", "Enable cookies."),
        ("Where's the parking meter?", "Wo ist die Parkuhr?", "Where's the parking meter?"),
        ("A Band-Aid!", "Ein Pflaster!", "A plaster!"),
        ("Is Mrs. Gray here?", "Ist Frau Gray hier?", "Is Mrs Gray here?"),
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
    """Except for those that stay as they are, such as "department stores"."""
    changed = {(old, new) for old, choices in words().items() for new, _ in choices if old != new}
    assert not {new for _, new in changed} & set(words())

"""Asides in parentheses, made from other pairs: I bought a car (new).

Few of the other pairs have parentheses, from which a network would not learn to keep them. Asides
that make no sense serve the purpose as well.
"""

from __future__ import annotations

import random

from keras_transformer.phrasebook import values
from keras_transformer.phrasebook.lexicon import lexicon

PHRASES = (
    *(("today", "heute"), ("tomorrow", "morgen"), ("yesterday", "gestern"), ("new", "neu")),
    *(("used", "gebraucht"), ("free", "kostenlos"), ("closed", "geschlossen"), ("old", "alt")),
    *(("my mother", "meine Mutter"), ("my boss", "mein Chef"), ("by train", "mit dem Zug")),
    *(("for example", "zum Beispiel"), ("by email", "per E-Mail"), ("on foot", "zu Fuß")),
    *(("at home", "zu Hause"), ("in the evening", "abends"), ("twice", "zweimal")),
    *(("I hope", "hoffe ich"), ("maybe", "vielleicht"), ("see below", "siehe unten")),
    *(("as always", "wie immer"), ("at last", "endlich"), ("just kidding", "nur ein Scherz")),
    *(("PDF", "PDF"), ("USA", "USA"), ("Germany", "Deutschland"), ("DVD", "DVD")),
)
KINDS = (
    *("weekday", "weekday", "month", "country", "country", "number", "small", "price", "time"),
    *("date", "year", "percent", "first", "first", "full", "file", "code", "phone"),
)


def with_aside(pair: tuple[str, str], rand: random.Random) -> tuple[str, str]:
    """Return a pair of sentences with a random aside before their final marks."""
    english, german = _aside(rand)
    return f"{pair[0][:-1]} ({english}){pair[0][-1]}", f"{pair[1][:-1]} ({german}){pair[1][-1]}"


def _aside(rand: random.Random) -> tuple[str, str]:
    draw = rand.random()
    if draw < 0.3:
        return rand.choice(PHRASES)
    if draw < 0.6:
        noun = rand.choice([noun for noun in lexicon().nouns if noun.countable])
        return noun.en, noun.de
    return values.GENERATORS[rand.choice(KINDS)](rand)

import random
import re
from itertools import islice

import pytest

from keras_transformer.phrasebook import corpus
from keras_transformer.phrasebook.coordination import can_be_joined, can_follow, joined
from keras_transformer.phrasebook.everyday import everyday_pairs

TIRED = ("I'm tired.", "Ich bin müde.")
FOUND = ("We've found Anna.", "Wir haben Anna gefunden.")


def all_joined(first, second):
    rand = random.Random(1)
    return {joined(first, second, rand) for _ in range(100)}


def test_statements_are_joined():
    assert all_joined(FOUND, TIRED) == {
        ("We've found Anna, and I'm tired.", "Wir haben Anna gefunden, und ich bin müde."),
        ("We've found Anna and I'm tired.", "Wir haben Anna gefunden, und ich bin müde."),
        ("We've found Anna, but I'm tired.", "Wir haben Anna gefunden, aber ich bin müde."),
        ("We've found Anna but I'm tired.", "Wir haben Anna gefunden, aber ich bin müde."),
    }
    assert ("I'm tired, and we've found Anna.", "Ich bin müde, und wir haben Anna gefunden.") in (
        all_joined(TIRED, FOUND)
    )


@pytest.mark.parametrize(
    "pair",
    [
        ("Where is it?", "Wo ist es?"),
        ("Help!", "Hilfe!"),
        ("Left", "Links"),
        ("Yes, it is.", "Ja, das ist es."),
        ('The word "tree".', 'Das Wort "Baum".'),
        ("Hi. I'm Anna.", "Hallo. Ich bin Anna."),
        ("one two three four five six seven eight nine ten.", "zehn."),
    ],
)
def test_other_texts_are_not_joined(pair):
    assert not can_be_joined(pair)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (TIRED, True),
        (("She is here.", "Sie ist hier."), True),
        (("The bread is fresh.", "Das Brot ist frisch."), True),
        (("This is Anna.", "Das ist Anna."), True),
        # The capital letter of the German word would have to stay.
        (("You are right.", "Sie haben recht."), False),
        (("Anna sleeps.", "Anna schläft."), False),
        (("Cats sleep.", "Katzen schlafen."), False),
        # A noun is not the equivalent of an article.
        (("The French love cheese.", "Franzosen lieben Käse."), False),
    ],
)
def test_statements_that_can_follow_a_conjunction(pair, expected):
    assert can_follow(pair) == expected


def test_pairs_of_the_corpus():
    written = dict(everyday_pairs())
    for source, target in islice(corpus.joined_pairs(0), 2_000):
        halves = re.split(r",? (?:and|but) ", source)
        assert len(halves) >= 2
        # Some split of the source at a conjunction yields two written statements.
        firsts = {" ".join(source.split()[:n]).rstrip(",") + "." for n in range(1, 12)}
        assert any(
            first in written and target.startswith(written[first][:-1] + ", ") for first in firsts
        )
        assert target.endswith(".")
        assert re.search(r", (und|aber) [a-zäöü]", target)

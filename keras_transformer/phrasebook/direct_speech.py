"""Direct speech, made from other pairs: "Good night," he said.

Few of the other pairs have quotation marks, from which a network would not learn to keep them.
"""

from __future__ import annotations

import random
import re

from keras_transformer.phrasebook import values

Pair = tuple[str, str]

MAXIMUM_WORDS = 9  # of the words spoken
BEFORE = 0.4  # fraction in which the speaker precedes the words
# Verbs by the final mark of the words, in English and in German (third person singular).
VERBS: dict[str, tuple[Pair, ...]] = {
    ".": (
        *(("said", "sagte"),) * 4,
        ("answered", "antwortete"),
        ("replied", "antwortete"),
        ("whispered", "flüsterte"),
        ("thought", "dachte"),
    ),
    "?": (("asked", "fragte"),),
    "!": (("shouted", "rief"), ("called", "rief"), ("said", "sagte")),
}
PRONOUNS = (("he", "er"), ("she", "sie"), ("I", "ich"), ("we", "wir"), ("they", "sie"))
OTHERS = (
    *(("the man", "der Mann"), ("the woman", "die Frau"), ("the child", "das Kind")),
    *(("my mother", "meine Mutter"), ("my father", "mein Vater"), ("my boss", "mein Chef")),
    *(("the teacher", "der Lehrer"), ("the doctor", "der Arzt"), ("his wife", "seine Frau")),
    *(("the children", "die Kinder"), ("my parents", "meine Eltern")),
)
PLURAL = frozenset(("wir", "die Kinder", "meine Eltern"))
INNER_MARK = re.compile(r'["()„“:]|[.?!…].')


def can_be_spoken(pair: Pair) -> bool:
    """Return whether a pair is a short sentence without quotation marks or inner final marks."""
    english, german = pair
    mark, words = english[-1], english.count(" ") + 1
    is_sentence = mark in VERBS and german.endswith(mark)
    return is_sentence and words <= MAXIMUM_WORDS and not any(map(INNER_MARK.search, pair))


def spoken(pair: Pair, rand: random.Random) -> Pair:
    """Return a pair for which `can_be_spoken` is true as the words of a random speaker."""
    speaker, verb = _speaker(rand), rand.choice(VERBS[pair[0][-1]])
    if speaker[1] in PLURAL or speaker[0] == "they":
        verb = verb[0], _plural(verb[1])
    if rand.random() < BEFORE:
        return _speaker_before(pair, speaker, verb, rand)
    return _speaker_after(pair, speaker, verb, rand)


def _speaker(rand: random.Random) -> Pair:
    draw = rand.random()
    if draw < 0.5:
        return rand.choice(PRONOUNS)
    return rand.choice(OTHERS) if draw < 0.75 else values.first(rand)


def _plural(verb: str) -> str:
    """Return the plural of a German verb in the past tense."""
    return verb + ("n" if verb.endswith("e") else "en")


def _speaker_before(pair: Pair, speaker: Pair, verb: Pair, rand: random.Random) -> Pair:
    english, german = (f"{who[:1].upper()}{who[1:]}" for who in speaker)
    colon = rand.choice(",:")
    return f'{english} {verb[0]}{colon} "{pair[0]}"', f'{german} {verb[1]}: "{pair[1]}"'


def _speaker_after(pair: Pair, speaker: Pair, verb: Pair, rand: random.Random) -> Pair:
    words, german = (text.removesuffix(".") for text in pair)
    is_statement = words != pair[0]
    comma = "," if is_statement else ""
    order = [speaker[0], verb[0]]
    if speaker not in PRONOUNS and rand.random() < 0.5:  # said Anna
        order.reverse()
    return f'"{words}{comma}" {" ".join(order)}.', f'"{german}", {verb[1]} {speaker[1]}.'

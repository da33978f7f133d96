"""The corpus: hand-written pairs, and pairs that are generated for each epoch."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice

from keras_transformer.phrasebook import english, german
from keras_transformer.phrasebook.british import sometimes_british
from keras_transformer.phrasebook.everyday import (
    everyday_pairs,
    first_pairs,
    held_out_pairs,
)
from keras_transformer.phrasebook.grammar import Grammar
from keras_transformer.phrasebook.patterns import Patterns
from keras_transformer.phrasebook.syntax import Sentence
from keras_transformer.phrasebook.values import alone
from keras_transformer.phrasebook.variants import plain, recased, varied, with_other_mark

MAXIMUM_WORDS = 18
SHORT = 3  # words
GRAMMAR_PAIRS = 1_000  # an epoch
PATTERN_PAIRS = 4_000  # an epoch
VALUE_PAIRS = 4_000  # in the first epoch, and ever fewer: copying is learned first


def sentences(seed: int) -> Iterator[tuple[str, str, Sentence]]:
    """Yield random sentences without end: English, German and the tree that both realise.

    No English and no German sentence is repeated, so each has one translation.
    """
    grammar, seen = Grammar(seed), set()
    while True:
        sentence = grammar.sentence()
        pair = english.realise(sentence), german.realise(sentence)
        if seen.isdisjoint(pair) and max(text.count(" ") for text in pair) < MAXIMUM_WORDS:
            seen.update(pair)
            yield (*pair, sentence)


def grammar_pairs(seed: int) -> Iterator[tuple[str, str]]:
    """Yield the pairs of `sentences`."""
    return ((source, target) for source, target, _ in sentences(seed))


def pattern_pairs(seed: int, with_values: bool = True) -> Iterator[tuple[str, str]]:
    """Yield pairs made from the patterns, with copied values or without, without end."""
    patterns = Patterns(seed, with_values)
    while True:
        yield patterns.pair()


def value_pairs(seed: int) -> Iterator[tuple[str, str]]:
    """Yield names, numbers and other values without a sentence, and without end.

    A network learns to copy from them much sooner than from sentences.
    """
    rand = random.Random(seed)
    while True:
        yield alone(rand)


def generated_pairs(epoch: int) -> list[tuple[str, str]]:
    """Return the pairs generated for an epoch, of all sources.

    A sentence that is also written by hand or held out is left out.
    """
    sources = (
        (grammar_pairs(epoch), GRAMMAR_PAIRS),
        (pattern_pairs(epoch), PATTERN_PAIRS),
        (value_pairs(epoch), VALUE_PAIRS // (1 + epoch)),
    )
    made = dict(pair for pairs, size in sources for pair in islice(pairs, size))
    excluded = _excluded()
    return [pair for pair in made.items() if plain(pair[0]) not in excluded]


@cache
def _held_out() -> frozenset[str]:
    """Return the sentences that are never trained on, without what the variants change."""
    pairs = [*held_out_pairs("validation"), *held_out_pairs("test")]
    return frozenset(plain(source) for source, _ in pairs)


@cache
def _excluded() -> frozenset[str]:
    """Return the sentences that are not generated, without what the variants change."""
    return _held_out().union(plain(source) for source, _ in everyday_pairs())


def vocabulary_pairs() -> list[tuple[str, str]]:
    """Return the pairs that the subword models are trained on: those without invented names.

    Names then fall into short, frequent subwords, which the network learns to copy one by one.
    """
    rand = random.Random(0)
    sources = ((grammar_pairs(0), GRAMMAR_PAIRS), (pattern_pairs(0, False), PATTERN_PAIRS))
    made = [pair for pairs, size in sources for pair in islice(pairs, size)]
    pairs = [sometimes_british(pair, rand) for pair in [*everyday_pairs(), *dict.fromkeys(made)]]
    return [recased(pair, rand) for pair in pairs]


def training_pairs(epoch: int) -> list[tuple[str, str]]:
    """Return the pairs of an epoch, from 0: always the same for the same number.

    Short sentences written by hand occur twice, with both final marks: they are idioms, which no
    other pair teaches. So do the sentences that people begin with, which must not go wrong.
    """
    rand = random.Random(epoch)
    short = [with_other_mark(pair) for pair in everyday_pairs() if pair[0].count(" ") < SHORT]
    pairs = [*everyday_pairs(), *short, *first_pairs(), *generated_pairs(epoch)]
    made = [varied(pair, rand) for pair in pairs]
    return [pair for pair in made if plain(pair[0]) not in _held_out()]

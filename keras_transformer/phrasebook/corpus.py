"""The corpus: written pairs, and pairs generated for each epoch."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from keras_transformer.phrasebook.asides import with_aside
from keras_transformer.phrasebook.british import sometimes_british
from keras_transformer.phrasebook.direct_speech import can_be_spoken, spoken
from keras_transformer.phrasebook.english import English
from keras_transformer.phrasebook.everyday import (
    everyday_pairs,
    held_out_pairs,
    repeated_pairs,
)
from keras_transformer.phrasebook.german import German
from keras_transformer.phrasebook.grammar import Grammar
from keras_transformer.phrasebook.patterns import Patterns
from keras_transformer.phrasebook.syntax import Sentence
from keras_transformer.phrasebook.values import alone
from keras_transformer.phrasebook.variants import plain, recased, varied, with_other_mark

MAXIMUM_WORDS = 18
SHORT = 4  # words
GRAMMAR_PAIRS = 1_000  # per epoch
PATTERN_PAIRS = 4_000  # per epoch
SPEECH_PAIRS = 2_000  # per epoch
ASIDE_PAIRS = 1_500  # per epoch
VALUE_PAIRS = 4_000  # in the first epoch, fewer in later ones: copying is learned first


def sentences(seed: int) -> Iterator[tuple[str, str, Sentence]]:
    """Yield random sentences indefinitely: English, German and their common syntax tree.

    No English and no German sentence is repeated, so each has one translation.
    """
    grammar, english, german = Grammar(seed), English(), German()
    seen: set[str] = set()
    while True:
        sentence = grammar.sentence()
        pair = english.realise(sentence), german.realise(sentence)
        if seen.isdisjoint(pair) and max(text.count(" ") for text in pair) < MAXIMUM_WORDS:
            seen.update(pair)
            yield (*pair, sentence)


def grammar_pairs(seed: int) -> Iterator[tuple[str, str]]:
    """Yield the pairs of `sentences`, without the trees."""
    return ((source, target) for source, target, _ in sentences(seed))


def pattern_pairs(seed: int, with_values: bool = True) -> Iterator[tuple[str, str]]:
    """Yield random pairs indefinitely, from all patterns or only those without copied values."""
    patterns = Patterns(seed, with_values)
    while True:
        yield patterns.pair()


def value_pairs(seed: int) -> Iterator[tuple[str, str]]:
    """Yield pairs that consist only of names, numbers and other values, indefinitely.

    A network learns to copy much sooner from these pairs than from sentences.
    """
    rand = random.Random(seed)
    while True:
        yield alone(rand)


def speech_pairs(seed: int) -> Iterator[tuple[str, str]]:
    """Yield direct speech indefinitely, of words from the written pairs."""
    rand = random.Random(seed)
    while True:
        yield spoken(rand.choice(_short_sentences()), rand)


def aside_pairs(seed: int) -> Iterator[tuple[str, str]]:
    """Yield written pairs with an aside in parentheses, indefinitely."""
    rand = random.Random(seed)
    while True:
        yield with_aside(rand.choice(_short_sentences()), rand)


@cache
def _short_sentences() -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in everyday_pairs() if can_be_spoken(pair))


def generated_pairs(epoch: int) -> list[tuple[str, str]]:
    """Return the pairs generated for an epoch.

    They come from the grammar or from patterns, or they are direct speech, sentences with an aside,
    or values.

    Pairs whose English side also occurs in the written or held-out pairs are omitted.
    """
    sources = (
        (grammar_pairs(epoch), GRAMMAR_PAIRS),
        (pattern_pairs(epoch), PATTERN_PAIRS),
        (speech_pairs(epoch), SPEECH_PAIRS),
        (aside_pairs(epoch), ASIDE_PAIRS),
        (value_pairs(epoch), VALUE_PAIRS // (1 + epoch)),
    )
    made = dict(pair for pairs, size in sources for pair in islice(pairs, size))
    excluded = _excluded()
    return [pair for pair in made.items() if plain(pair[0]) not in excluded]


@cache
def _held_out(side: int) -> frozenset[str]:
    """Return the held-out sentences of one side, 0 for English, in the form of `plain`."""
    pairs = [*held_out_pairs("validation"), *held_out_pairs("test")]
    return frozenset(plain(pair[side]) for pair in pairs)


def without_held_out(pairs: Iterable[tuple[str, str]], side: int) -> list[tuple[str, str]]:
    """Return the pairs whose sentence on one side is not held out: 0 for English, 1 for German."""
    return [pair for pair in pairs if plain(pair[side]) not in _held_out(side)]


@cache
def _excluded() -> frozenset[str]:
    """Return the English sentences that are never generated, in the form of `plain`."""
    return _held_out(0).union(plain(source) for source, _ in everyday_pairs())


def vocabulary_pairs() -> list[tuple[str, str]]:
    """Return the pairs from which subwords and word statistics are learned.

    They contain no held-out sentences and no invented names. Invented names are thus split into
    short, frequent subwords, which a network easily learns to copy.
    """
    rand = random.Random(0)
    sources = ((grammar_pairs(0), GRAMMAR_PAIRS), (pattern_pairs(0, False), PATTERN_PAIRS))
    made = [pair for pairs, size in sources for pair in islice(pairs, size)]
    pairs = [sometimes_british(pair, rand) for pair in [*everyday_pairs(), *dict.fromkeys(made)]]
    return without_held_out((recased(pair, rand) for pair in pairs), 0)


def training_pairs(epoch: int) -> list[tuple[str, str]]:
    """Return the training pairs of an epoch, which depend only on its number (from 0).

    Short written sentences occur twice, statements once with a period and once with an
    exclamation mark: many are idioms that no other pair teaches. The sentences that users are
    likely to try first are repeated, too: once, and the 1,200 most likely ones three times.
    """
    rand = random.Random(epoch)
    short = [with_other_mark(pair) for pair in everyday_pairs() if pair[0].count(" ") < SHORT]
    pairs = [*everyday_pairs(), *short, *repeated_pairs(), *generated_pairs(epoch)]
    return without_held_out((varied(pair, rand) for pair in pairs), 0)

"""The corpus: distinct sentence pairs, divided into training, validation and test pairs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

from keras_transformer.text.phrasebook import english, german
from keras_transformer.text.phrasebook.grammar import Grammar
from keras_transformer.text.phrasebook.syntax import Sentence

SEED = 1
MAXIMUM_WORDS = 18
SIZES = {"train": 24_000, "validation": 1_000, "test": 1_000}


def sentences(seed: int = SEED) -> Iterator[tuple[str, str, Sentence]]:
    """Yields random sentences without end: English, German and the tree that both realise.

    No English and no German sentence is repeated: each has one translation, and no part of the
    stream shares a sentence of either language with another part.
    """
    grammar, seen = Grammar(seed), set()
    while True:
        sentence = grammar.sentence()
        pair = english.realise(sentence), german.realise(sentence)
        if seen.isdisjoint(pair) and max(text.count(" ") for text in pair) < MAXIMUM_WORDS:
            seen.update(pair)
            yield (*pair, sentence)


@cache
def splits() -> dict[str, tuple[tuple[str, str], ...]]:
    """The pairs of each split, consecutive parts of one stream of sentences."""
    stream = ((source, target) for source, target, _ in sentences())
    return {split: tuple(islice(stream, size)) for split, size in SIZES.items()}

"""Count the validation and test sentences of the built-in corpus that resemble a training sentence.

    python benchmarks/held_out.py

Two English sentences resemble each other if they have at least three quarters of their distinct
words in common (Jaccard similarity). Only written pairs are compared, not generated ones.
"""

import re
from collections.abc import Iterable

from keras_transformer.phrasebook.everyday import everyday_pairs, held_out_pairs

SIMILAR = 0.75


def words(sentence: str) -> frozenset[str]:
    """Return the distinct words of a sentence in lower case."""
    return frozenset(re.findall(r"[\w']+", sentence.lower()))


def similarity(one: frozenset[str], two: frozenset[str]) -> float:
    """Return the Jaccard similarity of two sets."""
    return len(one & two) / len(one | two)


def count_similar(sentences: Iterable[str], known: Iterable[str]) -> int:
    """Return how many sentences resemble one of the known sentences."""
    sets = {words(sentence) for sentence in known}
    return sum(
        any(similarity(own, each) >= SIMILAR for each in sets) for own in map(words, sentences)
    )


def main() -> None:
    trained = [source for source, _ in everyday_pairs()]
    for split in ("validation", "test"):
        sources = [source for source, _ in held_out_pairs(split)]
        print(f"{split}: {count_similar(sources, trained)} of {len(sources)} sentences")


if __name__ == "__main__":
    main()

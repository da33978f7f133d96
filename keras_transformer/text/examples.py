"""Sentences of a corpus that show what a translator can do."""

import heapq
from collections.abc import Iterable

# Number of sentences; number of words that each of them and the last should have at least.
COUNT, MIN_WORDS, MANY_WORDS = 5, 3, 8


def example_sentences(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return the shortest sources, preferably of at least `MIN_WORDS` words, as examples.

    The last one has at least `MANY_WORDS` words, if any source has, because a longer sentence shows
    more of what a translator can do.
    """
    sources = {" ".join(source.split()) for source, _ in pairs} - {""}

    def order(source: str) -> tuple[bool, int, str]:
        return len(source.split()) < MIN_WORDS, len(source), source

    long = [source for source in sources if len(source.split()) >= MANY_WORDS]
    last = heapq.nsmallest(1, long, key=order)
    return heapq.nsmallest(COUNT - len(last), sources.difference(last), key=order) + last

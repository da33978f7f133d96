"""The phrasebook: an English-German corpus that a grammar of our own makes, with no download.

The sentences are not stored. A lexicon (:mod:`.lexicon` and the ``.tsv`` files) holds the words
with their irregular forms. A seeded grammar (:mod:`.phrases`, :mod:`.clauses`, :mod:`.grammar`)
puts them together to abstract sentences (:mod:`.syntax`), which :mod:`.english` and :mod:`.german`
word independently, each with its inflection and word order. :mod:`.corpus` collects distinct pairs
and divides them.

The corpus is the same on every machine. An English sentence has exactly one German translation in
it and the reverse, so that a model can learn either direction.
"""

from keras_transformer.text.phrasebook import corpus

SPLITS = tuple(corpus.SIZES)


def pairs(split: str) -> list[tuple[str, str]]:
    """The sentence pairs of a split.

    Args:
        split: "train", "validation" or "test".

    Returns:
        (English, German) pairs, in a fixed order.

    Raises:
        ValueError: If there is no such split.
    """
    if split not in SPLITS:
        raise ValueError(f"The phrasebook has no split {split!r}, only {', '.join(SPLITS)}.")
    return list(corpus.splits()[split])

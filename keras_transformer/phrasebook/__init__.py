"""The phrasebook: the built-in English-German corpus, with no download.

It has two sources, both our own work:

* everyday language, written by hand, topic by topic (the folder `everyday`);
* sentences that are generated anew for each epoch: by a grammar with a lexicon (:mod:`.grammar`),
  whose abstract sentences (:mod:`.syntax`) are realised by :mod:`.english` and :mod:`.german`
  independently, and by everyday patterns with slots (:mod:`.patterns`), which nouns of the lexicon
  and invented names, numbers, dates, prices and codes fill.

A share of the pairs is written as people type (:mod:`.variants`). The validation and test pairs
were written independently of all others and are never trained on. The corpus is the same on every
machine.
"""

from keras_transformer.phrasebook import corpus, everyday

SPLITS = ("train", "validation", "test")


def vocabulary_pairs() -> list[tuple[str, str]]:
    """Return the (English, German) pairs that the subword models are trained on."""
    return corpus.vocabulary_pairs()


def pairs(split: str, epoch: int = 0) -> list[tuple[str, str]]:
    """Return the sentence pairs of a split.

    Args:
        split: "train", "validation" or "test".
        epoch: number of the epoch, from 0; it matters for "train" only.

    Returns:
        (English, German) pairs, in a fixed order.

    Raises:
        ValueError: There is no such split.
    """
    if split not in SPLITS:
        raise ValueError(f"The phrasebook has no split {split!r}, only {', '.join(SPLITS)}.")
    if split == "train":
        return corpus.training_pairs(epoch)
    return list(everyday.held_out_pairs(split))

"""The phrasebook: the built-in English-German corpus, which needs no download.

It has two sources, both original:

* pairs of everyday language, written one by one and sorted by topic (the folder `everyday`);
* sentences generated for each epoch. A grammar with a lexicon (:mod:`.grammar`) generates abstract
  sentences (:mod:`.syntax`), which :mod:`.english` and :mod:`.german` put into words independently.
  Everyday patterns (:mod:`.patterns`) have slots for nouns of the lexicon and for invented names,
  numbers, dates, prices and codes.

Some pairs are rewritten the way people type (:mod:`.variants`). The validation and test pairs were
written independently of all others and are never trained on. The corpus is the same on every
machine.
"""

import hashlib
from functools import cache
from pathlib import Path

from keras_transformer.phrasebook import corpus, everyday

SPLITS = ("train", "validation", "test")
SOURCES = (".py", ".tsv")  # what the pairs are generated from and by


@cache
def version() -> str:
    """Return the SHA-256 of the data and the code that determine the pairs of all epochs.

    A hash of generated pairs would miss a change to a word that no sentence of an epoch contains.
    """
    folder = Path(__file__).parent
    content = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in SOURCES):
        text = path.read_text(encoding="utf-8")  # line endings may differ between machines
        content.update(f"{path.relative_to(folder).as_posix()} {len(text)} {text}".encode())
    return content.hexdigest()


def vocabulary_pairs(source_lang: str = "en") -> list[tuple[str, str]]:
    """Return the (English, German) pairs from which subwords and word statistics are learned.

    Args:
        source_lang: "en" or "de". No held-out sentence of this language is in the pairs.
    """
    return _for_source(corpus.vocabulary_pairs(), source_lang)


def pairs(split: str, epoch: int = 0, source_lang: str = "en") -> list[tuple[str, str]]:
    """Return the sentence pairs of a split.

    Args:
        split: "train", "validation" or "test".
        epoch: number of the epoch, from 0; only used for "train".
        source_lang: "en" or "de". No held-out sentence of this language is in the training pairs.
            As a translation of another sentence, it may be.

    Returns:
        (English, German) pairs, in a fixed order.

    Raises:
        ValueError: If there is no such split.
    """
    if split not in SPLITS:
        raise ValueError(f"The phrasebook has no split {split!r}, only {', '.join(SPLITS)}.")
    if split == "train":
        return _for_source(corpus.training_pairs(epoch), source_lang)
    return list(everyday.held_out_pairs(split))


def _for_source(pairs: list[tuple[str, str]], source_lang: str) -> list[tuple[str, str]]:
    """Return pairs without held-out sentences of a language. The English ones are left out."""
    return corpus.without_held_out(pairs, 1) if source_lang == "de" else pairs

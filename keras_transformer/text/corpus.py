"""The corpus of a training run: the names in its settings become sentence pairs."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from keras_transformer.errors import UserError
from keras_transformer.text.datasets import open_tfds
from keras_transformer.text.hold_out import hold_out
from keras_transformer.text.pair_files import open_files
from keras_transformer.text.pairs import Pairs
from keras_transformer.text.phrasebook_pairs import PhrasebookPairs

TFDS_PREFIX = "tfds:"


class Corpus(NamedTuple):
    """The sentence pairs of a training run.

    Attributes:
        train: training pairs.
        validation: validation pairs.
        test: the corpus's own test pairs, or None.
    """

    train: Pairs
    validation: Pairs
    test: Pairs | None


def open_corpus(
    train: Sequence[str], validation: Sequence[str], source_lang: str, target_lang: str
) -> Corpus:
    """Open the pairs that the settings `train` and `validation` name.

    Args:
        train: names as in `open_pairs`; empty for the built-in corpus.
        validation: names as in `open_pairs`. If empty, the validation split of the training corpus
            is used. If there is no such split, some training pairs are held out.
        source_lang: source language.
        target_lang: target language.

    Returns:
        A `Corpus`.

    Raises:
        UserError: If a file or data set is missing, has the wrong format or contains no pairs.
    """
    pairs = open_pairs(train, source_lang, target_lang)
    test = pairs.other_split("test")
    if validation:
        held_out = open_pairs(validation, source_lang, target_lang, split="validation")
    else:
        pairs, held_out = with_validation(pairs)
    for part in (pairs, held_out):
        if next(iter(part), None) is None:
            raise UserError(f"{part}: no sentence pairs")
    return Corpus(pairs, held_out, test)


def with_validation(pairs: Pairs) -> tuple[Pairs, Pairs]:
    """Return training and validation pairs, holding some out if there is no validation split."""
    split = pairs.other_split("validation")
    return hold_out(pairs) if split is None else (pairs, split)


def open_test(names: Sequence[str], source_lang: str, target_lang: str) -> Pairs:
    """Return the test pairs of the built-in corpus or of a data set with a test split.

    Args:
        names: names of the training pairs, as in `open_pairs`.
        source_lang: source language.
        target_lang: target language.

    Raises:
        UserError: If the corpus has no test pairs, or cannot be opened.
    """
    test = open_pairs(names, source_lang, target_lang).other_split("test")
    if test is None:
        raise UserError(f"{' '.join(names)}: the corpus has no test pairs of its own")
    return test


def open_pairs(
    names: Sequence[str], source_lang: str, target_lang: str, split: str = "train"
) -> Pairs:
    """Open one tab-separated file, two parallel files, a TFDS data set or the built-in corpus.

    Args:
        names: one file, two files, one `tfds:NAME/CONFIG`, or empty for the built-in corpus.
        source_lang: source language.
        target_lang: target language.
        split: split of a data set that has several.

    Raises:
        UserError: If a data set is missing or a file cannot be used (see `open_files`).
    """
    if not names:
        return PhrasebookPairs(source_lang, target_lang, split)
    if names[0].startswith(TFDS_PREFIX):
        if len(names) > 1:
            others = " ".join(names[1:])
            raise UserError(f"{names[0]}: a TFDS data set cannot be combined with {others}")
        return open_tfds(names[0].removeprefix(TFDS_PREFIX), source_lang, target_lang, split)
    return open_files(names)


def corpus_name(names: Sequence[str]) -> str:
    """Return a short name for a corpus, for use in the name of its run directory."""
    if not names:
        return "phrasebook"
    if names[0].startswith(TFDS_PREFIX):
        return names[0].removeprefix(TFDS_PREFIX).split("/")[0].split(":")[0]
    stem = Path(names[0]).name.lstrip(".").split(".")[0]
    return re.sub(r"[\[\]\\]", "-", stem) or "corpus"  # see `files.PATTERN`

"""Optional data: files that some tests need and that are not part of the repository.

The published models of BPEmb cannot be committed, and tests do not access the internet. A test that
needs one is skipped without it, on purpose: what it checks is also checked with a model that
`train_as_bpemb` trains, by tests that are never skipped.
"""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest
import sentencepiece

VARIABLE = "KERAS_TRANSFORMER_DATA"


def optional_data(*parts: str) -> Path:
    """Return the path of a file in the directory of optional data, or skip the running test.

    The environment variable KERAS_TRANSFORMER_DATA names the directory. Both skips are intended:
    users have no such directory, or one that lacks this file.

    Args:
        parts: the path of the file, relative to that directory.
    """
    directory = os.environ.get(VARIABLE)
    if not directory:
        # Intended: the files cannot be committed, and tests do not access the internet.
        pytest.skip(f"needs {'/'.join(parts)} in the directory that {VARIABLE} names")
    path = Path(directory, *parts)
    if not path.is_file():
        # Intended: a directory may have the files of some tests only.
        pytest.skip(f"{VARIABLE}: no file {path}")
    return path


def published_model() -> Path:
    """Return BPEmb's published English model of 10,000 subwords, or skip the running test."""
    return optional_data("bpemb", "en.wiki.bpe.vs10000.model")


def train_as_bpemb(sentences: Iterable[str], size: int, path: Path) -> None:
    """Train a model like those that BPEmb publishes, without bytes and normalization rules."""
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sentences),
            model_writer=file,
            model_type="bpe",
            vocab_size=size,
            minloglevel=3,
        )

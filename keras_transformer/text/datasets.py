"""Datasets of TensorFlow Datasets (TFDS), whose failures are reported in one line."""

import difflib
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import UserError, reason
from keras_transformer.text.autotuning import without_autotuning
from keras_transformer.text.normalization import composed
from keras_transformer.text.pairs import Pair, Pairs, hash_of

if TYPE_CHECKING:  # the import takes seconds
    import tensorflow_datasets as tfds


def load_dataset(name: str, *features: str) -> "tfds.core.DatasetBuilder":
    """Return the builder of a dataset, which is downloaded on first use.

    Args:
        name: name in TFDS, optionally with a config, such as "mnist" or "imdb_reviews/plain_text".
        features: the features that its examples must have.

    Raises:
        UserError: If there is no such dataset, it lacks a feature, or the download fails.
    """
    builder = find_dataset(name)
    available = list(builder.info.features or ())
    missing = [feature for feature in features if feature not in available]
    if missing:
        raise UserError(
            f"tfds:{name}: no feature {' or '.join(missing)}; available: {', '.join(available)}"
        )
    download(builder, name)
    return builder


def examples(builder: "tfds.core.DatasetBuilder", split: str) -> Iterator[dict[str, Any]]:
    """Return an iterator over the examples of a split: {feature: value}, with NumPy values.

    Args:
        builder: builder of a downloaded dataset.
        split: name of the split, optionally with a slice, such as "train[:1000]".

    Raises:
        UserError: If the dataset has no such split.
    """
    check_split(builder, split.partition("[")[0])
    return without_autotuning(builder.as_dataset(split=split)).as_numpy_iterator()


def labelled_images(
    builder: "tfds.core.DatasetBuilder", split: str
) -> tuple[NDArray[np.floating], NDArray[np.integer]]:
    """Return the images of a split, and their labels.

    Args:
        builder: builder of a downloaded dataset with the features "image" and "label".
        split: see `examples`.

    Returns:
        The images (N, height, width, channels), from 0 to 1, and the labels (N,).

    Raises:
        UserError: If the images differ in size, or there is no such split.
    """
    found = [(each["image"], int(each["label"])) for each in examples(builder, split)]
    if len({image.shape for image, _ in found}) != 1:
        raise UserError(f"tfds:{builder.info.name}: the images differ in size")
    images, labels = zip(*found, strict=True)
    return np.array(images, np.float32) / np.float32(255), np.array(labels)


def open_tfds(name: str, source_lang: str, target_lang: str, split: str) -> "TfdsPairs":
    """Return the pairs of a translation dataset, which is downloaded on first use.

    Raises:
        UserError: If there is no such dataset or split, the download fails, or the dataset does
            not contain translations between both languages.
    """
    builder = find_dataset(name)
    _check_languages(builder, name, (source_lang, target_lang))
    download(builder, name)
    check_split(builder, split)
    return TfdsPairs(builder, source_lang, target_lang, split)


def _check_languages(
    builder: "tfds.core.DatasetBuilder", name: str, languages: tuple[str, str]
) -> None:
    """Raise a `UserError` if a dataset lacks one of two languages."""
    available = getattr(builder.info.features, "languages", ())
    if not available:
        raise UserError(f"tfds:{name}: not a translation data set")
    missing = [lang for lang in languages if lang not in available]
    if missing:
        raise UserError(
            f"tfds:{name}: no language {' or '.join(missing)}; available: {', '.join(available)}"
        )


class TfdsPairs(Pairs):
    """A split of a translation dataset, in its order on disk.

    Args:
        builder: builder of a downloaded dataset.
        source_lang: source language.
        target_lang: target language.
        split: name of the split.
    """

    def __init__(
        self, builder: "tfds.core.DatasetBuilder", source_lang: str, target_lang: str, split: str
    ) -> None:
        self.builder = builder
        self.languages = source_lang, target_lang
        self.split = split

    def __iter__(self) -> Iterator[Pair]:
        import tensorflow_datasets as tfds

        in_order = tfds.ReadConfig(interleave_cycle_length=1)
        dataset = self.builder.as_dataset(
            split=self.split, read_config=in_order, shuffle_files=False
        )
        for example in without_autotuning(dataset).as_numpy_iterator():
            source, target = (example[lang].decode("utf-8") for lang in self.languages)
            yield composed(source.strip()), composed(target.strip())

    def other_split(self, split: str) -> Pairs | None:
        if split not in self.builder.info.splits:
            return None
        return TfdsPairs(self.builder, *self.languages, split)

    @cached_property
    def _fingerprint(self) -> str:
        # The full name contains the version, which changes with the content.
        return hash_of("tfds", self.builder.info.full_name, *self.languages, self.split)

    def is_unchanged(self) -> bool:
        return True  # the files of a version are never edited

    def __str__(self) -> str:
        return f"tfds:{self.builder.info.full_name} ({self.split})"


def check_split(builder: "tfds.core.DatasetBuilder", split: str) -> None:
    """Raise a `UserError` if a downloaded dataset has no such split."""
    # A dataset mocked by TFDS has no known splits.
    if builder.info.splits and split not in builder.info.splits:
        available = ", ".join(builder.info.splits)
        raise UserError(f"tfds:{builder.info.name}: no split {split}; available: {available}")


def find_dataset(name: str) -> "tfds.core.DatasetBuilder":
    """Return the builder of a dataset that may not be downloaded yet.

    Raises:
        UserError: If there is no such dataset.
    """
    import tensorflow_datasets as tfds

    try:
        return tfds.builder(name)
    except tfds.core.DatasetNotFoundError as error:  # its message lists all datasets
        raise UserError(f"tfds:{name}: {reason(error)}{_similar(name)}") from error
    # TFDS raises an AssertionError for an unknown version, and a TypeError for an unknown argument.
    except (AssertionError, TypeError, ValueError, RuntimeError) as error:
        raise UserError(f"tfds:{name}: {reason(error)}") from error


def _similar(name: str) -> str:
    """Return the names of datasets that are spelled like one that does not exist."""
    import tensorflow_datasets as tfds

    found = difflib.get_close_matches(name, tfds.list_builders())
    return f" Did you mean {' or '.join(found)}?" if found else ""


def download(builder: "tfds.core.DatasetBuilder", name: str) -> None:
    """Download a dataset, unless this has been done before.

    Raises:
        UserError: If the download fails.
    """
    try:
        builder.download_and_prepare()
    except Exception as error:  # datasets fail in many ways: server, disk, manual download
        raise UserError(f"tfds:{name} could not be downloaded: {error}") from error

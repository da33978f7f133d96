"""Datasets of TensorFlow Datasets (TFDS), whose failures are reported in one line."""

from typing import TYPE_CHECKING

from keras_transformer.errors import UserError

if TYPE_CHECKING:
    import tensorflow_datasets as tfds


def load_dataset(name: str) -> "tfds.core.DatasetBuilder":
    """Return the builder of a dataset, which is downloaded on first use.

    Args:
        name: name in TFDS, optionally with a config, such as "mnist" or "imdb_reviews/plain_text".

    Raises:
        UserError: If there is no such dataset, or the download fails.
    """
    builder = find_dataset(name)
    download(builder, name)
    return builder


def find_dataset(name: str) -> "tfds.core.DatasetBuilder":
    """Return the builder of a dataset that may not be downloaded yet.

    Raises:
        UserError: If there is no such dataset.
    """
    import tensorflow_datasets as tfds

    try:
        return tfds.builder(name)
    except (tfds.core.DatasetNotFoundError, ValueError, RuntimeError) as error:
        raise UserError(f"tfds:{name}: {error}") from error


def download(builder: "tfds.core.DatasetBuilder", name: str) -> None:
    """Download a dataset, unless this has been done before.

    Raises:
        UserError: If the download fails.
    """
    try:
        builder.download_and_prepare()
    except Exception as error:  # datasets fail in many ways: server, disk, manual download
        raise UserError(f"tfds:{name} could not be downloaded: {error}") from error

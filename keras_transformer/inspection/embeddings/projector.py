"""Files of embeddings that the Embedding Projector of TensorBoard loads.

vectors.tsv             the embeddings, one per line, without a header
metadata.tsv            a header, and the label, kind and frequency of each subword
projector_config.pbtxt  makes `tensorboard --logdir DIR` load both

The first two can also be loaded by hand, at projector.tensorflow.org or in TensorBoard.
"""

import os
from pathlib import Path

from keras_transformer.errors import UserError
from keras_transformer.files import naming, write_bytes
from keras_transformer.inspection.embeddings.vectors import Embeddings
from keras_transformer.pictures.style import printable

VECTORS, METADATA, CONFIG = "vectors.tsv", "metadata.tsv", "projector_config.pbtxt"
COLUMNS = ("subword", "kind", "occurrences")


def check_directory(directory: str | os.PathLike[str]) -> None:
    """Raise a `UserError` if a directory cannot be created because a file is in its place."""
    directory = Path(directory)
    for path in (directory, *directory.parents):
        if path.exists():
            if not path.is_dir():
                raise UserError(f"{directory}: cannot be written: {path} is not a directory")
            return


def export_projector(
    embeddings: Embeddings, directory: str | os.PathLike[str], name: str = "embeddings"
) -> None:
    """Write embeddings to a directory, which is created if necessary. Each file is atomic.

    Args:
        embeddings: the `Embeddings`.
        directory: the directory. Files of an earlier export are replaced.
        name: the name that TensorBoard shows.

    Raises:
        UserError: If a file cannot be written.
    """
    directory = Path(directory)
    check_directory(directory)
    with naming(directory):
        directory.mkdir(parents=True, exist_ok=True)
    contents = {
        VECTORS: vectors_tsv(embeddings),
        METADATA: metadata_tsv(embeddings),
        CONFIG: _config(name),  # the last: it refers to the others
    }
    for file, content in contents.items():
        write_bytes(directory / file, content.encode("utf-8"))


def vectors_tsv(embeddings: Embeddings) -> str:
    """Return the embeddings, with as many digits as float32 has."""
    # NumPy writes the shortest number that is read as the same float32.
    return "".join("\t".join(row) + "\n" for row in embeddings.vectors.astype(str).tolist())


def metadata_tsv(embeddings: Embeddings) -> str:
    """Return the labels of the embeddings, with a header."""
    columns = embeddings.labels, embeddings.kinds, embeddings.occurrences.tolist()
    rows = zip(*columns, strict=True)
    return "".join("\t".join(map(_cell, row)) + "\n" for row in (COLUMNS, *rows))


def _cell(value: object) -> str:
    """Return a value as text without tabs and line breaks, which TSV has no escapes for."""
    return printable(str(value))


def _config(name: str) -> str:
    """Return the configuration of TensorBoard's plugin."""
    from google.protobuf import text_format
    from tensorboard.plugins.projector import ProjectorConfig

    config = ProjectorConfig()
    config.embeddings.add(tensor_name=name, tensor_path=VECTORS, metadata_path=METADATA)
    return text_format.MessageToString(config)

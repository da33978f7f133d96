"""config.json: the settings of a run, the library versions, and the origin of an average."""

import contextlib
import importlib.metadata
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from keras_transformer.config import Config, flat_settings
from keras_transformer.errors import UserError
from keras_transformer.files import write_bytes
from keras_transformer.runs.json_files import read_object
from keras_transformer.runs.layout import CONFIG
from keras_transformer.version import __version__

T = TypeVar("T")

LIBRARIES = ("tensorflow", "keras", "bpemb", "sentencepiece")
# Entries besides the settings.
VERSIONS = "versions"
MEAN_OF = "mean_of"


def save_config(
    directory: Path, config: Config, mean_of: Mapping[str, object] | None = None
) -> None:
    """Write the config.json of a run.

    Args:
        directory: the run directory.
        config: the settings.
        mean_of: the origin of an average, {"run": directory, "checkpoints": names}.

    Raises:
        UserError: If the file cannot be written.
    """
    versions = {"keras_transformer": __version__} | {
        name: importlib.metadata.version(name) for name in LIBRARIES
    }
    content = json.loads(config.to_json()) | {VERSIONS: versions}
    content |= {MEAN_OF: mean_of} if mean_of else {}
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    write_bytes(directory / CONFIG, text.encode("utf-8"))


def read_config(path: str | os.PathLike[str]) -> Config:
    """Return the `Config` in a JSON file.

    Raises:
        UserError: If the file is not a JSON object, or a setting is unknown or invalid.
    """
    return _read_settings(path, Config.from_dict)


def read_settings(path: str | os.PathLike[str]) -> dict[str, object]:
    """Return {name: value} of only the settings that a JSON file contains.

    Combinations of settings are not validated (see `flat_settings`).

    Raises:
        UserError: If the file is invalid, as in `read_config`.
    """
    return _read_settings(path, flat_settings)


def _read_settings(path: str | os.PathLike[str], convert: Callable[[dict[str, Any]], T]) -> T:
    """Return the converted sections {section: {name: value}} of a JSON file."""
    content = read_object(path)
    with naming_file(path):
        for name in (VERSIONS, MEAN_OF):
            if not isinstance(content.pop(name, {}), dict):
                raise UserError(f"{name} must be an object")
        return convert(content)


@contextlib.contextmanager
def naming_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Begin the message of a `UserError` with the file that contains the invalid setting."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{path}: {error}") from error


def check_no_average(directory: str | os.PathLike[str], missing: str) -> None:
    """Raise a `UserError` that tells how an average gets something that it lacks, if it is one.

    Args:
        directory: a run directory.
        missing: what it lacks.
    """
    if is_average(directory):
        raise UserError(
            f"{directory}: no {missing}: an average has what its run had; finish the training of "
            "that run, then average again"
        )


def is_average(directory: str | os.PathLike[str]) -> bool:
    """Return whether a run directory was made by averaging; False if it cannot be read."""
    try:
        return MEAN_OF in read_object(Path(directory) / CONFIG)
    except UserError:
        return False

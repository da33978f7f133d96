"""The manifest of a run directory, which says what belongs to the run.

manifest.json contains

format      version of the format of the run directory
settings    the settings that must not change once training has started
corpus      SHA-256 of the training and the validation pairs
files       SHA-256 of the files that a translator needs besides its weights

A file that is not listed is incomplete and is ignored. Weights have checksums of their own and the
shape of each variable, and each checkpoint contains the manifest's `identity`. Runs of
development builds before version 0.1.0 have no manifest until their training is resumed.
"""

import hashlib
import json
import os
from collections.abc import Container, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from keras_transformer.config import Config
from keras_transformer.errors import DamagedRun, UserError
from keras_transformer.files import write_bytes
from keras_transformer.runs.json_files import read_object
from keras_transformer.runs.layout import MANIFEST, SUBWORD_MODELS

FORMAT = 1
# Names of files, which may have moved. The manifest has hashes of the pairs in them.
NAMES_OF_PAIRS = {"train", "validation"}
# Settings that may change when a run is resumed: the length of training, what is saved, and names.
MAY_CHANGE = NAMES_OF_PAIRS | {
    "epochs",
    "hours",
    "patience",
    "save_every",
    "skip_bad_steps",
    "keep_checkpoints",
    "average_last",
}


@dataclass(frozen=True)
class Manifest:
    """The content of manifest.json; see the docstring of the module."""

    settings: Mapping[str, object]
    corpus: Mapping[str, str]
    files: Mapping[str, str]
    format: int = FORMAT

    @classmethod
    def of(
        cls, directory: Path, config: Config, corpus: Mapping[str, str], names: Iterable[str]
    ) -> "Manifest":
        """Return a manifest of the files in a run directory.

        Args:
            directory: the run directory.
            config: its `Config`.
            corpus: {"train": SHA-256, "validation": SHA-256}.
            names: names of the files.
        """
        paths = (directory / name for name in names)
        hashes = {path.name: file_hash(path) for path in paths if path.is_file()}
        return cls(fixed_settings(config), corpus, hashes)

    @classmethod
    def load(cls, directory: Path) -> "Manifest | None":
        """Return the manifest of a run directory, or None if it has none.

        Raises:
            DamagedRun: If the manifest is damaged.
            UserError: If its format is unknown.
        """
        path = directory / MANIFEST
        if not os.path.lexists(path):
            return None
        content = _read(path)
        if (number := content.get("format", FORMAT)) != FORMAT:
            raise UserError(f"{path}: format {number!r} is unknown, expected {FORMAT}")
        try:
            manifest = cls(**content)
            mappings = (manifest.settings, manifest.corpus, manifest.files)
            if not all(isinstance(each, dict) for each in mappings):
                raise ValueError("settings, corpus and files must be objects")
        except (ValueError, TypeError) as error:
            raise DamagedRun(f"{path}: damaged: {error}") from error
        return manifest

    def save(self, directory: Path) -> None:
        """Write the manifest to a run directory, atomically."""
        text = json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"
        write_bytes(directory / MANIFEST, text.encode("utf-8"))

    def with_file(self, path: Path) -> "Manifest":
        """Return this manifest with the hash of another file."""
        return replace(self, files={**self.files, path.name: file_hash(path)})

    def without_file(self, name: str) -> "Manifest":
        """Return this manifest without a file."""
        return replace(self, files={each: self.files[each] for each in self.files if each != name})

    def only(self, names: Container[str]) -> "Manifest":
        """Return this manifest with only the files of some names."""
        kept = {name: value for name, value in self.files.items() if name in names}
        return replace(self, files=kept)

    @property
    def identity(self) -> str:
        """SHA-256 of all on which the meaning of the run's weights depends, in hexadecimal."""
        models = {name: self.files[name] for name in SUBWORD_MODELS if name in self.files}
        content = [self.settings, self.corpus, models]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode("utf-8")).hexdigest()

    def check(self, directory: Path, config: Config) -> None:
        """Compare a run directory with the manifest.

        Raises:
            DamagedRun: If a file is missing or was changed.
            UserError: If a setting was changed.
        """
        settings = fixed_settings(config)
        for name, value in self.settings.items():
            # Manifests of earlier versions also have the names of the pairs.
            if name not in NAMES_OF_PAIRS and not _is_same(name, settings.get(name), value):
                raise UserError(
                    f"{directory}: config.json was changed: {name} is {settings.get(name)!r}, but "
                    f"the run was trained with {value!r}"
                )
        for name, wanted in self.files.items():
            _check_file(directory / name, wanted)


def _read(path: Path) -> dict[str, Any]:
    """Return the object in a manifest.

    Raises:
        DamagedRun: If it cannot be read.
    """
    try:
        return read_object(path)
    except UserError as error:
        raise DamagedRun(str(error)) from error


def _is_same(name: str, one: object, other: object) -> bool:
    """Return whether a setting has the same value twice. A run to start from may have moved."""
    return one == other or (name == "start_from" and bool(one) and bool(other))


def _check_file(path: Path, wanted: str) -> None:
    """Raise a `DamagedRun` unless a file has this hash."""
    if not path.is_file():
        raise DamagedRun(f"{path}: missing; {MANIFEST} lists it")
    if file_hash(path) != wanted:
        raise DamagedRun(
            f"{path}: not the file of this run, or damaged: its SHA-256 differs from {MANIFEST}"
        )


def fixed_settings(config: Config) -> dict[str, object]:
    """Return the settings that must not change once training has started, as JSON values."""
    settings = {name: each for name, each in config.flat().items() if name not in MAY_CHANGE}
    return json.loads(json.dumps(settings))


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal.

    Raises:
        UserError: If the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error

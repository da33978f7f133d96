"""A directory whose manifest lists its files, so that an incomplete file is not read."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from keras_transformer.files import write_bytes
from keras_transformer.runs.json_files import read_object
from keras_transformer.runs.layout import SEALED
from keras_transformer.runs.manifest import Manifest


class SealedDirectory:
    """A directory of files that are listed in a manifest.

    Args:
        directory: its path.
        manifest: its `Manifest`, or None if it has none.
    """

    def __init__(self, directory: str | os.PathLike[str], manifest: Manifest | None = None) -> None:
        self.directory = Path(directory)
        self.manifest = manifest

    def has(self, name: str) -> bool:
        """Return whether the run has a file, which is also listed in the manifest if it must be."""
        is_complete = self.manifest is None or name not in SEALED or name in self.manifest.files
        return is_complete and (self.directory / name).is_file()

    @contextlib.contextmanager
    def replacing(self, name: str) -> Iterator[Path]:
        """Yield the path of a file to write, which the manifest does not list until it is written.

        If the process is killed in between, the file is ignored as incomplete.
        """
        path = self.directory / name
        self._remove_from_manifest(name)
        yield path
        if self.manifest:
            self.manifest = self.manifest.with_file(path)
            self.manifest.save(self.directory)

    def _remove_from_manifest(self, name: str) -> None:
        if self.manifest and name in self.manifest.files:
            self.manifest = self.manifest.without_file(name)
            self.manifest.save(self.directory)

    def _save_values(self, name: str, values: Mapping[str, object]) -> None:
        """Save {name: value} as a JSON object."""
        content = json.dumps(values, indent=2).encode("utf-8")
        with self.replacing(name) as path:
            write_bytes(path, content)

    def _values(self, name: str) -> dict[str, object] | None:
        """Return the JSON object in a file, or None if the run does not have the file."""
        return read_object(self.directory / name) if self.has(name) else None

    def _remove(self, name: str) -> None:
        """Remove a file, if the run has it."""
        self._remove_from_manifest(name)
        (self.directory / name).unlink(missing_ok=True)

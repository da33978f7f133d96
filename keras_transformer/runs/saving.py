"""Saving of checkpoints: a power failure or a kill never leaves a run without a state."""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import tensorflow as tf
from google.protobuf import text_format

from keras_transformer.errors import UserError, reason
from keras_transformer.files import PART, part_of, replace, sync_tree, write_bytes
from keras_transformer.runs.checkpoints import (
    IDENTITY,
    checkpoint_number,
    make_checkpoint,
    saved_checkpoints,
)
from keras_transformer.runs.layout import LIST
from keras_transformer.tensors import Variable


class Checkpoints:
    """A directory to which the same variables are saved again and again.

    `tf.train.CheckpointManager` does not sync files to the disk, and overwrites a checkpoint of the
    same number in place.

    Args:
        directory: the directory, which is created with the first checkpoint.
        variables: {name: Keras or TensorFlow variable}.
        identity: identity of the run (see `Manifest.identity`), or None.
        states: the directory of the run's training states, of which errors name the newest; by
            default they name none.
    """

    def __init__(
        self,
        directory: Path,
        variables: Mapping[str, Variable],
        identity: str | None = None,
        states: Path | None = None,
    ) -> None:
        self.directory = directory
        self._states = states
        self._variables = dict(variables)
        if identity is not None:
            self._variables[IDENTITY] = tf.Variable(identity)

    def save(self, step: int) -> Path:
        """Save the variables as ckpt-N. N is the step, or the next free number after it.

        Returns:
            The path of the checkpoint.

        Raises:
            UserError: If it cannot be written. Earlier checkpoints are unchanged.
        """
        saved = saved_checkpoints(self.directory)
        number = max([step, *(checkpoint_number(path) + 1 for path in saved[-1:])])
        path = self.directory / f"ckpt-{number}"
        with _reporting(path, self._states):
            self.directory.mkdir(parents=True, exist_ok=True)
            self._write(path)
        self._write_list()
        return path

    def _write(self, path: Path) -> None:
        """Write a checkpoint to a hidden directory, and rename its files: the index last."""
        part = part_of(path)
        try:
            part.mkdir()
            make_checkpoint(self._variables).write(str(part / path.name))
            sync_tree(part)
            for file in sorted(part.iterdir(), key=lambda each: each.suffix == ".index"):
                replace(file, path.parent / file.name)
        except BaseException:
            if path not in saved_checkpoints(path.parent):
                _delete(path)
            raise
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def keep_only(self, paths: Iterable[Path]) -> None:
        """Delete all other checkpoints."""
        kept = {path.name for path in paths}
        for path in saved_checkpoints(self.directory):
            if path.name not in kept:
                _delete(path)
        self._write_list()

    def _write_list(self) -> None:
        names = [path.name for path in saved_checkpoints(self.directory)]
        state = tf.compat.v1.train.generate_checkpoint_state_proto(".", names[-1], names)
        write_bytes(self.directory / LIST, str(state).encode("utf-8"))


def _delete(path: Path) -> None:
    """Delete the files of a checkpoint: the index first, so that none looks complete."""
    path.with_name(f"{path.name}.index").unlink(missing_ok=True)
    for file in path.parent.glob(f"{path.name}.data-*"):
        file.unlink()


@contextmanager
def _reporting(path: Path, states: Path | None) -> Iterator[None]:
    """Convert the errors of saving a checkpoint to a `UserError` that says what is kept."""
    kept = f"; {_newest_state(states)}" if states else ""
    try:
        yield
    except (OSError, tf.errors.OpError) as error:
        why = error.strerror if isinstance(error, OSError) else _reason(error)
        raise UserError(f"{path}: cannot be saved: {why}{kept}") from error


def _newest_state(directory: Path) -> str:
    """Return a remark that names the newest training state in a directory."""
    saved = saved_checkpoints(directory)
    return f"{saved[-1].name} is the newest state" if saved else "no state was saved before"


def _reason(error: tf.errors.OpError) -> str:
    """Return the message of an error of TensorFlow without the path of a temporary file."""
    text = reason(error)
    _, part, rest = text.rpartition(PART)
    return rest.partition(": ")[2] if part else text


def clean_up(directory: str | os.PathLike[str]) -> None:
    """Complete or remove what a killed process left in a directory of checkpoints.

    Nobody else may be writing to the directory.
    """
    directory = Path(directory)
    for part in directory.glob(f".ckpt-*{PART}"):
        _complete(part)
    _remove_data_without_index(directory)
    for pattern in (f"*{PART}", "ckpt-*_temp", f"{LIST}.tmp*"):  # the last two are TensorFlow's
        for path in directory.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _complete(part: Path) -> None:
    """Rename the index of a checkpoint if its data, which are renamed first, are in place."""
    names = [path.name for path in part.iterdir()]
    if len(names) == 1 and names[0].endswith(".index"):
        path = part.parent / names[0]
        if any(part.parent.glob(f"{path.stem}.data-*")):
            replace(part / path.name, path)


def _remove_data_without_index(directory: Path) -> None:
    """Delete what is left of checkpoints that were being deleted.

    If no checkpoint is complete, all files are kept: they belong to a damaged run.
    """
    complete = {path.name for path in saved_checkpoints(directory)}
    for file in directory.glob("ckpt-*.data-*") if complete else ():
        if file.name.partition(".data-")[0] not in complete:
            file.unlink()


def check_list(directory: str | os.PathLike[str]) -> bool:
    """Return whether the file `checkpoint` names a checkpoint beside it.

    Without the file, return whether there are no checkpoints.

    Raises:
        UserError: If it leads to another directory.
    """
    path = Path(directory) / LIST
    if not path.is_file():
        return not saved_checkpoints(directory)
    named = path.parent / _newest_in_list(path)
    if named.parent.resolve() != path.parent.resolve():
        raise UserError(f"{path}: leads out of its directory, to {named}")
    return named in saved_checkpoints(directory)


def _newest_in_list(path: Path) -> str:
    """Return the name of the newest checkpoint in a list, or "damaged"."""
    state = tf.compat.v1.train.generate_checkpoint_state_proto(".", "ckpt")
    state.Clear()
    with suppress(text_format.ParseError, ValueError, OSError):
        text_format.Parse(path.read_text("utf-8"), state)
    return state.model_checkpoint_path or "damaged"

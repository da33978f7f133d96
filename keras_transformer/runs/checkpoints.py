"""Checkpoints: variables saved under names that are the same in every process."""

import contextlib
import itertools
import logging
import os
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import keras
import tensorflow as tf

from keras_transformer.errors import DamagedRun, UserError, reason
from keras_transformer.runs.legacy import legacy_name
from keras_transformer.tensors import Variable

logger = logging.getLogger(__name__)

CheckpointReader: TypeAlias = Any  # returned by tf.train.load_checkpoint

# Name of the string in a checkpoint that says to which run it belongs; see `Manifest.identity`.
IDENTITY = "identity"
RANDOM_STATE = "random_state"  # first part of the names of the random states of dropout
# Key of TensorFlow's description of a checkpoint, which is read to find damages.
OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
# Names of the variables of a training state that `progress` reads.
PROGRESS = ("epoch", "batch", "best_bleu")
# What TensorFlow raises if a checkpoint is damaged or does not fit.
SYSTEM = (tf.errors.ResourceExhaustedError, tf.errors.PermissionDeniedError)  # not damages
DAMAGED = (AssertionError, ValueError, IndexError, KeyError, RuntimeError, tf.errors.OpError)


def named_variables(model: keras.Model) -> dict[str, Variable]:
    """Return {name: variable} of a model, with the same names in every process.

    `tf.train.Checkpoint(model=...)` silently omits the weights of layers that a Keras layer stores
    in a list. Keras numbers the random states of dropout consecutively within the process, so here
    they are numbered within the model.
    """
    numbers = itertools.count()
    variables: dict[str, Variable] = {}
    for variable in model.variables:
        is_random_state = variable.path.endswith("seed_generator_state")
        name = f"{RANDOM_STATE}/{next(numbers)}" if is_random_state else variable.path
        if name in variables:
            raise ValueError(f"two variables have the name {name}")
        variables[name] = variable
    return variables


def named_weights(model: keras.Model) -> dict[str, Variable]:
    """Return the `named_variables` of a model without the random states of dropout."""
    return {
        name: variable
        for name, variable in named_variables(model).items()
        if not name.startswith(f"{RANDOM_STATE}/")
    }


def make_checkpoint(variables: Mapping[str, Variable]) -> tf.train.Checkpoint:
    """Return a `tf.train.Checkpoint` of {name: Keras or TensorFlow variable}."""
    values = {
        name: variable.value if isinstance(variable, keras.Variable) else variable
        for name, variable in variables.items()
    }
    return tf.train.Checkpoint(variables=values)


def checkpoint_number(path: Path) -> int:
    """Return N for the path of a checkpoint named ckpt-N."""
    return int(path.name.removeprefix("ckpt-"))


def saved_checkpoints(directory: str | os.PathLike[str]) -> list[Path]:
    """Return the paths of all checkpoints in a directory, oldest first.

    The file `checkpoint`, which TensorFlow's own tools read, is ignored: it may be damaged, or lead
    to another directory.
    """
    indices = Path(directory).glob("ckpt-*.index")
    paths = [path.with_suffix("") for path in indices if re.fullmatch(r"ckpt-\d+", path.stem)]
    return sorted(paths, key=checkpoint_number)


def has_remains(directory: str | os.PathLike[str]) -> bool:
    """Return whether a directory contains any file of a checkpoint, which may be incomplete."""
    return next(Path(directory).glob("ckpt-*"), None) is not None


def latest_checkpoint(directory: str | os.PathLike[str]) -> Path | None:
    """Return the path of the newest checkpoint in a directory, or None if there is none.

    Raises:
        UserError: If there are only parts of checkpoints.
    """
    saved = saved_checkpoints(directory)
    if not saved and has_remains(directory):
        raise UserError(f"{directory}: damaged: no checkpoint is complete")
    return saved[-1] if saved else None


def epoch_ends(directory: str | os.PathLike[str]) -> list[Path]:
    """Return the training states in a directory that were saved at the end of an epoch.

    Returns:
        The newest state of each epoch, oldest epoch first. States whose progress cannot be read are
        omitted.
    """
    found = {}
    for path in saved_checkpoints(directory):
        with contextlib.suppress(UserError):
            counts = progress(path)
            if not counts["batch"]:
                found[counts["epoch"]] = path
    return [found[epoch] for epoch in sorted(found) if epoch]


def progress(path: Path) -> dict[str, float]:
    """Return the progress in a training state.

    Returns:
        {"epoch": completed epochs, "batch": completed batches of the current epoch,
        "best_bleu": best validation BLEU, -1 before the first validation}.

    Raises:
        UserError: If the state is damaged.
    """
    with _naming_damage(path):
        reader = tf.train.load_checkpoint(str(path))
        return {name: float(reader.get_tensor(_key(f"progress/{name}"))) for name in PROGRESS}


def ends_first_epoch(path: Path) -> bool:
    """Return whether a training state is that after one epoch, whose weights are the best so far.

    Raises:
        UserError: If the state is damaged.
    """
    counts = progress(path)
    return (counts["epoch"], counts["batch"]) == (1, 0)


def restore(
    path: str | os.PathLike[str],
    variables: Mapping[str, Variable],
    identity: str | None = None,
    optional: Collection[str] = (),
) -> None:
    """Restore {name: variable} from a checkpoint.

    A training state also contains an optimizer and the progress, which need not be restored.

    Args:
        path: the checkpoint.
        variables: the variables.
        identity: identity of the run to which the checkpoint must belong; None if it is unknown.
        optional: names of variables that keep their value if the checkpoint lacks them.

    Raises:
        UserError: If the checkpoint is damaged, belongs to another run, lacks a variable, has one
            of another shape, or has variables of a network that are not in `variables`.
    """
    with _naming_damage(path):
        reader = tf.train.load_checkpoint(str(path))
        _check_identity(path, reader, identity)
        saved = _saved_names(reader)
        wanted = {
            name: each for name, each in variables.items() if not _lacks(saved, name, optional)
        }
        expected = _as_saved(saved, wanted)
        _check_content(path, saved, expected)
        reader.get_tensor(OBJECT_GRAPH)
        # Checkpoint.read would log each variable that it did not restore before an error.
        for name, variable in expected.items():
            variable.assign(reader.get_tensor(_key(name)))


def has_identity(path: Path) -> bool:
    """Return whether a checkpoint is intact and says to which run it belongs."""
    try:
        return tf.train.load_checkpoint(str(path)).has_tensor(_key(IDENTITY))
    except DAMAGED:
        return False


def check_intact(directory: Path, identity: str | None) -> None:
    """Check that all of the newest checkpoint in a directory can be read.

    Args:
        directory: directory of the checkpoints.
        identity: see `restore`.

    Raises:
        UserError: If there is no checkpoint, or it is damaged or belongs to another run.
    """
    path = latest_checkpoint(directory)
    if path is None:
        raise UserError(f"{directory}: damaged: there is no checkpoint")
    check_readable(path, identity)


def check_readable(path: Path, identity: str | None) -> None:
    """Check that all of a checkpoint can be read.

    Raises:
        UserError: If it is damaged, or belongs to another run than that with the `identity`.
    """
    with _naming_damage(path):
        reader = tf.train.load_checkpoint(str(path))
        _check_identity(path, reader, identity)
        for key in reader.get_variable_to_shape_map():
            reader.get_tensor(key)


@contextlib.contextmanager
def _naming_damage(path: str | os.PathLike[str]) -> Iterator[None]:
    """Convert what TensorFlow raises for a damaged checkpoint to a `UserError`."""
    try:
        yield
    except SYSTEM:
        raise
    except DAMAGED as error:
        why = reason(error)[:200]
        raise UserError(f"{path}: damaged, or of a model of another shape: {why}") from error


def restore_newest(
    directory: str | os.PathLike[str],
    variables: Mapping[str, Variable],
    identity: str | None = None,
    optional: Collection[str] = (),
) -> Path | None:
    """Restore the newest checkpoint that is intact, with a warning for each that is skipped.

    Args:
        directory: directory of the checkpoints.
        variables, identity, optional: see `restore`.

    Returns:
        The path of the checkpoint, or None if there is none.

    Raises:
        DamagedRun: If no checkpoint is intact.
        UserError: If there are only parts of checkpoints.
    """
    errors = []
    for path in reversed(saved_checkpoints(directory)):
        try:
            restore(path, variables, identity, optional)
        except UserError as error:
            errors.append(error)
            continue
        for skipped in errors:
            logger.warning("%s; using %s instead", skipped, path.name)
        return path
    if errors:
        others = "; no older state is intact" if len(errors) > 1 else ""
        raise DamagedRun(f"{errors[0]}{others}") from errors[0]
    return latest_checkpoint(directory)


def _key(name: str) -> str:
    """Return the key of a variable in the file of a checkpoint."""
    return f"variables/{name.replace('/', '.S')}/.ATTRIBUTES/VARIABLE_VALUE"


def _saved_names(reader: CheckpointReader) -> set[str]:
    keys = reader.get_variable_to_shape_map()
    return {key.split("/")[1].replace(".S", "/") for key in keys if key.startswith("variables/")}


def _lacks(saved: Collection[str], name: str, optional: Collection[str]) -> bool:
    return name in optional and name not in saved


def _check_identity(
    path: str | os.PathLike[str], reader: CheckpointReader, identity: str | None
) -> None:
    """Raise a `UserError` if a checkpoint belongs to another run."""
    if identity is None or not reader.has_tensor(_key(IDENTITY)):
        return
    if reader.get_tensor(_key(IDENTITY)) != identity.encode("ascii"):
        raise UserError(
            f"{path}: belongs to another run, with other settings, subword models or sentence "
            "pairs, or to another directory of this run"
        )


def _check_content(
    path: str | os.PathLike[str], saved: Collection[str], expected: Collection[str]
) -> None:
    """Raise a `UserError` if a checkpoint has more variables of a kind than expected.

    The kind of a variable is the first part of its name, such as "transformer" or "progress".
    """
    kinds = {name.split("/")[0] for name in expected}
    more = sorted(name for name in saved if name.split("/")[0] in kinds and name not in expected)
    if more:
        raise UserError(f"{path}: of a larger model: it also contains {more[0]}")


def _as_saved(saved: Collection[str], variables: Mapping[str, Variable]) -> dict[str, Variable]:
    """Return {name: variable} with the names used in a checkpoint, which may be legacy names."""
    return {
        name if name in saved or legacy_name(name) not in saved else legacy_name(name): variable
        for name, variable in variables.items()
    }

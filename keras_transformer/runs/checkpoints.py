"""Checkpoints: variables saved under names that are the same in every process."""

import itertools
import os
from collections.abc import Mapping
from pathlib import Path

import keras
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.runs.legacy import legacy_name
from keras_transformer.tensors import Variable


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
        name = f"random_state/{next(numbers)}" if is_random_state else variable.path
        if name in variables:
            raise ValueError(f"two variables have the name {name}")
        variables[name] = variable
    return variables


def make_checkpoint(variables: Mapping[str, Variable]) -> tf.train.Checkpoint:
    """Return a `tf.train.Checkpoint` of {name: Keras or TensorFlow variable}."""
    values = {
        name: variable.value if isinstance(variable, keras.Variable) else variable
        for name, variable in variables.items()
    }
    return tf.train.Checkpoint(variables=values)


def saved_checkpoints(directory: str | os.PathLike[str]) -> list[Path]:
    """Return the paths of all checkpoints in a directory, oldest first."""
    paths = (path.with_suffix("") for path in Path(directory).glob("ckpt-*.index"))
    return sorted(paths, key=lambda path: int(path.name.removeprefix("ckpt-")))


def latest_checkpoint(directory: str | os.PathLike[str]) -> str | None:
    """Return the path of the newest checkpoint in a directory, or None if there is none.

    Raises:
        UserError: If there are checkpoints, but the file that names the newest is missing or
            damaged. Training that ignored this would start over and overwrite the checkpoints.
    """
    directory = Path(directory)
    saved = saved_checkpoints(directory)
    state = tf.train.get_checkpoint_state(str(directory)) if directory.is_dir() else None
    latest = state.model_checkpoint_path if state else None
    if latest is not None and not Path(f"{latest}.index").is_file():
        latest = None
    if latest is None and saved:
        raise UserError(
            f"{directory / 'checkpoint'} is missing or damaged; to repair it, "
            f'write the line model_checkpoint_path: "{saved[-1].name}" into it'
        )
    return latest


def restore(path: str | os.PathLike[str], variables: Mapping[str, Variable]) -> None:
    """Restore {name: variable} from a checkpoint, which may contain more variables.

    Raises:
        UserError: If the checkpoint is damaged, lacks a variable or has one of another shape.
    """
    try:
        status = make_checkpoint(_as_saved(path, variables)).restore(str(path))
        status.assert_existing_objects_matched().expect_partial()
    except (AssertionError, ValueError, IndexError, RuntimeError, tf.errors.OpError) as error:
        reason = str(error).strip().splitlines()[0][:200]
        raise UserError(f"{path}: damaged, or of a model of another shape: {reason}") from error


def _as_saved(
    path: str | os.PathLike[str], variables: Mapping[str, Variable]
) -> dict[str, Variable]:
    """Return {name: variable} with the names used in a checkpoint, which may be legacy names."""
    saved = tf.train.load_checkpoint(str(path)).get_variable_to_shape_map()
    keys = {key.split("/")[1].replace(".S", "/") for key in saved if key.startswith("variables/")}
    return {
        name if name in keys or legacy_name(name) not in keys else legacy_name(name): variable
        for name, variable in variables.items()
    }

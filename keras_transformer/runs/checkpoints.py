"""Checkpoints: variables saved under names that are the same in every process."""

import itertools
from pathlib import Path

import keras
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.runs.legacy import legacy_name


def named_variables(model):
    """{name: variable} of a model, with the same names in every process.

    `tf.train.Checkpoint(model=...)` would leave out, without a word, the weights of layers that a
    Keras layer holds in a list. The random states of dropout have names that Keras numbers
    through the whole process, so here they are numbered anew.
    """
    numbers = itertools.count()
    variables = {}
    for variable in model.variables:
        is_random_state = variable.path.endswith("seed_generator_state")
        name = f"random_state/{next(numbers)}" if is_random_state else variable.path
        if name in variables:
            raise ValueError(f"two variables are called {name}")
        variables[name] = variable
    return variables


def make_checkpoint(variables):
    """A `tf.train.Checkpoint` of {name: variable}, Keras's or TensorFlow's."""
    values = {
        name: variable.value if isinstance(variable, keras.Variable) else variable
        for name, variable in variables.items()
    }
    return tf.train.Checkpoint(variables=values)


def saved_checkpoints(directory):
    """The paths of all checkpoints in a directory, the oldest first."""
    paths = (path.with_suffix("") for path in Path(directory).glob("ckpt-*.index"))
    return sorted(paths, key=lambda path: int(path.name.removeprefix("ckpt-")))


def latest_checkpoint(directory):
    """The path of the newest checkpoint in a directory, or None where nothing was saved.

    Raises:
        UserError: checkpoints are there, but the file that names the newest is damaged; training
            on would begin anew and lose them.
    """
    directory = Path(directory)
    saved = saved_checkpoints(directory)
    state = tf.train.get_checkpoint_state(str(directory)) if directory.is_dir() else None
    latest = state.model_checkpoint_path if state else None
    if latest is not None and not Path(f"{latest}.index").is_file():
        latest = None
    if latest is None and saved:
        raise UserError(
            f"{directory / 'checkpoint'} is missing or damaged: to go on from the newest state, "
            f'write the line model_checkpoint_path: "{saved[-1].name}" into it'
        )
    return latest


def restore(path, variables):
    """Reads {name: variable} from a checkpoint, which may hold more.

    Raises:
        UserError: the checkpoint is damaged, lacks a variable or has one of another shape.
    """
    try:
        status = make_checkpoint(_as_saved(path, variables)).restore(str(path))
        status.assert_existing_objects_matched().expect_partial()
    except (AssertionError, ValueError, IndexError, RuntimeError, tf.errors.OpError) as error:
        why = str(error).strip().splitlines()[0][:200]
        raise UserError(f"{path}: damaged, or of a model of another shape: {why}") from error


def _as_saved(path, variables):
    """Return {name: variable} with the names that a checkpoint has, which may be legacy ones."""
    saved = tf.train.load_checkpoint(str(path)).get_variable_to_shape_map()
    keys = {key.split("/")[1].replace(".S", "/") for key in saved if key.startswith("variables/")}
    return {
        name if name in keys or legacy_name(name) not in keys else legacy_name(name): variable
        for name, variable in variables.items()
    }

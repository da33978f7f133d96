"""The mean of the weights of several checkpoints (Vaswani et al. 2017, section 6.1)."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import tensorflow as tf

from keras_transformer.errors import PathTaken, UserError
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.checkpoints import (
    make_checkpoint,
    named_variables,
    restore,
    saved_checkpoints,
)
from keras_transformer.runs.run import BEST, Run


def assign_average(model: Transformer, paths: Sequence[str | os.PathLike[str]]) -> None:
    """Set the weights of a model to their mean over several checkpoints.

    The random states of dropout are not averaged, but restored from the last checkpoint.

    Args:
        model: a `Transformer`.
        paths: checkpoints, at least one.

    Raises:
        UserError: If a checkpoint is damaged or belongs to a model of another shape.
    """
    variables = named_variables(model)
    sums = [np.zeros(variable.shape, np.float64) for variable in model.trainable_variables]
    for path in paths:
        restore(path, variables)
        for total, variable in zip(sums, model.trainable_variables, strict=True):
            total += variable.numpy()
    for total, variable in zip(sums, model.trainable_variables, strict=True):
        variable.assign(total / len(paths))


def average(
    directory: str | os.PathLike[str], output: str | os.PathLike[str], last: int | None = None
) -> list[Path]:
    """Create a run directory whose weights are the mean of a run's newest checkpoints.

    The config.json of the new run records its origin. `newest_run` never returns such a run.

    Args:
        directory: a run directory.
        output: the run directory to create.
        last: number of checkpoints to average; by default all checkpoints of the run.

    Returns:
        The paths of the averaged checkpoints.

    Raises:
        UserError: If the run has no checkpoints, or fewer than `last`.
        NoRun: If there is no run in `directory`.
        PathTaken: If `output` exists.
    """
    run, output = Run.open(directory), Path(output)
    paths = _newest(directory, last)
    if output.exists():
        raise PathTaken(f"{output} already exists")
    model = run.build_model(*run.subwords())
    assign_average(model, paths)
    mean_of = {"run": str(directory), "checkpoints": [path.name for path in paths]}
    Run.create(output, run.config, mean_of)
    for path in run.other_files():
        shutil.copy(path, output)
    manager = tf.train.CheckpointManager(
        make_checkpoint(named_variables(model)), output / BEST, max_to_keep=1
    )
    manager.save(checkpoint_number=int(paths[-1].name.removeprefix("ckpt-")))
    return paths


def _newest(directory: str | os.PathLike[str], number: int | None) -> list[Path]:
    """Return the `number` newest checkpoints of a run, or all if it is None, oldest first."""
    paths = saved_checkpoints(directory)
    if not paths:
        raise UserError(f"{directory}: no checkpoints to average")
    if number is not None and not 1 <= number <= len(paths):
        raise UserError(
            f"{directory} has {len(paths)} checkpoints: "
            f"the number to average must be from 1 to {len(paths)}, not {number}"
        )
    return paths[-(number or len(paths)) :]

"""The mean of the weights of several checkpoints (Vaswani et al. 2017, section 6.1)."""

import shutil
from pathlib import Path

import numpy as np
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.runs.checkpoints import (
    make_checkpoint,
    named_variables,
    restore,
    saved_checkpoints,
)
from keras_transformer.runs.run import BEST, Run


def assign_average(model, paths):
    """Gives the model the mean of its weights in several checkpoints.

    Random states are not averaged: they are those of the last checkpoint.

    Args:
        model: a `Transformer`.
        paths: of the checkpoints, at least one.

    Raises:
        UserError: a checkpoint is damaged or of a model of another shape.
    """
    variables = named_variables(model)
    sums = [np.zeros(variable.shape, np.float64) for variable in model.trainable_variables]
    for path in paths:
        restore(path, variables)
        for total, variable in zip(sums, model.trainable_variables, strict=True):
            total += variable.numpy()
    for total, variable in zip(sums, model.trainable_variables, strict=True):
        variable.assign(total / len(paths))


def average(directory, output, last=None):
    """Makes a run directory whose weights are the mean of a run's newest checkpoints.

    Its config.json says so; `newest_run` never gives it.

    Args:
        directory: a run directory.
        output: the run directory that is made; it must not be there yet.
        last: number of checkpoints; all that the run has kept by default.

    Returns:
        The paths of those that were averaged.

    Raises:
        UserError: there is no run, it has not so many checkpoints, or `output` is there.
    """
    run, output = Run.open(directory), Path(output)
    paths = saved_checkpoints(directory)
    if not paths:
        raise UserError(f"{directory}: no checkpoints to average")
    if last is not None and not 1 <= last <= len(paths):
        raise UserError(f"{directory}: it has {len(paths)} checkpoints, so --last cannot be {last}")
    if output.exists():
        raise UserError(f"{output} is there already: give another --output")
    paths = paths[-(last or len(paths)) :]
    model = run.build_model(*run.subwords())
    assign_average(model, paths)
    mean_of = {"run": str(directory), "checkpoints": [p.name for p in paths]}
    Run.create(output, run.config, mean_of)
    for path in run.other_files():
        shutil.copy(path, output)
    manager = tf.train.CheckpointManager(
        make_checkpoint(named_variables(model)), output / BEST, max_to_keep=1
    )
    manager.save(checkpoint_number=int(paths[-1].name.removeprefix("ckpt-")))
    return paths

"""The mean of the weights of several checkpoints (Vaswani et al. 2017, section 6.1)."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from keras_transformer.counting import counted
from keras_transformer.errors import PathTaken, UserError
from keras_transformer.files import (
    check_directory_path,
    copy_file,
    hidden_prefix,
    naming,
    replace,
    sync_tree,
)
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.checkpoints import (
    checkpoint_number,
    epoch_ends,
    named_variables,
    restore,
    saved_checkpoints,
)
from keras_transformer.runs.layout import BEST
from keras_transformer.runs.run import Run
from keras_transformer.runs.saving import Checkpoints
from keras_transformer.workspace import workspace


def assign_average(
    model: Transformer, paths: Sequence[str | os.PathLike[str]], identity: str | None = None
) -> None:
    """Set the weights of a model to their mean over several checkpoints.

    The random states of dropout are not averaged, but restored from the last checkpoint.

    Args:
        model: a `Transformer`.
        paths: checkpoints, at least one.
        identity: the identity of their run, or None (see `restore`).

    Raises:
        UserError: If a checkpoint is damaged, or belongs to another run or to a model of another
            shape.
    """
    variables = named_variables(model)
    sums = [np.zeros(variable.shape, np.float64) for variable in model.trainable_variables]
    for path in paths:
        restore(path, variables, identity)
        for total, variable in zip(sums, model.trainable_variables, strict=True):
            total += variable.numpy()
    for total, variable in zip(sums, model.trainable_variables, strict=True):
        variable.assign(total / len(paths))


class OnlyWithinEpochs(UserError):
    """A run whose checkpoints were all saved within an epoch."""


def average(
    directory: str | os.PathLike[str],
    output: str | os.PathLike[str],
    last: int | None = None,
    within_epochs: bool = False,
) -> list[Path]:
    """Create a run directory whose weights are the mean of a run's newest checkpoints.

    The config.json of the new run records its origin. `newest_run` never returns such a run.

    Args:
        directory: a run directory.
        output: the run directory to create, which appears only when it is complete.
        last: number of checkpoints to average; by default all.
        within_epochs: whether to include checkpoints that were not saved at the end of an epoch,
            but every so many steps or at an interruption.

    Returns:
        The paths of the averaged checkpoints.

    Raises:
        UserError: If the run has no such checkpoints, or fewer than `last`, or the output cannot be
            written.
        NoRun: If there is no run in `directory`.
        PathTaken: If `output` exists.
    """
    run, output = Run.open(directory), Path(output)
    check_directory_path(output)
    _newest(run.directory, last, within_epochs)  # an error comes before the network is built
    if output.exists():
        raise PathTaken(f"{output} already exists")
    model = run.build_model(*run.subwords())
    # Listed again: a training that is running may have deleted the oldest checkpoints meanwhile.
    paths = _newest(run.directory, last, within_epochs)
    assign_average(model, paths, run.identity)
    names = [path.name for path in paths]
    mean_of: dict[str, object] = {"run": str(directory), "checkpoints": names}
    with naming(output):
        output.parent.mkdir(parents=True, exist_ok=True)
    with workspace(output.parent, hidden_prefix(output)) as part:
        _write(run, part, model, mean_of, checkpoint_number(paths[-1]))
        with naming(output):
            sync_tree(part)
            replace(part, output)
    return paths


def _write(
    run: Run, directory: Path, model: Transformer, mean_of: dict[str, object], number: int
) -> None:
    """Write a run directory with other weights than those of `run`."""
    Run.create(directory, run.config, mean_of)
    copied = run.other_files()
    for path in copied:
        copy_file(path, directory / path.name)
    if run.manifest:
        # A training that is running may have removed what belongs to earlier weights.
        run.manifest.only({path.name for path in copied}).save(directory)
    Checkpoints(directory / BEST, named_variables(model), run.identity_in(BEST)).save(number)


def _newest(directory: Path, number: int | None, within_epochs: bool) -> list[Path]:
    """Return the `number` newest checkpoints of a run, or all if it is None, oldest first."""
    paths = saved_checkpoints(directory) if within_epochs else epoch_ends(directory)
    place = "" if within_epochs else " at the end of an epoch"
    if not paths:
        is_within = not within_epochs and saved_checkpoints(directory)
        kind = OnlyWithinEpochs if is_within else UserError
        raise kind(f"{directory}: no checkpoints{place} to average")
    if number is not None and not 1 <= number <= len(paths):
        raise UserError(
            f"{directory} has {counted(len(paths), 'checkpoint')}{place}: "
            f"the number to average must be from 1 to {len(paths)}, not {number}"
        )
    return paths[-(number or len(paths)) :]

"""The average of the last epochs, which ends a training."""

import logging
from collections.abc import Sequence
from pathlib import Path

from keras_transformer.counting import counted
from keras_transformer.errors import UserError
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.averaging import assign_average
from keras_transformer.runs.checkpoints import check_readable
from keras_transformer.runs.run import Run
from keras_transformer.training.lines import print_line, validation_line
from keras_transformer.training.state import TrainingState
from keras_transformer.training.validation import Validator
from keras_transformer.training.workers import Workers

logger = logging.getLogger(__name__)


def save_final_average(
    run: Run, model: Transformer, state: TrainingState, validator: Validator, workers: Workers
) -> None:
    """Average the states at the ends of the last epochs, and save and report the mean.

    States within an epoch do not count, because an interruption would change the mean. The mean
    becomes the best weights if its validation loss is no higher. BLEU does not decide: the best
    BLEU of many epochs is partly due to chance, unlike the BLEU of the mean.

    All workers call this function together. Afterwards, the state is that of the last epoch that
    was averaged.

    Args:
        run: the `Run`.
        model: its network, whose weights are replaced.
        state: the `TrainingState`.
        validator: the `Validator` of the network.
        workers: the `Workers` of the run.

    Raises:
        UserError: If the run has kept no intact state from the end of an epoch.
    """
    paths = _intact(run, state.states_to_average())
    if not paths:
        raise UserError(
            f"{run.directory} has kept no intact state from the end of an epoch, so none can be "
            "averaged: continue it with more epochs"
        )
    if int(state.batch):  # the run was interrupted within an epoch and then got fewer epochs
        state.rewind(paths[-1])
        paths = _intact(run, state.states_to_average())
    workers.assign(model.variables, lambda: run.restore_weights(model))
    best_loss = validator.totals().mean_loss
    workers.assign(model.variables, lambda: assign_average(model, paths, run.identity))
    validated, score = validator.totals(), validator.sample_bleu()
    figures = validation_line(validated, score)
    print_line(f"mean of {counted(len(paths), 'epoch')}: {figures}")
    if validated.mean_loss <= best_loss:
        state.save_best(score, validated.mean_loss)
    state.save_average()
    state.rewind(paths[-1])


def _intact(run: Run, paths: Sequence[Path]) -> list[Path]:
    """Return the states that can be read, with a warning for each of the others.

    One damaged state must not keep the run from its end.
    """
    intact = []
    for path in paths:
        try:
            check_readable(path, run.identity)
        except UserError as error:
            logger.warning("%s; not averaged", error)
        else:
            intact.append(path)
    return intact

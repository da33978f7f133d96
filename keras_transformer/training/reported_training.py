"""Training from the newest state to the end, with reports of its beginning and its end."""

import contextlib
from collections.abc import Iterator

from keras_transformer.counting import counted
from keras_transformer.errors import TrainingDiverged
from keras_transformer.runs.run import Run
from keras_transformer.training.lines import print_line
from keras_transformer.training.trainer import Trainer

DIVERGED = (
    "nothing was saved, earlier states are kept; training needs a smaller peak_learning_rate, a "
    "larger warmup_steps or a clip_norm; the setting skip_bad_steps only skips steps whose loss or "
    "gradient is not finite"
)


def restore_and_train(trainer: Trainer) -> tuple[bool, int | None]:
    """Restore the newest state, or the weights to start from; train, and report the progress.

    Returns:
        Whether training was already finished, and the signal that interrupted it or None.
    """
    if trainer.restore():
        if _report_restored(trainer):
            return True, None
    elif trainer.settings.start_from:
        trainer.load_weights(Run.open(trainer.settings.start_from))
    return False, None if _train_to_end(trainer) else trainer.stop_signal


def _report_restored(trainer: Trainer) -> bool:
    """Report the state from which training resumes; return whether it is already finished."""
    directory, state = trainer.run.directory, trainer.state
    if trainer.finished:
        print_line(f"{directory}: training is already finished, after epoch {int(state.epoch)}")
    elif trainer.epochs_are_done:
        print_line(f"{directory}: averaging the last epochs, after step {state.step:,}")
    else:
        epoch = trainer.epoch_name(int(state.epoch))
        print_line(f"{directory}: resuming after step {state.step:,}, in {epoch}")
    return trainer.finished


def _train_to_end(trainer: Trainer) -> bool:
    """Train, and report the end; return False if interrupted."""
    directory, state = trainer.run.directory, trainer.state
    with _advising():
        finished = trainer.train()
    if finished:
        best = f"best validation BLEU {float(state.best_bleu):.2f}"
        print_line(f"{directory}: finished after step {state.step:,}; {best}")
        _report_early_stopping(trainer)
    else:
        print_line(f"{directory}: saved after step {state.step:,}")
    return finished


@contextlib.contextmanager
def _advising() -> Iterator[None]:
    """Add advice to `TrainingDiverged`."""
    try:
        yield
    except TrainingDiverged as error:
        raise TrainingDiverged(f"{error}: {DIVERGED}") from error


def _report_early_stopping(trainer: Trainer) -> None:
    """Report if training ended before the last epoch."""
    if trainer.stopped_early and not trainer.epochs_are_up:
        print_line(
            f"{trainer.run.directory}: stopped early, after epoch {int(trainer.state.epoch)} of "
            f"{trainer.epochs}: no better weights in {counted(trainer.settings.patience, 'epoch')}"
        )

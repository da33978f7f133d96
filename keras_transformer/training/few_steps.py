"""The warning that a training has too few steps."""

from keras_transformer.config import TrainingConfig
from keras_transformer.counting import counted

# With fewer steps than this, a network with random weights does not learn to translate anything.
STEPS_TO_TRANSLATE = 500


def few_steps_lines(training: TrainingConfig, steps: int, time_is_short: bool = False) -> list[str]:
    """Return a line that says so if a training has too few steps.

    These are fewer than `STEPS_TO_TRANSLATE`, if the training does not start from another run, or
    no more than the learning rate takes to reach its peak.

    Args:
        training: the settings.
        steps: the number of steps of the training.
        time_is_short: whether a time budget ends the training, and not the number of epochs.
    """
    warmup_steps = training.warmup_steps
    ends_before_peak = warmup_steps >= steps
    if not ends_before_peak and (training.start_from or steps >= STEPS_TO_TRANSLATE):
        return []
    needed = "more time is" if time_is_short else "more epochs or smaller batches are"
    rises = f", and the learning rate rises for {warmup_steps:,}" if ends_before_peak else ""
    return [f"training has only about {counted(steps, 'step')}{rises}: {needed} needed"]

"""The warning that a corpus has too few pairs."""

from keras_transformer.config import TrainingConfig
from keras_transformer.counting import counted

# A network with random weights learns fewer pairs than this by heart, and translates nothing else.
PAIRS_TO_TRANSLATE = 100


def few_pairs_lines(training: TrainingConfig, pairs: int) -> list[str]:
    """Return a line that says so if a training that starts from no other run has too few pairs.

    Args:
        training: the settings.
        pairs: the number of training pairs that are used.
    """
    if training.start_from or pairs >= PAIRS_TO_TRANSLATE:
        return []
    return [
        f"training has only {counted(pairs, 'pair')}: a new network learns them by heart and "
        "cannot translate others; more pairs are needed, or a run to start from"
    ]

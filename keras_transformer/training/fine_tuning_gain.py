"""What fine-tuning gained: the BLEU of new and of old pairs, before and after it."""

from typing import NamedTuple

from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.text.corpus import Corpus
from keras_transformer.training.evaluation_pairs import new_and_old_pairs
from keras_transformer.training.lines import print_line
from keras_transformer.training.trainer import Trainer


class Score(NamedTuple):
    """The BLEU of some pairs before and after fine-tuning.

    Attributes:
        name: what the pairs are.
        sentences: number of pairs.
        before, after: BLEU of greedy translations.
    """

    name: str
    sentences: int
    before: float
    after: float


def report_gain(trainer: Trainer, corpus: Corpus) -> None:
    """Report the BLEU of new and old pairs before and after fine-tuning.

    If the run that training started from can no longer be read, a line says so.

    Args:
        trainer: the `Trainer`, which has finished.
        corpus: the corpus of the run.
    """
    try:
        scores = _scores(trainer, corpus)
    except UserError as error:
        print_line(f"{trainer.run.directory}: no BLEU before fine-tuning: {error}")
        return
    for score in scores:
        print_line(
            f"{score.name}: BLEU {score.before:.2f} before, {score.after:.2f} after fine-tuning, "
            f"of {score.sentences:,} sentences with greedy search"
        )


def _scores(trainer: Trainer, corpus: Corpus) -> list[Score]:
    """Return the scores of new pairs and, if they are available, of old ones."""
    parts = new_and_old_pairs(trainer, corpus)
    # Not `Trainer.load_weights`, in which all workers take part.
    Run.open(str(trainer.settings.start_from)).restore_weights(trainer.model)
    before = [trainer.validator.bleu(pairs) for pairs in parts.values()]
    trainer.run.restore_weights(trainer.model)
    after = [trainer.validator.bleu(pairs) for pairs in parts.values()]
    counts = map(len, parts.values())
    return list(map(Score, parts, counts, before, after))

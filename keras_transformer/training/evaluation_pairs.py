"""The pairs on which a trained network is evaluated; after fine-tuning, new and old ones."""

from keras_transformer.text.corpus import Corpus
from keras_transformer.text.encoded_pairs import EncodedPairs
from keras_transformer.text.pairs import Pair, Pairs
from keras_transformer.training.corpora import old_corpus, why_no_old_pairs
from keras_transformer.training.trainer import Trainer

SELECTION_PAIRS = 1_000  # validation pairs on which the decoding is selected


def selection_pairs(trainer: Trainer) -> list[Pair]:
    """Return the pairs on which the decoding of a run is selected.

    They are validation pairs. With old training pairs, they are mixed with old pairs in the same
    way, because the best decoding for the new ones alone may be bad for the old ones.
    """
    new = trainer.validation_pairs.sample(SELECTION_PAIRS)
    mix = trainer.settings.mix
    if not mix:
        return new
    count = min(SELECTION_PAIRS, round(len(new) * mix / (1 - mix)))
    return new + _sample(trainer, old_corpus(trainer.run.config).validation, count)


def new_and_old_pairs(trainer: Trainer, corpus: Corpus) -> dict[str, list[Pair]]:
    """Return {name: pairs} of a fine-tuned run: new ones and, if they are available, old ones.

    Args:
        trainer: the `Trainer` of the run.
        corpus: its `Corpus`.

    Raises:
        UserError: If the old pairs cannot be read.
    """
    parts = {f"{corpus.validation} (new)": trainer.sample}
    if not why_no_old_pairs(trainer.run.config):
        corpus = old_corpus(trainer.run.config)
        old = corpus.validation if corpus.test is None else corpus.test
        parts[f"{old} (old)"] = _sample(trainer, old, trainer.settings.bleu_sentences)
    return parts


def _sample(trainer: Trainer, pairs: Pairs, count: int) -> list[Pair]:
    """Return a sample of at most `count` pairs that are not too long."""
    return EncodedPairs(pairs, trainer.validation_pairs.encoding).sample(count)

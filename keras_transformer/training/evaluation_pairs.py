"""The pairs on which a trained network is evaluated; after fine-tuning, new and old ones."""

from keras_transformer.config import Config
from keras_transformer.text.corpus import Corpus
from keras_transformer.text.encoded_pairs import EncodedPairs
from keras_transformer.text.pairs import Pair
from keras_transformer.training.corpora import old_corpus, why_no_old_pairs
from keras_transformer.training.trainer import Trainer

SELECTION_PAIRS = 1_000  # validation pairs on which the decoding is selected


def selection_pairs(
    config: Config, validation_pairs: EncodedPairs, most: int = SELECTION_PAIRS
) -> list[Pair]:
    """Return the pairs on which the decoding of a run is selected.

    They are validation pairs. With old training pairs, they are mixed with old pairs in the same
    way, because the best decoding for the new ones alone may be bad for the old ones.

    Args:
        config: the settings of the run.
        validation_pairs: its validation pairs.
        most: maximum number of new pairs, and of old ones.

    Raises:
        UserError: If the old pairs cannot be read.
    """
    new = validation_pairs.sample(most)
    mix = config.training.mix
    if not mix:
        return new
    count = min(most, round(len(new) * mix / (1 - mix)))
    old = EncodedPairs(old_corpus(config).validation, validation_pairs.encoding)
    return new + old.sample(count)


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
        encoded = EncodedPairs(old, trainer.validation_pairs.encoding)
        parts[f"{old} (old)"] = encoded.sample(trainer.settings.bleu_sentences)
    return parts

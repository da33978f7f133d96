"""Fine-tuning: a run that starts with the subwords and the best weights of another run."""

from collections.abc import Mapping
from typing import NamedTuple

from keras_transformer.config import Config
from keras_transformer.errors import RunMismatch, UserError
from keras_transformer.runs.run import Run
from keras_transformer.text.corpus import Corpus
from keras_transformer.text.encoded_pairs import EncodedPairs
from keras_transformer.text.pairs import Pair, Pairs
from keras_transformer.training.corpora import old_corpus, why_no_old_pairs
from keras_transformer.training.reporting import print_line
from keras_transformer.training.trainer import Trainer

# What a run does not inherit from the run that it starts from. The network already translates, so
# a few epochs suffice. Learning rate and decay were chosen on validation pairs: see
# benchmarks/README.md.
SETTINGS: Mapping[str, object] = {
    "train": (),
    "validation": (),
    "epochs": 20,
    "hours": None,
    "peak_learning_rate": 0.002,
    "warmup_steps": 50,
    "decay_epochs": 10,
    "both_directions": 0,
    "patience": 5,
    "average_last": 0,
    "start_from": None,
    "mix": None,
}
# Settings of the network that leave the shapes of the weights as they are.
DROPOUT = {"rate", "attention_rate", "activation_rate"}
SELECTION_PAIRS = 1_000  # validation pairs on which the decoding is selected
MIX = 0.5  # default share of old pairs, if there are any


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


def fine_tuned_config(chosen: Mapping[str, object]) -> Config:
    """Return the `Config` of a new run that starts from another run.

    Args:
        chosen: {name: value} of the settings that the user chose, among them `start_from`.

    Raises:
        NoRun: If there is no run to start from.
        RunMismatch: If a setting of the subwords or of the network differs from that of the run.
    """
    start = Run.open(str(chosen["start_from"]))
    config = start.config.with_settings({**SETTINGS, **chosen})
    _check_network(start, config)
    if config.training.mix is not None:
        return config
    return config.with_settings({"mix": 0.0 if why_no_old_pairs(config) else MIX})


def _check_network(start: Run, config: Config) -> None:
    """Raise `RunMismatch` if weights or subwords do not suit the settings of a new run."""
    old, new = start.config.flat(), config.flat()
    for name in (*vars(config.text), *vars(config.model)):
        if new[name] != old[name] and name not in DROPOUT:
            raise RunMismatch(
                f"{start.directory} has {name} {old[name]}, not {new[name]}: a run keeps the "
                "subwords and the network of the run that it starts from"
            )


def describe_start(config: Config) -> str:
    """Return a sentence about the run that a new run starts from, and the share of old pairs."""
    training = config.training
    start = f"starts with the weights of {training.start_from}"
    if training.mix:
        return f"{start}; {training.mix:.0%} of the pairs of each epoch are old ones"
    why = why_no_old_pairs(config)
    return f"{start}, without old pairs{f', because {why}' if why else ''}"


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
    parts = {f"{corpus.validation} (new)": trainer.sample}
    if not why_no_old_pairs(trainer.run.config):
        corpus = old_corpus(trainer.run.config)
        old = corpus.validation if corpus.test is None else corpus.test
        parts[f"{old} (old)"] = _sample(trainer, old, trainer.settings.bleu_sentences)
    # Not `Trainer.load_weights`, in which all workers take part.
    Run.open(str(trainer.settings.start_from)).restore_weights(trainer.model)
    before = [trainer.validator.bleu(pairs) for pairs in parts.values()]
    trainer.run.restore_weights(trainer.model)
    after = [trainer.validator.bleu(pairs) for pairs in parts.values()]
    counts = map(len, parts.values())
    return list(map(Score, parts, counts, before, after))


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


def _sample(trainer: Trainer, pairs: Pairs, count: int) -> list[Pair]:
    """Return a sample of at most `count` pairs that are not too long."""
    return EncodedPairs(pairs, trainer.validation_pairs.encoding).sample(count)

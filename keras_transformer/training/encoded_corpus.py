"""The pairs of a run as ids, which are all encoded and counted before training."""

from typing import NamedTuple, Self

from keras_transformer.counting import counted
from keras_transformer.runs.layout import TRAINING_IDS, VALIDATION_IDS
from keras_transformer.runs.run import Run
from keras_transformer.text.corpus import Corpus
from keras_transformer.text.encoded_pairs import (
    CachedPairs,
    EncodedPairs,
    SavedPairs,
    Survey,
    check_kept,
)
from keras_transformer.training.few_pairs import few_pairs_lines
from keras_transformer.training.few_steps import few_steps_lines
from keras_transformer.training.lines import print_line
from keras_transformer.training.schedule import make_schedule


class EncodedCorpus(NamedTuple):
    """The pairs of a run as ids.

    Attributes:
        train, validation: the training and the validation pairs.
        survey: the `Survey` of the training pairs.
    """

    train: EncodedPairs
    validation: EncodedPairs
    survey: Survey

    @classmethod
    def of(cls, run: Run, corpus: Corpus, kind: type[SavedPairs] = CachedPairs) -> Self:
        """Encode a corpus with the subwords of a run, and report what is dropped.

        All pairs are encoded before training, so that a malformed line is found now, not later.

        Args:
            run: the `Run`, with its subword models.
            corpus: its `Corpus`.
            kind: `CachedPairs`, which save the ids in the run directory, or `SavedPairs`, which
                only read them there.

        Raises:
            UserError: If a file cannot be read, or no pairs are left.
        """
        encoding = run.encoding()
        train = kind(run.directory / TRAINING_IDS, corpus.train, encoding)
        validation = kind(run.directory / VALIDATION_IDS, corpus.validation, encoding)
        survey = _survey(run, "training", train)
        _survey(run, "validation", validation)
        _report_too_few(run, survey)
        return cls(train, validation, survey)


def _survey(run: Run, part: str, pairs: EncodedPairs) -> Survey:
    """Return the `Survey` of some pairs, and report it.

    Raises:
        UserError: If no pairs are left.
    """
    survey = pairs.survey()
    print_line(
        f"{run.directory}: {counted(survey.kept, f'{part} pair')} from {pairs.pairs}; "
        f"dropped: {survey.too_long:,} longer than "
        f"{pairs.encoding.max_source_length}/{pairs.encoding.max_target_length} subwords, "
        f"{survey.empty:,} with an empty side"
    )
    check_kept(pairs.pairs, survey.kept)
    return survey


def _report_too_few(run: Run, survey: Survey) -> None:
    """Report too few pairs or steps. The planner reports too few steps in a time budget."""
    training = run.config.training
    lines = few_pairs_lines(training, survey.kept)
    if not training.hours:
        lines += few_steps_lines(training, make_schedule(run.config, survey).total_steps)
    for line in lines:
        print_line(f"{run.directory}: {line}")

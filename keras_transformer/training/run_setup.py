"""The run directory before training: a new run is started in it, or an existing one resumed."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from keras_transformer.config import Config
from keras_transformer.errors import PathTaken, RunMismatch, UserError
from keras_transformer.runs.checkpoints import has_remains, saved_checkpoints
from keras_transformer.runs.config_file import is_average
from keras_transformer.runs.directories import (
    check_is_run,
    check_is_run_or_empty,
    has_run,
    set_aside,
    visible_names,
)
from keras_transformer.runs.layout import (
    AVERAGE,
    BEST,
    CASING,
    CONFIG,
    EXAMPLES,
    LATER,
    LOGS,
    MANIFEST,
    SUBWORD_MODELS,
    TRAINING_IDS,
    VALIDATION_IDS,
)
from keras_transformer.runs.lock import locked
from keras_transformer.runs.run import Run
from keras_transformer.runs.saving import clean_up
from keras_transformer.text.corpus import Corpus
from keras_transformer.text.examples import example_sentences
from keras_transformer.training.budget import make_budget
from keras_transformer.training.choices import changed_config, new_config
from keras_transformer.training.corpora import open_training_corpus
from keras_transformer.training.fine_tuning import describe_start
from keras_transformer.training.lines import print_line
from keras_transformer.training.measurement import Measurer
from keras_transformer.training.planner import Planner
from keras_transformer.translation.truecasing import Truecaser

PREPARED = (CASING, EXAMPLES, *SUBWORD_MODELS)  # the files of a new run beside its config


def set_aside_existing(directory: Path) -> None:
    """Rename a run directory that exists, unless another process is training the run.

    Raises:
        PathTaken: If the directory contains something else.
    """
    if directory.is_dir() and visible_names(directory):
        check_is_run(directory)
        with locked(directory):
            print_line(f"{directory} is renamed to {set_aside(directory)}")


def resume_or_start(
    directory: Path, chosen: Mapping[str, object], begin: float
) -> tuple[Run, Corpus]:
    """Return the run in a directory and its corpus; start a run if no state was saved there.

    Args:
        directory: the run directory, which is locked.
        chosen: {name: value} of the settings that the user chose.
        begin: the time at which the command began, of `time.monotonic`.

    Raises:
        UserError: If a setting or a file is invalid.
        RunMismatch: If the run cannot be resumed with these settings or pairs.
    """
    check_is_run_or_empty(directory)
    for each in (directory, directory / BEST, directory / AVERAGE) if has_run(directory) else ():
        clean_up(each)
    run = existing_run(directory)
    config = changed_config(run, chosen) if run else new_config(chosen)
    corpus = open_training_corpus(config)
    if run is None:
        return start_run(directory, config, corpus, chosen, begin), corpus
    return _resume(run, config, corpus), corpus


def _resume(run: Run, config: Config, corpus: Corpus) -> Run:
    """Return a run with its new settings, and with the files that earlier versions did not save."""
    check_corpus(run, corpus)
    _remove_other_average(run, config)
    run = Run.create(run.directory, config)  # the epochs may have changed
    if run.manifest is None:
        run.seal(_fingerprints(corpus))
    _learn_casing(run, corpus)
    return run


def _remove_other_average(run: Run, config: Config) -> None:
    """Remove the average of another number of epochs than the new settings of a run say.

    Training then averages again, even if it was finished.
    """
    number = config.training.average_last
    if number not in (0, run.config.training.average_last):
        shutil.rmtree(run.directory / AVERAGE, ignore_errors=True)


def existing_run(directory: Path) -> Run | None:
    """Return the run in a directory, or None if no run has saved a checkpoint there yet.

    Raises:
        UserError: If the run is damaged.
        PathTaken: If the directory contains an average.
        RunMismatch: If the directory contains parts of a trained run, but no state from which to
            resume.
    """
    if saved_checkpoints(directory):
        return Run.open(directory)
    if is_average(directory):
        raise PathTaken(f"{directory} is an average of checkpoints, which cannot be trained")
    if has_remains(directory) or any((directory / name).exists() for name in LATER):
        raise RunMismatch(
            f"{directory} contains parts of a trained run, but no state from which to resume"
        )
    return None


def start_run(
    directory: Path, config: Config, corpus: Corpus, chosen: Mapping[str, object], begin: float
) -> Run:
    """Return a new run, with its subword models and, if it has a time budget, planned settings.

    Args:
        directory: the run directory, which is locked.
        config: the `Config` of the run, before planning.
        corpus: its `Corpus`.
        chosen: {name: value} of the settings that the user chose.
        begin: the time at which the command began, of `time.monotonic`.

    Raises:
        UserError: If the corpus does not suit the settings. The files of the run are removed then.
    """
    # What a start without a saved state left would otherwise become part of this run.
    _remove(directory, MANIFEST, *PREPARED)
    budget = make_budget(config.training, begin)
    planner = Planner(chosen, budget, Measurer(corpus.train)) if budget else None
    run = Run.create(directory, planner.with_vocabulary(config) if planner else config)
    wanted = run.config.text.vocab_size
    try:
        prepare_files(run, corpus, exact="vocab_size" in chosen)
        _report_smaller_vocabulary(run, wanted)
        if planner:
            run = _planned(run, planner)
    except UserError:
        _remove(directory, CONFIG, *PREPARED, TRAINING_IDS, VALIDATION_IDS)
        raise
    run.seal(_fingerprints(corpus))
    if config.training.start_from:
        print_line(f"{directory}: {describe_start(config)}")
    return run


def _remove(directory: Path, *names: str) -> None:
    """Delete files of a run, as far as they exist, and its logs."""
    for name in names:
        (directory / name).unlink(missing_ok=True)
    shutil.rmtree(directory / LOGS, ignore_errors=True)


def _planned(run: Run, planner: Planner) -> Run:
    """Save and report the settings planned for a run."""
    config, _ = planner.measured(run)
    for line in planner.reasons:
        print_line(f"{run.directory}: {line}")
    return Run.create(run.directory, config)


def prepare_files(run: Run, corpus: Corpus, exact: bool) -> None:
    """Make or copy the files of a new run that do not depend on the network.

    Args:
        run: the `Run`.
        corpus: its `Corpus`.
        exact: whether the vocabulary must have the size that the settings say.
    """
    if start := run.config.training.start_from:
        run.copy_subwords(Run.open(start))
    else:
        run.make_subwords(corpus.train.vocabulary(), exact)
    _learn_casing(run, corpus)
    run.save_examples(example_sentences(corpus.validation))


def _learn_casing(run: Run, corpus: Corpus) -> None:
    """Save the capitals of the training targets if the subwords have none and the run has none."""
    if run.config.text.subwords != "pretrained" or run.has(CASING):
        return
    with run.replacing(CASING) as path:
        Truecaser.learn(target for _, target in corpus.train.vocabulary()).save(path)
    run.remove_decoding()


def _report_smaller_vocabulary(run: Run, wanted: int | None) -> None:
    """Report if the corpus was too small for the wanted number of subwords."""
    size = run.config.text.vocab_size
    if size != wanted:
        print_line(
            f"{run.directory}: the corpus is too small for {wanted:,} subwords; "
            f"the vocabulary has {size:,}, the largest possible number"
        )


def _fingerprints(corpus: Corpus) -> dict[str, str]:
    """Return the SHA-256 of the training and validation pairs."""
    return {
        "train": corpus.train.fingerprint(),
        "validation": corpus.validation.fingerprint(),
    }


def check_corpus(run: Run, corpus: Corpus) -> None:
    """Raise `RunMismatch` if the pairs differ from those that the run was started with."""
    if run.manifest and run.manifest.corpus != _fingerprints(corpus):
        raise RunMismatch(
            f"{run.directory} was started with other sentence pairs than those that {corpus.train} "
            f"and {corpus.validation} contain now"
        )

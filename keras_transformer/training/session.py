"""A training session: start or resume a run, train it, and finish it."""

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import tensorflow as tf

from keras_transformer.config import Config
from keras_transformer.errors import PathTaken, RunMismatch, TrainingDiverged, UserError
from keras_transformer.memory import keep_freed_memory
from keras_transformer.runs.checkpoints import has_remains, saved_checkpoints
from keras_transformer.runs.lock import LOCK, locked
from keras_transformer.runs.manifest import MANIFEST, SUBWORD_MODELS
from keras_transformer.runs.run import (
    AVERAGE,
    BEST,
    CASING,
    CONFIG,
    EXAMPLES,
    LATER,
    TRAINING_IDS,
    VALIDATION_IDS,
    Run,
    check_is_run,
    check_is_run_or_empty,
    set_aside,
)
from keras_transformer.runs.saving import clean_up
from keras_transformer.text.corpus import Corpus
from keras_transformer.text.encoded_pairs import CachedPairs, EncodedPairs, SavedPairs, Survey
from keras_transformer.text.examples import example_sentences
from keras_transformer.training.budget import Budget
from keras_transformer.training.choices import (
    all_chosen,
    changed_config,
    default_directory,
    new_config,
)
from keras_transformer.training.corpora import open_training_corpus
from keras_transformer.training.fine_tuning import (
    describe_start,
    report_gain,
)
from keras_transformer.training.finishing import finish
from keras_transformer.training.objective import SHARES
from keras_transformer.training.preparation import (
    Planner,
    Preparation,
    check_kept,
    few_steps_lines,
)
from keras_transformer.training.reporting import print_line
from keras_transformer.training.schedule import make_schedule
from keras_transformer.training.strategies import make_strategy
from keras_transformer.training.trainer import Trainer
from keras_transformer.training.watch import watched
from keras_transformer.training.workers import Workers
from keras_transformer.translation.parallel import divide_cores
from keras_transformer.translation.truecasing import Truecaser
from keras_transformer.version import __version__

Encoded: TypeAlias = tuple[EncodedPairs, EncodedPairs, Survey]  # training, validation

DIVERGED = (
    "nothing was saved, earlier states are kept; training needs a smaller peak_learning_rate, a "
    "larger warmup_steps or a clip_norm; the setting skip_bad_steps allows some such steps"
)


@dataclass(frozen=True)
class Result:
    """The outcome of `train`.

    Attributes:
        directory: the run directory.
        finished: whether training is complete; False after Ctrl-C.
        was_finished: whether training was already complete before the call.
        example: a sentence to translate with the run, or None.
        stopped_early: whether early stopping ended the training.
        time_was_up: whether a time budget ended the training.
        signal: number of the signal that interrupted the training, or None.
    """

    directory: Path
    finished: bool
    was_finished: bool = False
    example: str | None = None
    stopped_early: bool = False
    signal: int | None = None
    time_was_up: bool = False


def train(
    settings: Mapping[str, object],
    directory: Path | str | None = None,
    fresh: bool = False,
    config_file: Path | str | None = None,
    strategy: str | None = None,
) -> Result:
    """Train a run, or resume it, until it is finished or interrupted.

    Args:
        settings: {name: value} of the settings that the user chose.
        directory: the run directory; by default named after the corpus and the languages.
        fresh: whether to start from scratch and rename an existing run.
        config_file: a JSON file with more settings; `settings` take precedence.
        strategy: "mirrored" for all local devices, "multiworker" for the workers in TF_CONFIG, or
            None; see `make_strategy`. A run may be resumed with another strategy. Workers other
            than the chief read the settings from the run directory, which all must share.

    Raises:
        UserError: If a setting, a file or the run directory is invalid, or cannot be written.
        RunMismatch: If the directory contains a run that cannot be resumed with these settings.
        RunLocked: If another process is training the run.
        TrainingDiverged: If the loss or a gradient is not a finite number.
        WorkerLost: If another worker no longer responds.
    """
    begin = time.monotonic()
    keep_freed_memory()
    divide_cores(SHARES)
    workers = Workers(make_strategy(strategy))
    chosen = all_chosen(settings, config_file)
    directory = Path(directory or default_directory(chosen))
    _check_start(directory, chosen)
    if not workers.is_chief:
        return _assist(directory, workers)
    if fresh:
        directory = Path(os.path.abspath(directory))  # the current directory may be renamed
        config = new_config(chosen)
        corpus = open_training_corpus(config)
        _set_aside(directory)
        with locked(directory):
            run = _start(directory, config, corpus, chosen, begin)
            return _lead(run, corpus, workers, begin)
    if not directory.is_dir():
        open_training_corpus(new_config(chosen))  # an error must leave no directory behind
    with locked(directory):
        return _lead(*_continue(directory, chosen, begin), workers, begin)


def dry_run(
    settings: Mapping[str, object], config_file: Path | str | None = None
) -> tuple[Config, Preparation]:
    """Prepare a new run in a temporary directory, and take a few steps to measure them.

    Args:
        settings, config_file: see `train`.

    Returns:
        The config that the run would have, and the `Preparation`.

    Raises:
        UserError: If a setting or a file is invalid.
    """
    begin = time.monotonic()
    keep_freed_memory()
    divide_cores(SHARES)
    chosen = all_chosen(settings, config_file)
    config = new_config(chosen)
    corpus = open_training_corpus(config)
    planner = Planner(chosen, _budget(config, begin), corpus)
    with tempfile.TemporaryDirectory() as folder:
        run = Run.create(folder, planner.with_vocabulary(config))
        _prepare(run, corpus, exact="vocab_size" in chosen)
        return planner.measured(run)


def _check_start(directory: Path, chosen: Mapping[str, object]) -> None:
    """Raise `PathTaken` if a run would start from itself, or from a run that started from it."""
    seen = {directory.resolve()}
    for origin in _origins(chosen.get("start_from")):
        if origin.resolve() in seen:
            raise PathTaken(
                f"{directory} cannot start from itself, or from a run that started from it"
            )
        seen.add(origin.resolve())


def _origins(start: object) -> Iterator[Path]:
    """Yield the run that a run starts from, the one that this run started from, and so on."""
    while start:
        directory = Path(str(start))
        yield directory
        # A run that does not exist is reported when it is needed.
        is_run = (directory / CONFIG).is_file()
        start = Run.open(directory).config.training.start_from if is_run else None


def _budget(config: Config, begin: float) -> Budget | None:
    """Return the time budget of a run that has one.

    Args:
        config: the config of the run.
        begin: the time at which the command began, of `time.monotonic`.
    """
    hours = config.training.hours
    return Budget(hours, begin) if hours else None


def _lead(run: Run, corpus: Corpus, workers: Workers, begin: float) -> Result:
    """Train a run, as the only worker or as the chief of several, since `begin`."""
    with watched(workers.cluster.others):
        with workers.chief_first():
            pairs = _encoded(run, corpus)
        trainer = _make_trainer(run, pairs, workers, begin)
        was_finished, signal = _train(trainer)
        if signal is None:
            finish(trainer, corpus)
            if run.config.training.start_from and not was_finished:
                report_gain(trainer, corpus)
        workers.wait()
    if signal is not None:
        return Result(run.directory, finished=False, signal=signal)
    example = next(iter(run.examples()), None)
    return Result(
        run.directory,
        True,
        was_finished,
        example,
        trainer.stopped_early,
        time_was_up=trainer.time_is_up,
    )


def _assist(directory: Path, workers: Workers) -> Result:
    """Train as a worker other than the chief, which makes the run, reports and saves.

    After the training, the worker waits for the chief: if the chief fails, all start again.
    """
    with watched(workers.cluster.others), _silently():
        with workers.chief_first():
            run = Run.open(directory)
            corpus = open_training_corpus(run.config)
            _check_corpus(run, corpus)
            pairs = _encoded(run, corpus, SavedPairs)
        trainer = _make_trainer(run, pairs, workers)
        was_finished, signal = _train(trainer)
        workers.wait()
    return Result(run.directory, signal is None, was_finished, None, trainer.stopped_early, signal)


def _make_trainer(
    run: Run, pairs: Encoded, workers: Workers, begin: float | None = None
) -> Trainer:
    """Return the `Trainer` of a worker, whose time budget, if any, began at `begin`.

    Raises:
        RunMismatch: If the workers have opened different runs.
    """
    if not workers.agree(repr((run.identity, run.config.to_json(), __version__, pairs[2]))):
        raise RunMismatch(
            f"{run.directory} is not the same run at all workers, which must share one run "
            "directory and have the same version of this package"
        )
    budget = _budget(run.config, time.monotonic() if begin is None else begin)
    return Trainer(run, *pairs, workers.strategy, budget)


@contextlib.contextmanager
def _silently() -> Iterator[None]:
    """Discard what is printed on standard output."""
    with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
        yield


def _set_aside(directory: Path) -> None:
    """Rename a run directory that exists, unless another process is training the run.

    Raises:
        PathTaken: If the directory contains something else.
    """
    if directory.is_dir() and any(path.name != LOCK for path in directory.iterdir()):
        check_is_run(directory)
        with locked(directory):
            print_line(f"{directory} is renamed to {set_aside(directory)}")


def _continue(directory: Path, chosen: Mapping[str, object], begin: float) -> tuple[Run, Corpus]:
    """Return the run in a directory and its corpus; start a run if no state was saved there."""
    check_is_run_or_empty(directory)
    for each in (directory, directory / BEST, directory / AVERAGE):
        clean_up(each)
    run = existing_run(directory)
    if run is None:
        config = new_config(chosen)
        corpus = open_training_corpus(config)
        return _start(directory, config, corpus, chosen, begin), corpus
    config = changed_config(run, chosen)
    corpus = open_training_corpus(config)
    _check_corpus(run, corpus)
    run = Run.create(directory, config)  # the epochs may have changed
    if run.manifest is None:
        run.seal(_fingerprints(corpus))
    _learn_casing(run, corpus)
    return run, corpus


def _start(
    directory: Path, config: Config, corpus: Corpus, chosen: Mapping[str, object], begin: float
) -> Run:
    """Return a new run, with its subword models and, if it has a time budget, planned settings."""
    (directory / MANIFEST).unlink(missing_ok=True)
    budget = _budget(config, begin)
    planner = Planner(chosen, budget, corpus) if budget else None
    run = Run.create(directory, planner.with_vocabulary(config) if planner else config)
    wanted = run.config.text.vocab_size
    try:
        _prepare(run, corpus, exact="vocab_size" in chosen)
        _report_smaller_vocabulary(run, wanted)
        if planner:
            run = _planned(run, planner)
    except UserError:
        for name in (CONFIG, CASING, EXAMPLES, *SUBWORD_MODELS):
            (directory / name).unlink(missing_ok=True)
        raise
    run.seal(_fingerprints(corpus))
    if config.training.start_from:
        print_line(f"{directory}: {describe_start(config)}")
    return run


def _planned(run: Run, planner: Planner) -> Run:
    """Save and report the settings planned for a run."""
    config, preparation = planner.measured(run)
    for line in preparation.reasons:
        print_line(f"{run.directory}: {line}")
    return Run.create(run.directory, config)


def _fingerprints(corpus: Corpus) -> dict[str, str]:
    """Return the SHA-256 of the training and validation pairs."""
    return {
        "train": corpus.train.fingerprint(),
        "validation": corpus.validation.fingerprint(),
    }


def _check_corpus(run: Run, corpus: Corpus) -> None:
    """Raise `RunMismatch` if the pairs differ from those that the run was started with."""
    if run.manifest and run.manifest.corpus != _fingerprints(corpus):
        raise RunMismatch(
            f"{run.directory} was started with other sentence pairs than those that {corpus.train} "
            f"and {corpus.validation} contain now"
        )


def _prepare(run: Run, corpus: Corpus, exact: bool) -> None:
    """Make or copy the files of a new run that do not depend on the network."""
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


def existing_run(directory: Path) -> Run | None:
    """Return the run in a directory, or None if no run has saved a checkpoint there yet.

    Raises:
        UserError: If the run is damaged.
        RunMismatch: If the directory contains parts of a trained run, but no state from which to
            resume.
    """
    if saved_checkpoints(directory):
        return Run.open(directory)
    if has_remains(directory) or any((directory / name).exists() for name in LATER):
        raise RunMismatch(
            f"{directory} contains parts of a trained run, but no state from which to resume"
        )
    return None


def make_trainer(
    run: Run, corpus: Corpus, strategy: tf.distribute.Strategy | None = None
) -> Trainer:
    """Return a `Trainer` for a run and a corpus, and report how many pairs are dropped."""
    return Trainer(run, *_encoded(run, corpus), strategy)


def _encoded(run: Run, corpus: Corpus, kind: type[SavedPairs] = CachedPairs) -> Encoded:
    """Return the training and validation pairs, and the survey of the former.

    All pairs are encoded before training, so that a malformed line is found now, not later.
    """
    encoding = run.encoding()
    train_pairs = kind(run.directory / TRAINING_IDS, corpus.train, encoding)
    validation_pairs = kind(run.directory / VALIDATION_IDS, corpus.validation, encoding)
    survey = _survey(run, "training", train_pairs)
    _survey(run, "validation", validation_pairs)
    _report_few_steps(run, survey)
    return train_pairs, validation_pairs, survey


def _report_few_steps(run: Run, survey: Survey) -> None:
    """Report if the training has too few steps."""
    steps = make_schedule(run.config, survey).total_steps
    for line in few_steps_lines(run.config.training, steps):
        print_line(f"{run.directory}: {line}")


def _survey(run: Run, part: str, pairs: EncodedPairs) -> Survey:
    """Return the `Survey` of some pairs, and report it.

    Raises:
        UserError: If no pairs are left.
    """
    survey = pairs.survey()
    print_line(
        f"{run.directory}: {survey.kept:,} {part} pairs from {pairs.pairs}; "
        f"dropped: {survey.too_long:,} longer than "
        f"{pairs.encoding.max_source_length}/{pairs.encoding.max_target_length} subwords, "
        f"{survey.empty:,} with an empty side"
    )
    check_kept(pairs.pairs, survey)
    return survey


def _train(trainer: Trainer) -> tuple[bool, int | None]:
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
    if trainer.stopped_early and int(trainer.state.epoch) < trainer.epochs:
        print_line(
            f"{trainer.run.directory}: stopped early, after epoch {int(trainer.state.epoch)} of "
            f"{trainer.epochs}: no better weights in {trainer.settings.patience} epochs"
        )

"""A training session: start or resume a run, train it, and finish it."""

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from keras_transformer.errors import RunMismatch, UserError
from keras_transformer.files import check_directory_path
from keras_transformer.memory import keep_freed_memory
from keras_transformer.runs.directories import check_is_run_or_empty
from keras_transformer.runs.lock import locked
from keras_transformer.runs.run import Run
from keras_transformer.text.corpus import Corpus
from keras_transformer.text.encoded_pairs import SavedPairs
from keras_transformer.threads import divide_cores
from keras_transformer.training.budget import make_budget
from keras_transformer.training.choices import all_chosen, default_directory, new_config
from keras_transformer.training.corpora import open_training_corpus
from keras_transformer.training.encoded_corpus import EncodedCorpus
from keras_transformer.training.finishing import finish
from keras_transformer.training.objective import SHARES
from keras_transformer.training.origins import check_start
from keras_transformer.training.reported_training import restore_and_train
from keras_transformer.training.run_setup import (
    check_corpus,
    resume_or_start,
    set_aside_existing,
    start_run,
)
from keras_transformer.training.strategies import make_strategy
from keras_transformer.training.trainer import Trainer
from keras_transformer.training.watch import watched
from keras_transformer.training.workers import Workers
from keras_transformer.version import __version__


@dataclass(frozen=True)
class Result:
    """The outcome of `train`.

    Attributes:
        directory: the run directory.
        finished: whether training is complete; False if a signal interrupted it.
        was_finished: whether training was already complete before the call.
        example: a sentence to translate with the run, or None.
        stopped_early: whether early stopping ended the training.
        time_was_up: whether a time budget ended the training.
        epochs_were_up: whether the number of epochs ended the training.
        signal: number of the signal that interrupted the training, or None.
    """

    directory: Path
    finished: bool
    was_finished: bool = False
    example: str | None = None
    stopped_early: bool = False
    signal: int | None = None
    time_was_up: bool = False
    epochs_were_up: bool = False


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
    check_start(directory, chosen)
    if not workers.is_chief:
        return _assist(directory, workers)
    if fresh:
        directory = _lasting(directory)
        check_directory_path(directory)  # before the existing run is renamed
        config = new_config(chosen)
        corpus = open_training_corpus(config)
        set_aside_existing(directory)
        with locked(directory):
            run = start_run(directory, config, corpus, chosen, begin)
            return _lead(run, corpus, workers, begin)
    if directory.is_dir():
        check_is_run_or_empty(directory)  # before the lock is written there
    else:
        open_training_corpus(new_config(chosen))  # an error must leave no directory behind
    with locked(directory):
        return _lead(*resume_or_start(directory, chosen, begin), workers, begin)


def _lasting(directory: Path) -> Path:
    """Return a path that is valid after the directory, perhaps the current one, is renamed."""
    absolute, current = Path(os.path.abspath(directory)), Path.cwd()
    return absolute if absolute in (current, *current.parents) else directory


def _lead(run: Run, corpus: Corpus, workers: Workers, begin: float) -> Result:
    """Train a run, as the only worker or as the chief of several, since `begin`."""
    with watched(workers.cluster.others):
        with workers.chief_first():
            pairs = EncodedCorpus.of(run, corpus)
        trainer = _make_trainer(run, pairs, workers, begin)
        was_finished, signal = restore_and_train(trainer)
        if signal is None:
            finish(trainer, corpus)
        workers.wait()
    return _result(trainer, was_finished, signal)


def _assist(directory: Path, workers: Workers) -> Result:
    """Train as a worker other than the chief, which makes the run, reports and saves.

    After the training, the worker waits for the chief: if the chief fails, all start again.
    """
    with watched(workers.cluster.others), _silently():
        with workers.chief_first():
            run = Run.open(directory)
            corpus = open_training_corpus(run.config)
            _check_files_of_worker(run, corpus)
            pairs = EncodedCorpus.of(run, corpus, SavedPairs)
        trainer = _make_trainer(run, pairs, workers)
        was_finished, signal = restore_and_train(trainer)
        workers.wait()
    return _result(trainer, was_finished, signal)


def _check_files_of_worker(run: Run, corpus: Corpus) -> None:
    """Raise a `UserError` if a worker has other pairs than the chief, which has checked its own.

    It is no `RunMismatch`, for which a fresh start would help: the files of this worker are wrong.
    """
    try:
        check_corpus(run, corpus)
    except RunMismatch as error:
        raise UserError(f"{error}; every worker needs the same files") from error


def _result(trainer: Trainer, was_finished: bool, signal: int | None) -> Result:
    """Return the result of a training that ended, or was interrupted by a signal."""
    run = trainer.run
    if signal is not None:
        return Result(run.directory, finished=False, signal=signal)
    return Result(
        run.directory,
        finished=True,
        was_finished=was_finished,
        example=next(iter(run.examples()), None),
        stopped_early=trainer.stopped_early,
        time_was_up=trainer.time_is_up,
        epochs_were_up=trainer.epochs_are_up,
    )


def _make_trainer(
    run: Run, pairs: EncodedCorpus, workers: Workers, begin: float | None = None
) -> Trainer:
    """Return the `Trainer` of a worker, whose time budget, if any, began at `begin`.

    Raises:
        UserError: If the workers have opened different runs. It is no `RunMismatch`, for which a
            fresh start would help: the run of the chief is a good one.
    """
    if not workers.agree(repr((run.identity, run.config.to_json(), __version__, pairs.survey))):
        raise UserError(
            f"{run.directory} is not the same run at all workers, which must share one run "
            "directory and have the same version of this package"
        )
    return Trainer(run, *pairs, workers.strategy, make_budget(run.config.training, begin))


@contextlib.contextmanager
def _silently() -> Iterator[None]:
    """Discard what is printed on standard output."""
    with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
        yield

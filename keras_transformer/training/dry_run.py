"""A dry run: what training would take, from a few steps in a temporary run directory."""

import math
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from keras_transformer.config import Config
from keras_transformer.memory import keep_freed_memory
from keras_transformer.runs.run import Run
from keras_transformer.text.hold_out import HeldOutPairs
from keras_transformer.threads import divide_cores
from keras_transformer.training.budget import make_budget
from keras_transformer.training.choices import all_chosen, new_config
from keras_transformer.training.corpora import open_training_corpus
from keras_transformer.training.measurement import Measurement, Measurer
from keras_transformer.training.objective import SHARES
from keras_transformer.training.planner import Planner
from keras_transformer.training.run_setup import prepare_files


class DryRun(NamedTuple):
    """What a dry run found out and decided.

    Attributes:
        config: the `Config` that the run would have.
        measurement: the `Measurement` of the corpus and of training.
        validation_pairs: number of validation pairs.
        held_out: whether those are held out from the corpus.
        reasons: a line for each planned setting; none without a time budget.
        seconds: time for training that the plan is based on; infinite without a time budget.
        repetitions: positions of training pairs that repeat the first ones.
    """

    config: Config
    measurement: Measurement
    validation_pairs: int
    held_out: bool
    reasons: tuple[str, ...] = ()
    seconds: float = math.inf
    repetitions: range = range(0)


def dry_run(settings: Mapping[str, object], config_file: Path | str | None = None) -> DryRun:
    """Prepare a new run in a temporary directory, and take a few steps to measure them.

    Args:
        settings, config_file: see `session.train`.

    Raises:
        UserError: If a setting or a file is invalid.
    """
    begin = time.monotonic()
    keep_freed_memory()
    divide_cores(SHARES)
    chosen = all_chosen(settings, config_file)
    config = new_config(chosen)
    corpus = open_training_corpus(config)
    measurer = Measurer(corpus.train)
    budget = make_budget(config.training, begin)
    planner = Planner(chosen, budget, measurer) if budget else None
    with tempfile.TemporaryDirectory() as folder:
        run = Run.create(folder, planner.with_vocabulary(config) if planner else config)
        prepare_files(run, corpus, exact="vocab_size" in chosen)
        if planner:
            config, measurement = planner.measured(run)
        else:
            config, measurement = run.config, measurer.measured(run, measurer.lengths(run))
    return DryRun(
        config,
        measurement,
        validation_pairs=sum(1 for _ in corpus.validation),
        held_out=isinstance(corpus.validation, HeldOutPairs),
        reasons=tuple(planner.reasons) if planner else (),
        seconds=planner.seconds if planner else math.inf,
        repetitions=corpus.train.repetitions(),
    )

"""The planner: settings of a new run that suit its corpus and its time budget."""

from collections.abc import Mapping
from dataclasses import replace

from keras_transformer.config import Config, required
from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.training.budget import Budget
from keras_transformer.training.few_steps import few_steps_lines
from keras_transformer.training.measurement import BothLengths, Measurement, Measurer
from keras_transformer.training.planning import (
    Basis,
    Plan,
    plan_batches,
    plan_built_in,
    plan_lengths,
    plan_text,
    plan_training,
)
from keras_transformer.training.throughput import Throughput


class Planner:
    """Chooses the settings of a new run with a time budget that the user did not choose.

    Args:
        chosen: {name: value} of the settings that the user chose.
        budget: the `Budget`, which is told the number of pairs and the duration of a step.
        measurer: measures the training pairs.

    Attributes:
        reasons: a line for each decision so far.
        seconds: time that is left for training, in seconds; 0 before it is known.
    """

    def __init__(self, chosen: Mapping[str, object], budget: Budget, measurer: Measurer) -> None:
        self._chosen = chosen
        self._budget = budget
        self._measurer = measurer
        # The built-in corpus has a vocabulary, lengths and a network of its own.
        self._is_built_in = not chosen.get("train")
        budget.num_pairs = measurer.text.pairs
        self.reasons: list[str] = []
        self.seconds = 0.0

    def with_vocabulary(self, config: Config) -> Config:
        """Return a config with the planned vocabulary."""
        if self._is_built_in:
            return config
        return self._planned(config, plan_text(self._measurer.text, self._chosen))

    def measured(self, run: Run) -> tuple[Config, Measurement]:
        """Return the complete config of a run with subword models, and what it is based on.

        Raises:
            UserError: If all pairs are empty or too long, or no time is left for training.
        """
        lengths = self._measurer.lengths(run)
        run = Run(run.directory, self._with_lengths(run.config, lengths))
        measurement = self._measurer.measured(run, lengths)
        basis = self._with_training(run.config, measurement.throughput)
        return basis.config, measurement._replace(throughput=basis.throughput)

    def _with_lengths(self, config: Config, lengths: BothLengths) -> Config:
        """Return a config with the planned maximum lengths."""
        if self._is_built_in:
            return config
        joint = config.text.joint_vocabulary
        return self._planned(config, plan_lengths(*lengths, joint, self._chosen))

    def _with_training(self, config: Config, throughput: Throughput) -> Basis:
        """Return a basis with settings for the number of epochs for which there is time."""
        self.seconds = self._seconds_left(throughput)
        basis = Basis(config, throughput, self.seconds, self._chosen)
        if self._is_built_in:
            config = self._planned(config, plan_built_in(basis))
        else:
            basis = self._with_batches(basis)
            config = self._planned(basis.config, plan_training(basis))
        passes = sum(1 + config.training.reversals(epoch) for epoch in range(basis.limit))
        time_is_short = basis.affordable < passes
        self.reasons += few_steps_lines(config.training, round(basis.steps), time_is_short)
        return replace(basis, config=config)

    def _seconds_left(self, throughput: Throughput) -> float:
        """Return the time that is left for training, in seconds.

        Raises:
            UserError: If none is left.
        """
        budget = self._budget
        budget.step_seconds = throughput.seconds_per_step
        seconds = budget.training_seconds - budget.elapsed
        if seconds <= 0:
            raise UserError(
                f"hours must be more than {budget.hours:g}: no time is left for training "
                f"after {budget.elapsed:,.0f} s of preparation"
            )
        return seconds

    def _with_batches(self, basis: Basis) -> Basis:
        """Return a basis with planned batches and optimizer."""
        config = self._planned(basis.config, plan_batches(basis))
        sizes = (required(each.training.batch_size) for each in (config, basis.config))
        return replace(basis, config=config, throughput=basis.throughput.with_batches(*sizes))

    def _planned(self, config: Config, plan: Plan) -> Config:
        """Return a config with a plan, and keep its reasons."""
        self.reasons += plan.reasons
        return plan.applied_to(config, self._chosen)

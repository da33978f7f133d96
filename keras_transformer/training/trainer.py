"""The training loop: epochs and early stopping."""

import math
import time
from collections.abc import Sequence
from contextlib import nullcontext
from functools import cached_property

import tensorflow as tf
from tqdm import tqdm

from keras_transformer.config import required
from keras_transformer.errors import TrainingDiverged
from keras_transformer.runs.run import Run
from keras_transformer.text.batches import make_batches
from keras_transformer.text.encoded_pairs import BothDirections, EncodedPairs, Survey
from keras_transformer.training.budget import Budget
from keras_transformer.training.curves import log_step, log_validation, tensorboard
from keras_transformer.training.final_average import save_final_average
from keras_transformer.training.interrupts import Interrupts
from keras_transformer.training.learner import make_learner
from keras_transformer.training.lines import epoch_line, print_line, print_stopping, validation_line
from keras_transformer.training.objective import Totals
from keras_transformer.training.pace import make_pace
from keras_transformer.training.progress import epoch_bar, show_figures
from keras_transformer.training.samples import Samples
from keras_transformer.training.state import TrainingState
from keras_transformer.training.steps import StepResult
from keras_transformer.training.strategies import rows_of_replicas
from keras_transformer.training.validation import Validator
from keras_transformer.training.workers import Workers
from keras_transformer.translation.restoring import Restorer
from keras_transformer.translation.translator import Translator

# In small corpora, an epoch has a few steps. During the first hundreds of steps, the BLEU is due to
# chance, and the lowest loss belongs to a network that only knows which subwords are frequent.
MIN_STEPS = 1000


class Trainer:
    """Trains the model of a run and saves it in the run directory.

    Args:
        run: the `Run`, with its subword models.
        train_pairs, validation_pairs: `EncodedPairs`.
        survey: the `Survey` of the training pairs.
        strategy: a `tf.distribute.Strategy`; the current one by default.
        budget: the `Budget` of a run with a time budget, as its setting `hours` says. By default,
            it begins now.

    Attributes:
        model, optimizer, loss_scale, train_step: those of a `Learner`.
        state: the `TrainingState`.
        sample: the validation pairs that are translated for BLEU, as strings.
        pace: the `Pace`, a `TimedPace` with a time budget.
        workers: the `Workers` that train together.
        interrupts: the `Interrupts` of this process during training.
        stop_signal: number of the signal by which a worker was interrupted, or None.
    """

    def __init__(
        self,
        run: Run,
        train_pairs: EncodedPairs,
        validation_pairs: EncodedPairs,
        survey: Survey,
        strategy: tf.distribute.Strategy | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.run = run
        self.settings = run.config.training
        self.epochs = required(self.settings.epochs)
        self.train_pairs = train_pairs
        self.validation_pairs = validation_pairs
        self.sample = validation_pairs.sample(self.settings.bleu_sentences)
        self.num_pairs = survey.kept
        self.strategy = strategy or tf.distribute.get_strategy()
        self.workers = Workers(self.strategy)
        subwords = train_pairs.encoding.subwords
        signature = self.batches(train_pairs, seed=0).element_spec
        learner = make_learner(run, subwords, survey, self.strategy, signature)
        self.model, self.optimizer = learner.model, learner.optimizer
        self.loss_scale = learner.loss_scale
        self.train_step, self._validation_step = learner.train_step, learner.validation_step
        self.state = TrainingState(run, self.model, self.optimizer, survey.kept, self.workers)
        self.pace = make_pace(self.settings, learner.schedule, self.state, self.workers, budget)
        self.interrupts = Interrupts(print_stopping)
        self.stop_signal: int | None = None

    def batches(
        self,
        pairs: EncodedPairs | BothDirections,
        seed: int | Sequence[int] | None = None,
        first: int = 0,
    ) -> tf.distribute.DistributedDataset:
        """Return batches of ids (B, S) and (B, T), whose rows are divided among the replicas.

        Args:
            pairs: the pairs to divide into batches.
            seed: see `make_batches`.
            first: index of the first batch; earlier batches are skipped.
        """
        settings = self.settings
        batch_size = required(settings.batch_size)
        batches = make_batches(
            pairs, settings.batching, batch_size, settings.shuffle_buffer, seed
        ).skip(first)
        return self.strategy.distribute_datasets_from_function(
            lambda context: rows_of_replicas(batches, context)
        )

    @property
    def finished(self) -> bool:
        """Whether training is complete, including averaging."""
        return self.epochs_are_done and not self._average_is_missing

    @property
    def epochs_are_done(self) -> bool:
        """Whether the epochs or the time are over, or early stopping ended the training."""
        return self.epochs_are_up or self.stopped_early or self.time_is_up

    @property
    def epochs_are_up(self) -> bool:
        """Whether the number of epochs has been reached."""
        return int(self.state.epoch) >= self.epochs

    @property
    def time_is_up(self) -> bool:
        """Whether training has stopped at the end of its time budget."""
        return self.pace.is_over

    @property
    def stopped_early(self) -> bool:
        """Whether the last `patience` epochs brought no better weights.

        A training with random weights does not stop before `MIN_STEPS` steps.
        """
        patience = self.settings.patience
        may_stop = bool(self.settings.start_from) or self.state.step >= MIN_STEPS
        return patience > 0 and may_stop and int(self.state.epochs_since_best) >= patience

    @property
    def _average_is_missing(self) -> bool:
        return self.settings.average_last > 0 and not self.state.is_averaged

    @property
    def _reversals(self) -> float:
        """The share of the pairs that are also reversed in the current epoch."""
        if self.pace.epoch_is_late:
            return self.settings.reversed_share
        return self.settings.reversals(int(self.state.epoch))

    @property
    def _pairs_of_epoch(self) -> int:
        """The number of pairs in the current epoch."""
        return self.num_pairs + round(self.num_pairs * self._reversals)

    def restore(self) -> bool:
        """Restore the newest state, with the time that it used; return False if there is none."""
        is_restored = self.state.restore()
        self.pace.resume()
        return is_restored

    def load_weights(self, run: Run) -> None:
        """Give the model the best weights of a run, which may be another one."""
        self.workers.assign(self.model.variables, lambda: run.restore_weights(self.model))

    def train(self) -> bool:
        """Train to the end, or until Ctrl-C, SIGTERM or SIGHUP, which saves the state.

        Returns:
            Whether training is complete.

        Raises:
            TrainingDiverged: If the loss or a gradient is not a finite number.
        """
        curves = tensorboard(self.run.directory)
        with self.interrupts, curves if self.workers.is_chief else nullcontext():
            if self.state.step == 0:
                self._log_attention()
            while not self.epochs_are_done:
                if not self._complete_epoch():
                    return False
            if self._average_is_missing:
                with self.interrupts.deferred():
                    save_final_average(
                        self.run, self.model, self.state, self.validator, self.workers
                    )
        return not self._stopping()

    def _stopping(self) -> bool:
        """Return whether a worker was interrupted; the same on all workers."""
        signal = self.workers.largest(self.interrupts.signal or 0)
        self.stop_signal = self.stop_signal or signal or None
        return self.stop_signal is not None

    def _complete_epoch(self) -> bool:
        """Train and validate an epoch, and report it; return False if interrupted.

        In either case the state is saved.
        """
        if not int(self.state.batch):
            self.pace.begin_epoch()
        number = int(self.state.epoch)
        name = self.epoch_name(number)
        done = int(self.state.epoch_totals.pairs)
        with epoch_bar(name, self._pairs_of_epoch, done) as bar:
            begin = time.perf_counter()
            throughput = self._train_epoch(bar)
            if self.stop_signal:
                self._save()
                return False
            seconds = time.perf_counter() - begin
            bar.set_description_str(f"{name} validating")
            trained, validation = self.state.epoch_totals, self._end_epoch()
        figures = epoch_line(trained, validation, seconds, throughput)
        print_line(f"{self.epoch_name(number)}: {figures}")
        return not self._stopping()

    def epoch_name(self, number: int) -> str:
        """Return the name of an epoch, counted from 0, for reports."""
        return f"epoch {number + 1}{self.pace.describe()}"

    def _save(self) -> None:
        """Save the state; a second Ctrl-C waits until it is saved."""
        with self.interrupts.deferred():
            self.pace.record()
            self.state.save()

    def _train_epoch(self, bar: tqdm) -> float:
        """Take the remaining steps of an epoch, or fewer if interrupted.

        Returns:
            The throughput in real target tokens per second.
        """
        totals = self.state.epoch_totals
        batches = self._epoch_batches()
        begin = time.perf_counter()
        before, throughput = totals.tokens, 0.0
        for batch in batches:
            if self.pace.time_is_up(totals.pairs / self._pairs_of_epoch):
                break
            step = self.state.step
            result = self.train_step(*batch)
            if result.is_finite:
                totals = totals.plus(result.totals)
                self.state.end_batch(totals)
            else:
                self._skip(result)
            throughput = (totals.tokens - before) / (time.perf_counter() - begin)
            is_taken = step < self.state.step  # not skipped
            self._report_step(bar, totals, throughput, is_taken)
            bar.update(int(result.totals.pairs))
            if self._stopping():
                break
            if is_taken and self.state.step % self.settings.save_every == 0:
                self._save()
        else:  # neither interrupted nor out of time
            self.pace.end_steps()
        return throughput

    def _skip(self, result: StepResult) -> None:
        """Skip a step that changed nothing because its loss or gradient is not finite.

        Raises:
            TrainingDiverged: If more than `skip_bad_steps` steps were skipped.
        """
        self.state.skip_batch()
        what = (
            f"step {self.state.step + 1}: the loss is {float(result.totals.loss):.4g}, the norm of "
            f"the gradient {float(result.gradient_norm):.4g}"
        )
        if int(self.state.skipped_steps) > self.settings.skip_bad_steps:
            raise TrainingDiverged(what)
        print_line(f"{what}: skipped")

    def _epoch_batches(self) -> tf.distribute.DistributedDataset:
        """Return the remaining batches of the current epoch."""
        number = int(self.state.epoch)
        seed = [self.settings.seed, number]
        pairs = self.train_pairs.epoch(number)
        return self.batches(
            BothDirections(pairs, self._reversals, seed) if self._reversals else pairs,
            seed,
            int(self.state.batch),
        )

    def _report_step(self, bar: tqdm, totals: Totals, throughput: float, is_taken: bool) -> None:
        figures = totals, float(self.optimizer.learning_rate), throughput
        show_figures(bar, *figures)
        if is_taken:
            log_step(self.state.step, *figures)
            self._log_attention()

    def _log_attention(self) -> None:
        """Record the attention of the sample pair at some of the steps."""
        part = self.state.epoch_totals.pairs / self._pairs_of_epoch
        self.samples.log_step(self.state.step, int(self.state.epoch) + part)

    def _end_epoch(self) -> str:
        """Validate, save the state, and save the weights too if they are the best.

        Returns:
            The `validation_line`.

        Raises:
            TrainingDiverged: If the validation loss is not a finite number.
        """
        self.state.end_epoch()
        validated, score = self.validator.totals(), self.validator.sample_bleu()
        if not math.isfinite(validated.loss):
            raise TrainingDiverged(
                f"after step {self.state.step}, the validation loss is {validated.loss}"
            )
        with self.interrupts.deferred():
            self.pace.end_epoch()
            self.state.end_validation(score, validated.mean_loss)
        log_validation(self.state.step, validated, score)
        self.samples.log_epoch(self.state.step, int(self.state.epoch), score)
        return validation_line(validated, score)

    @cached_property
    def validator(self) -> Validator:
        """The `Validator` of the current weights."""
        return Validator(
            self.translator,
            self._validation_step,
            lambda: self.batches(self.validation_pairs),
            self.sample,
            self.run.config.text.target_lang,
            self.workers,
        )

    @cached_property
    def samples(self) -> Samples:
        """The `Samples` that TensorBoard shows."""
        return Samples(self.translator, self.sample)

    @cached_property
    def translator(self) -> Translator:
        """A `Translator` that uses the current weights whenever it translates."""
        encoding = self.train_pairs.encoding
        return Translator(self.model, encoding, restore=Restorer.of(self.run))

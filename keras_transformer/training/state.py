"""The state of training, and the checkpoints in a run directory that contain it."""

from pathlib import Path

import keras
import tensorflow as tf

from keras_transformer.errors import RunMismatch
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.checkpoints import (
    latest_checkpoint,
    make_checkpoint,
    named_variables,
    restore,
)
from keras_transformer.runs.run import AVERAGE, BEST, Run
from keras_transformer.tensors import Variable
from keras_transformer.training.objective import Totals

PROGRESS = ("epoch", "batch", "totals", "corpus_size", "best_bleu", "epochs_since_best")


class TrainingState:
    """The complete state of a training run, and its checkpoints.

    A saved state contains the weights, the optimizer's variables, the random state of dropout and
    the progress. A resumed run therefore ends with the same weights as an uninterrupted one.

    Args:
        run: the `Run` whose directory contains the checkpoints.
        model: the `Transformer`, built.
        optimizer: the optimizer, built.
        corpus_size: number of training pairs.

    Attributes:
        epoch: number of completed epochs.
        batch: number of completed batches in the current epoch.
        totals: the `Totals` over these batches.
        corpus_size: number of training pairs of the run.
        best_bleu: the best validation BLEU so far; -1 before the first validation.
        epochs_since_best: number of epochs completed since the best validation BLEU.
    """

    def __init__(
        self,
        run: Run,
        model: Transformer,
        optimizer: keras.optimizers.Optimizer,
        corpus_size: int,
    ) -> None:
        self._run = run
        self._optimizer = optimizer
        self._num_pairs = corpus_size
        self.epoch = tf.Variable(0, dtype=tf.int64)
        self.batch = tf.Variable(0, dtype=tf.int64)
        self.totals = tf.Variable(tf.zeros(len(Totals._fields), tf.float64))
        self.corpus_size = tf.Variable(corpus_size, dtype=tf.int64)
        self.best_bleu = tf.Variable(-1.0, dtype=tf.float64)
        self.epochs_since_best = tf.Variable(0, dtype=tf.int64)
        weights = named_variables(model)
        progress = {f"progress/{name}": getattr(self, name) for name in PROGRESS}
        self._variables = weights | {v.path: v for v in optimizer.variables} | progress
        settings = run.config.training
        kept = max(settings.keep_checkpoints, settings.average_last)
        self._newest = self._manager(self._variables, run.directory, kept)
        self._best = self._manager(weights, run.directory / BEST)
        self._average = self._manager(weights, run.directory / AVERAGE)

    @staticmethod
    def _manager(
        variables: dict[str, Variable], directory: Path, kept: int = 1
    ) -> tf.train.CheckpointManager:
        checkpoint = make_checkpoint(variables)
        return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=kept)

    @property
    def step(self) -> int:
        """The number of training steps taken."""
        return int(self._optimizer.iterations.numpy())

    @property
    def epoch_totals(self) -> Totals:
        """The `Totals` over the completed batches of the current epoch."""
        return Totals(*self.totals.numpy())

    @property
    def is_averaged(self) -> bool:
        """Whether an average was saved at the current step."""
        return (self._average.latest_checkpoint or "").endswith(f"-{self.step}")

    def end_batch(self, totals: Totals) -> None:
        """Record that another batch is complete.

        Args:
            totals: the `Totals` over all completed batches of the epoch.
        """
        self.totals.assign(totals)
        self.batch.assign_add(1)

    def end_epoch(self) -> None:
        """Record that the epoch is complete."""
        self.epoch.assign_add(1)
        self.batch.assign(0)
        self.totals.assign(tf.zeros_like(self.totals))

    def end_validation(self, bleu: float) -> None:
        """Record the validation score of the epoch, and save the weights if they are the best."""
        is_best = bleu > float(self.best_bleu)
        if is_best:
            self.save_best(bleu)
        self.epochs_since_best.assign(0 if is_best else self.epochs_since_best + 1)

    def save(self) -> None:
        """Save the state, from which training can resume."""
        self._newest.save(checkpoint_number=self.step)

    def save_best(self, bleu: float) -> None:
        """Save the current weights as the best ones, from which the run translates."""
        self.best_bleu.assign(bleu)
        self._best.save(checkpoint_number=self.step)

    def save_average(self) -> None:
        """Save the current weights as the average of the newest checkpoints."""
        self._average.save(checkpoint_number=self.step)

    def restore(self) -> bool:
        """Restore the newest state; return False if there is none.

        Raises:
            UserError: If the checkpoint is damaged or belongs to a model of another shape.
            RunMismatch: If the run was started with a different number of training pairs.
        """
        path = latest_checkpoint(self._run.directory)
        if path is None:
            return False
        restore(path, self._variables)
        if int(self.corpus_size) != self._num_pairs:
            raise RunMismatch(
                f"{self._run.directory} was started with {int(self.corpus_size):,} training "
                f"pairs, but there are {self._num_pairs:,} now"
            )
        return True

    def rewind(self, path: Path) -> None:
        """Restore the checkpoint at `path`, except for `best_bleu`, and save the state.

        If the run is extended, it resumes there, and only a higher BLEU replaces the best weights.
        """
        best = float(self.best_bleu)
        restore(path, self._variables)
        self.best_bleu.assign(best)
        self.save()

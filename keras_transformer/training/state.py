"""The state of training, and the checkpoints in a run directory that contain it."""

import logging
import math
import shutil
from pathlib import Path

import keras
import tensorflow as tf

from keras_transformer.errors import RunMismatch, TrainingDiverged, UserError
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.checkpoints import (
    check_intact,
    ends_first_epoch,
    epoch_ends,
    named_variables,
    restore,
    restore_newest,
    saved_checkpoints,
)
from keras_transformer.runs.layout import AVERAGE, BEST, LIST
from keras_transformer.runs.run import Run
from keras_transformer.runs.saving import Checkpoints, check_list
from keras_transformer.training.objective import Totals
from keras_transformer.training.workers import Workers

logger = logging.getLogger(__name__)

# Below this BLEU, a network does not translate yet, and a higher BLEU is due to chance.
MIN_BLEU = 1.0

PROGRESS = (
    "epoch",
    "batch",
    "totals",
    "corpus_size",
    "best_bleu",
    "best_loss",
    "epochs_since_best",
    "skipped_steps",
    "elapsed",
    "fraction",
    "used_up",
)
# States saved by version 0.1 development builds lack them.
OPTIONAL = (
    "progress/best_loss",
    "progress/skipped_steps",
    "progress/elapsed",
    "progress/fraction",
    "progress/used_up",
)


class TrainingState:
    """The complete state of a training run, and its checkpoints.

    A saved state contains the weights, the optimizer's variables, the random state of dropout and
    the progress. A resumed run therefore ends with the same weights as an uninterrupted one.

    Args:
        run: the `Run` whose directory contains the checkpoints.
        model: the `Transformer`, built.
        optimizer: the optimizer, built.
        corpus_size: number of training pairs.
        workers: the `Workers` of the run, of which only the chief reads and writes checkpoints.

    Attributes:
        epoch: number of completed epochs.
        batch: number of completed batches in the current epoch.
        totals: the `Totals` over these batches.
        corpus_size: number of training pairs of the run.
        best_bleu: the best validation BLEU so far; -1 before the first validation.
        best_loss: the validation loss of the same weights; infinite before the first validation.
        epochs_since_best: number of epochs completed since the best validation BLEU.
        skipped_steps: number of steps that were skipped because their loss or gradient was not
            finite.
        elapsed: seconds of the time budget that were used; 0 without a budget.
        fraction: fraction of the training that was complete at the beginning of the current epoch;
            0 without a budget.
        used_up: the budget in hours at the end of which training stopped; 0 before that.
    """

    def __init__(
        self,
        run: Run,
        model: Transformer,
        optimizer: keras.optimizers.Optimizer,
        corpus_size: int,
        workers: Workers,
    ) -> None:
        self._run = run
        self._optimizer = optimizer
        self._num_pairs = corpus_size
        self._workers = workers
        self._damaged: list[Path] = []  # checkpoints to delete at the next save
        self.epoch = tf.Variable(0, dtype=tf.int64)
        self.batch = tf.Variable(0, dtype=tf.int64)
        self.totals = tf.Variable(tf.zeros(len(Totals._fields), tf.float64))
        self.corpus_size = tf.Variable(corpus_size, dtype=tf.int64)
        self.best_bleu = tf.Variable(-1.0, dtype=tf.float64)
        self.best_loss = tf.Variable(math.inf, dtype=tf.float64)
        self.epochs_since_best = tf.Variable(0, dtype=tf.int64)
        self.skipped_steps = tf.Variable(0, dtype=tf.int64)
        self.elapsed = tf.Variable(0.0, dtype=tf.float64)
        self.fraction = tf.Variable(0.0, dtype=tf.float64)
        self.used_up = tf.Variable(0.0, dtype=tf.float64)
        self._weights = model.trainable_variables
        weights = named_variables(model)
        progress = {f"progress/{name}": getattr(self, name) for name in PROGRESS}
        self._variables = weights | {v.path: v for v in optimizer.variables} | progress
        self._newest = Checkpoints(run.directory, self._variables, run.identity, run.directory)
        self._best, self._average = (
            Checkpoints(run.directory / name, weights, run.identity_in(name), run.directory)
            for name in (BEST, AVERAGE)
        )

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
        saved = {path.name for path in saved_checkpoints(self._average.directory)}
        return self._workers.chief_says(f"ckpt-{self.step}" in saved)

    def end_batch(self, totals: Totals) -> None:
        """Record that another batch is complete.

        Args:
            totals: the `Totals` over all completed batches of the epoch.
        """
        self.totals.assign(totals)
        self.batch.assign_add(1)

    def skip_batch(self) -> None:
        """Record that a batch changed nothing, because its loss or gradient was not finite."""
        self.skipped_steps.assign_add(1)
        self.batch.assign_add(1)

    def end_epoch(self) -> None:
        """Record that the epoch is complete."""
        self.epoch.assign_add(1)
        self.batch.assign(0)
        self.totals.assign(tf.zeros_like(self.totals))

    def end_validation(self, bleu: float, loss: float) -> None:
        """Record the scores of the epoch, and save the state, and the weights if they are the best.

        The loss decides between weights with the same BLEU. A BLEU below `MIN_BLEU`, as in the
        first epochs of small trainings, counts as 0.

        A state whose scores belong to other best weights could not be resumed, so these are saved
        before it. Nor could best weights without any state: after the first epoch, the state comes
        first, from which `restore` can make the best weights.

        Args:
            bleu: validation BLEU.
            loss: mean validation loss, in nats per token.

        Raises:
            TrainingDiverged: If a weight is not a finite number. Nothing is saved then.
            UserError: If the state or the weights cannot be saved.
        """
        self._check_weights()
        is_best = _rank(bleu, loss) > _rank(float(self.best_bleu), float(self.best_loss))
        self.epochs_since_best.assign(0 if is_best else self.epochs_since_best + 1)
        if is_best and int(self.epoch) == 1:
            self._record_best(bleu, loss)
            self.save()
            self._save_best_weights()
            return
        if is_best:
            self.save_best(bleu, loss)
        self.save()

    def save(self, replaced: Path | None = None) -> None:
        """Save the state, from which training can resume, and delete states no longer needed.

        The newest states are kept, and those at the ends of epochs that an average needs.

        Args:
            replaced: a saved state that this one replaces, or None.

        Raises:
            TrainingDiverged: If a weight is not a finite number. Nothing is saved then.
            UserError: If the state cannot be saved.
        """
        self._check_weights()
        if not self._workers.is_chief:
            return
        self._newest.save(self.step)
        useless = {replaced, *self._damaged}
        saved = [path for path in saved_checkpoints(self._run.directory) if path not in useless]
        newest = saved[-self._run.config.training.keep_checkpoints :]
        self._newest.keep_only([*newest, *self.states_to_average()])
        self._damaged = []

    def _check_weights(self) -> None:
        """Raise `TrainingDiverged` if the last step, whose loss was finite, spoiled the weights."""
        for variable in self._weights:
            if not tf.reduce_all(tf.math.is_finite(variable.value)):
                raise TrainingDiverged(
                    f"after step {self.step}, the weight {variable.path} is not a finite number"
                )

    def states_to_average(self) -> list[Path]:
        """Return the states at the ends of the last `average_last` epochs, oldest first."""
        number = self._run.config.training.average_last
        return epoch_ends(self._run.directory)[-number:] if number else []

    def save_best(self, bleu: float, loss: float) -> None:
        """Save the current weights, with these scores, as those from which the run translates."""
        self._record_best(bleu, loss)
        self._save_best_weights()

    def _record_best(self, bleu: float, loss: float) -> None:
        """Record the scores of the best weights."""
        self.best_bleu.assign(bleu)
        self.best_loss.assign(loss)

    def _save_best_weights(self) -> None:
        """Save the current weights as the best ones."""
        if self._workers.is_chief:
            self._run.remove_decoding()  # belongs to other weights
            self._best.keep_only([self._best.save(self.step)])

    def save_average(self) -> None:
        """Save the current weights as the average of the last epochs."""
        if self._workers.is_chief:
            # With an earlier average, the number of this one could not be the step.
            shutil.rmtree(self._average.directory, ignore_errors=True)
            self._average.keep_only([self._average.save(self.step)])

    def restore(self) -> bool:
        """Restore the newest intact state; return False if there is none.

        Raises:
            UserError: If no state is intact, the best weights are damaged, or the states belong to
                a model of another shape.
            RunMismatch: If the run was started with a different number of training pairs.
        """
        is_restored = self._workers.chief_says(self._workers.is_chief and self._restore_newest())
        self._workers.share(self._variables.values())
        return is_restored

    def _restore_newest(self) -> bool:
        """Restore the newest intact state from the run directory."""
        directory = self._run.directory
        if not check_list(directory):
            logger.warning("%s: missing or damaged; ignored", directory / LIST)
        path = restore_newest(directory, self._variables, self._run.identity, OPTIONAL)
        if path is None:
            return False
        saved = saved_checkpoints(directory)
        self._damaged = saved[saved.index(path) + 1 :]
        if int(self.corpus_size) != self._num_pairs:
            raise RunMismatch(
                f"{directory} was started with {int(self.corpus_size):,} training "
                f"pairs, but there are {self._num_pairs:,} now"
            )
        self._check_best(path)  # last, as it may replace the best weights
        return True

    def _check_best(self, newest: Path) -> None:
        """Check the best weights so far, without which training could end with no best weights.

        If their directory was deleted, the newest weights take their place, without a score. After
        one epoch, the newest weights are the best ones.

        Args:
            newest: the state that was restored.

        Raises:
            UserError: If they are damaged.
        """
        if float(self.best_bleu) < 0:
            return
        directory = self._best.directory
        if not saved_checkpoints(directory) and ends_first_epoch(newest):
            self._save_best_weights()  # training ended between the two saves
            return
        if not directory.exists():
            logger.warning(
                "%s: missing; using the weights of step %d instead", directory, self.step
            )
            self._record_best(-1, math.inf)
            self.save(replaced=newest)  # first: a state with a score needs best weights
            self.save_best(-1, math.inf)
            return
        try:
            check_intact(directory, self._run.identity_in(BEST))
        except UserError as error:
            advice = f"delete {directory} to use the newest weights instead"
            raise UserError(f"{error}; {advice}") from error

    def rewind(self, path: Path) -> None:
        """Restore the state at `path`, except for the best scores, and save it in its place.

        If the run is extended, it resumes there, and only better weights replace the best ones.
        """
        best = float(self.best_bleu), float(self.best_loss)
        if self._workers.is_chief:
            restore(path, self._variables, self._run.identity, OPTIONAL)
        self._workers.share(self._variables.values())
        self._record_best(*best)
        self.save(replaced=path)


def _rank(bleu: float, loss: float) -> tuple[float, float]:
    """Return a pair that is larger for better scores."""
    return bleu if bleu >= MIN_BLEU else 0.0, -loss

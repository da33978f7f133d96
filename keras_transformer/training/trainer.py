"""The training loop: steps, epochs and validation, in a run that can be interrupted."""

import math
import time
from functools import cached_property
from typing import NamedTuple

import keras
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.model.losses import (
    correct_tokens,
    real_tokens,
    token_losses,
)
from keras_transformer.runs.averaging import assign_average
from keras_transformer.runs.checkpoints import (
    latest_checkpoint,
    make_checkpoint,
    named_variables,
    restore,
    saved_checkpoints,
)
from keras_transformer.runs.run import AVERAGE, BEST
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.batches import BothDirections, estimated_batches, make_batches
from keras_transformer.training.interrupts import Interrupts
from keras_transformer.training.objective import training_loss
from keras_transformer.training.optimizers import OPTIMIZERS
from keras_transformer.training.precision import dtype_policy, warn_without_bfloat16
from keras_transformer.training.progress import epoch_bar, show
from keras_transformer.training.schedule import CustomSchedule
from keras_transformer.translation.evaluation import bleu
from keras_transformer.translation.translator import Translator

LOG_EVERY = 50  # steps between points of the TensorBoard curves within an epoch


class Totals(NamedTuple):
    """Sums over batches; tokens are the real ones of the target."""

    loss: float = 0.0
    correct: float = 0.0
    tokens: float = 0.0
    pairs: float = 0.0

    def plus(self, sums):
        return Totals(*(a + float(b) for a, b in zip(self, sums, strict=True)))

    @property
    def mean_loss(self):
        """Nats a token."""
        return self.loss / max(self.tokens, 1)

    @property
    def perplexity(self):
        return math.exp(min(self.mean_loss, 100))

    @property
    def accuracy(self):
        return self.correct / max(self.tokens, 1)


def make_schedule(config, survey):
    """Return the learning-rate schedule of a `Config`.

    Args:
        config: the `Config`.
        survey: `Survey` of the training pairs, from which the number of steps is estimated.
    """
    training, text = config.training, config.text
    lengths = text.max_source_length, text.max_target_length
    steps = estimated_batches(survey, training.batching, training.batch_size, *lengths)
    doubled = min(training.both_directions, training.epochs)
    return CustomSchedule(
        config.model.d_model,
        training.warmup_steps,
        training.peak_learning_rate,
        decay_steps=min(training.decay_epochs, training.epochs) * steps,
        total_steps=(training.epochs + doubled) * steps,
    )


def make_optimizer(config, survey):
    """Return the optimizer of a `Config`, with its schedule and clipping.

    Args:
        config: the `Config`.
        survey: `Survey` of the training pairs, from which the number of steps is estimated.
    """
    training = config.training
    schedule = make_schedule(config, survey)
    return OPTIMIZERS[training.optimizer](schedule, training.clip_norm or None)


class Trainer:
    """Trains the model of a run and saves it there.

    Everything that the course of the training depends on is in its checkpoints: after an
    interruption it goes on as if there had been none.

    Args:
        run: the `Run`, with its subword models.
        train_pairs, validation_pairs: `EncodedPairs`.
        survey: the `Survey` of the training pairs.
        strategy: a `tf.distribute.Strategy`; the current one by default.
    """

    def __init__(self, run, train_pairs, validation_pairs, survey, strategy=None):
        self.run = run
        self.settings = run.config.training
        self.train_pairs = train_pairs
        self.validation_pairs = validation_pairs
        self.sample = validation_pairs.sample(self.settings.bleu_sentences)
        self.num_pairs = survey.kept
        self.strategy = strategy or tf.distribute.get_strategy()
        keras.utils.set_random_seed(self.settings.seed)
        policy = "mixed_bfloat16" if self.settings.mixed_precision else "float32"
        if self.settings.mixed_precision:
            warn_without_bfloat16()
        with self.strategy.scope(), dtype_policy(policy):
            self.model = run.build_model(train_pairs.source_subwords, train_pairs.target_subwords)
            self.optimizer = make_optimizer(run.config, survey)
            self.optimizer.build(self.model.trainable_variables)
        self._make_checkpoints()
        self._compile_steps()

    def _make_checkpoints(self):
        self.epoch = tf.Variable(0, dtype=tf.int64)  # epochs that are finished
        self.batch = tf.Variable(0, dtype=tf.int64)  # steps taken in the epoch after them
        self.totals = tf.Variable(tf.zeros(len(Totals._fields), tf.float64))  # of that epoch
        self.corpus_size = tf.Variable(self.num_pairs, dtype=tf.int64)
        self.best_bleu = tf.Variable(-1.0, dtype=tf.float64)
        self.epochs_since_best = tf.Variable(0, dtype=tf.int64)
        weights = named_variables(self.model)
        progress = {
            f"progress/{name}": getattr(self, name)
            for name in (
                "epoch",
                "batch",
                "totals",
                "corpus_size",
                "best_bleu",
                "epochs_since_best",
            )
        }
        self.state = weights | {v.path: v for v in self.optimizer.variables} | progress
        kept = max(self.settings.keep_checkpoints, self.settings.average_last)
        self.manager = self._manager(self.state, ".", kept)
        self.best_manager = self._manager(weights, BEST)
        self.average_manager = self._manager(weights, AVERAGE)

    def _manager(self, variables, place, kept=1):
        """What saves {name: variable} into a place of the run directory."""
        checkpoint, directory = make_checkpoint(variables), self.run.directory / place
        return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=kept)

    def _compile_steps(self):
        source, target = self._batches(self.train_pairs, seed=0).element_spec
        compiled = tf.function(input_signature=(source, target), autograph=False)
        self.train_step = compiled(lambda *batch: self._on_replicas(self._train_replica, batch))
        self.validation_step = compiled(
            lambda *batch: self._on_replicas(self._validate_replica, batch)
        )

    def _on_replicas(self, function, batch):
        """The sums of what `function` gives on every replica."""
        sums = self.strategy.run(function, args=batch)
        return self.strategy.reduce(tf.distribute.ReduceOp.SUM, sums, axis=None)

    def _train_replica(self, source, target):
        """One step on a replica's share of the batch: source (B, S), target (B, T)."""
        wanted = target[:, 1:]
        replicas = tf.distribute.get_replica_context()
        tokens = replicas.all_reduce(tf.distribute.ReduceOp.SUM, tf.reduce_sum(real_tokens(wanted)))
        smoothing = self.settings.label_smoothing
        with tf.GradientTape() as tape:
            losses, correct = training_loss(self.model, source, target, smoothing)
            # The optimizer adds up the gradients of all replicas, so each divides by all tokens.
            loss = losses / tf.maximum(tokens, 1)
        # Dense: Adam would square each occurrence of an embedded id by itself, not their sum.
        gradients = [
            tf.convert_to_tensor(gradient)
            for gradient in tape.gradient(loss, self.model.trainable_variables)
        ]
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables, strict=True))
        return _sums(source, wanted, losses, correct)

    def _validate_replica(self, source, target):
        wanted = target[:, 1:]
        logits = self.model((source, target[:, :-1]), training=False)
        losses = tf.reduce_sum(token_losses(wanted, logits))
        return _sums(source, wanted, losses, tf.reduce_sum(correct_tokens(wanted, logits)))

    def _batches(self, pairs, seed=None, first=0):
        """The batches of `pairs` from number `first` on, for the strategy's replicas."""
        settings = self.settings
        batches = make_batches(
            pairs, settings.batching, settings.batch_size, settings.shuffle_buffer, seed
        ).skip(first * self.strategy.num_replicas_in_sync)
        return self.strategy.distribute_datasets_from_function(
            lambda context: batches.shard(context.num_input_pipelines, context.input_pipeline_id)
        )

    @property
    def step(self):
        """Steps taken in all."""
        return int(self.optimizer.iterations.numpy())

    @property
    def finished(self):
        """Whether all is done, the averaging too."""
        return self._epochs_are_done and not self._average_is_missing

    @property
    def _epochs_are_done(self):
        """Whether there were as many as wanted, or the last ones brought nothing better."""
        patience = self.settings.patience
        return int(self.epoch) >= self.settings.epochs or (
            patience > 0 and int(self.epochs_since_best) >= patience
        )

    @property
    def _average_is_missing(self):
        made = self.average_manager.latest_checkpoint or ""
        return self.settings.average_last > 0 and not made.endswith(f"-{self.step}")

    def restore(self):
        """Goes back to the newest state of the run; False where it has none.

        Raises:
            UserError: the state is damaged, of a model of another shape, or of another corpus.
        """
        path = latest_checkpoint(self.run.directory)
        if path is None:
            return False
        restore(path, self.state)
        if int(self.corpus_size) != self.num_pairs:
            raise UserError(
                f"{self.run.directory} was begun with {int(self.corpus_size):,} training pairs, "
                f"and now there are {self.num_pairs:,}: give another --checkpoint, or --fresh"
            )
        return True

    def save(self):
        """Saves the state, from which the training goes on."""
        self.manager.save(checkpoint_number=self.step)

    def train(self):
        """Trains until it is finished, or until Ctrl-C, which saves the state first.

        Returns:
            Whether it is finished.
        """
        writer = tf.summary.create_file_writer(str(self.run.directory / "logs"))
        with Interrupts() as interrupts, writer.as_default():
            while not self._epochs_are_done:
                with self._epoch_bar() as bar:
                    begin = time.perf_counter()
                    speed = self._train_epoch(interrupts, bar)
                    if interrupts.requested:
                        self.save()
                        return False
                    seconds = time.perf_counter() - begin
                    bar.set_description_str(f"{self._epoch_name()} validating")
                    report = self._end_epoch(seconds, speed)
                print(report, flush=True)
            if self._average_is_missing:
                self._try_average()
        return True

    def _epoch_name(self):
        return f"epoch {int(self.epoch) + 1}/{self.settings.epochs}"

    @property
    def _trains_both_directions(self):
        """Whether the current epoch trains on the reversed pairs too."""
        return int(self.epoch) < self.settings.both_directions

    def _epoch_bar(self):
        """Return the bar of the current epoch, with what is done of it already."""
        total = self.num_pairs * (2 if self._trains_both_directions else 1)
        return epoch_bar(self._epoch_name(), total, int(Totals(*self.totals.numpy()).pairs))

    def _train_epoch(self, interrupts, bar):
        """Take the steps of an epoch that are still to be taken.

        Args:
            interrupts: `Interrupts`, which may end it early.
            bar: shows the progress.

        Returns:
            Target tokens per second.
        """
        number = int(self.epoch)
        totals = Totals(*self.totals.numpy())
        pairs = self.train_pairs.epoch(number)
        pairs = BothDirections(pairs) if self._trains_both_directions else pairs
        batches = self._batches(pairs, [self.settings.seed, number], int(self.batch))
        begin = time.perf_counter()
        before, speed = totals.tokens, 0.0
        for batch in batches:
            sums = self.train_step(*batch)
            totals = totals.plus(sums)
            speed = (totals.tokens - before) / (time.perf_counter() - begin)
            self.totals.assign(totals)
            self.batch.assign_add(1)
            self._show(bar, totals, speed, int(sums.pairs))
            if interrupts.requested:
                break
            if self.step % self.settings.save_every == 0:
                self.save()
        return speed

    def _show(self, bar, totals, speed, pairs):
        """The running figures of the epoch, on the bar and now and then for TensorBoard."""
        rate = float(self.optimizer.learning_rate)
        show(bar, totals, rate, speed)
        bar.update(pairs)
        if self.step % LOG_EVERY == 0:
            tf.summary.scalar("train/loss", totals.mean_loss, self.step)
            tf.summary.scalar("train/accuracy", totals.accuracy, self.step)
            tf.summary.scalar("train/learning_rate", rate, self.step)
            tf.summary.scalar("train/target_tokens_per_second", speed, self.step)

    def _end_epoch(self, seconds, speed):
        """Validate, save the state, and the weights if they are the best.

        Returns:
            A report of the epoch, a line.
        """
        trained = Totals(*self.totals.numpy())
        if not math.isfinite(trained.loss):
            raise UserError(
                f"the loss of epoch {int(self.epoch) + 1} is {trained.loss}: give a smaller "
                "--peak-learning-rate, or a larger --warmup-steps, and --fresh"
            )
        self.epoch.assign_add(1)
        self.batch.assign(0)
        self.totals.assign(tf.zeros_like(self.totals))
        validated = self.validate()
        score = self.validation_bleu()
        is_best = score > float(self.best_bleu)
        if is_best:
            self._keep_as_best(score)
        self.epochs_since_best.assign(0 if is_best else self.epochs_since_best + 1)
        self.save()
        tf.summary.scalar("validation/loss", validated.mean_loss, self.step)
        tf.summary.scalar("validation/perplexity", validated.perplexity, self.step)
        tf.summary.scalar("validation/bleu", score, self.step)
        return (
            f"epoch {int(self.epoch)}/{self.settings.epochs}: "
            f"loss {trained.mean_loss:.3f}, accuracy {trained.accuracy:.3f}; "
            f"{_in_words(validated, score)}; {seconds:.0f} s, {speed:,.0f} target tokens/s"
        )

    def _keep_as_best(self, score):
        """Saves the weights as they are for those who translate."""
        self.best_bleu.assign(score)
        self.best_manager.save(checkpoint_number=self.step)

    def _try_average(self):
        """Makes the mean of the newest checkpoints: the best weights, if its loss is the lower one.

        Not by BLEU: the best of many epochs owes some of its BLEU to luck, which the mean has not.
        """
        paths = saved_checkpoints(self.run.directory)[-self.settings.average_last :]
        self.run.restore_weights(self.model)
        best_loss = self.validate().mean_loss
        assign_average(self.model, paths)
        validated, score = self.validate(), self.validation_bleu()
        print(f"mean of {len(paths)} checkpoints: {_in_words(validated, score)}", flush=True)
        if validated.mean_loss <= best_loss:
            self._keep_as_best(score)
        self.average_manager.save(checkpoint_number=self.step)
        # A longer training goes on from the newest state, and must beat this score.
        best = float(self.best_bleu)
        restore(paths[-1], self.state)
        self.best_bleu.assign(best)
        self.save()

    def validate(self):
        """The `Totals` over the validation pairs, without label smoothing."""
        totals = Totals()
        for batch in self._batches(self.validation_pairs):
            totals = totals.plus(self.validation_step(*batch))
        return totals

    def validation_bleu(self):
        """BLEU of greedy translations of a fixed sample of the validation sentences."""
        return self.bleu(*zip(*self.sample, strict=True))

    def bleu(self, sources, references):
        """BLEU of greedy translations."""
        translations = self.translator.translate(sources, SearchSettings().greedy())
        return bleu([best.text for best, *_ in translations], references)

    @cached_property
    def translator(self):
        """A `Translator` with the weights as they are when it translates."""
        text = self.run.config.text
        return Translator(
            self.model,
            self.train_pairs.source_subwords,
            self.train_pairs.target_subwords,
            text.max_source_length,
            text.max_target_length,
        )


def _in_words(validated, score):
    return (
        f"validation loss {validated.mean_loss:.3f}, perplexity {validated.perplexity:.2f}, "
        f"BLEU {score:.2f}"
    )


def _sums(source, wanted, loss, correct):
    """The `Totals` of a batch."""
    return Totals(
        loss,
        correct,
        tf.reduce_sum(real_tokens(wanted)),
        tf.reduce_sum(tf.reduce_max(real_tokens(source), axis=1)),
    )

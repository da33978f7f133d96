"""Learners that several tests use in turn, because tracing their steps takes seconds."""

import contextlib
from collections import Counter, defaultdict

import keras
import pytest

from keras_transformer.training import throughput, trainer
from keras_transformer.training.learner import make_learner
from keras_transformer.training.schedule import PacedSchedule, make_schedule
from keras_transformer.translation.translator import Translator

# Settings of the pairs and of the training loop: they change neither the network, nor its
# optimizer, nor the compiled steps, except by the signature of the steps and, if the learning rate
# decays, by its schedule; see `_key`.
LOOP_SETTINGS = {
    "augment",
    "average_last",
    "batch_size",
    "batching",
    "bleu_sentences",
    "both_directions",
    "epochs",
    "keep_checkpoints",
    "mix",
    "patience",
    "reversed_share",
    "save_every",
    "shuffle_buffer",
    "skip_bad_steps",
    "start_from",
    "train",
    "validation",
}


class Pool:
    """Lends learners and translators to tests. No two trainers of a test get the same learner."""

    def __init__(self):
        self._learners, self._lent = defaultdict(list), Counter()
        self._translators = {}

    def learner(self, run, subwords, survey, strategy, signature):
        """Return what `make_learner` returns; the values of all variables are the initial ones."""
        # Strategies of the same type are the same object: see `make_strategy`.
        key = _key(run, subwords, survey, signature), type(strategy)
        made, number = self._learners[key], self._lent[key]
        self._lent[key] += 1
        if number == len(made):
            made.append(_with_values(make_learner(run, subwords, survey, strategy, signature)))
        learner, initial = made[number]
        keras.utils.set_random_seed(run.config.training.seed)
        for variable, value in initial:
            variable.assign(value)
        return learner

    def translator(self, model, encoding, restore=None):
        """Return a `Translator` of a learner's network."""
        models = [each.bpemb.spm.serialized_model_proto() for each in encoding.subwords]
        key = id(model), *models, encoding.max_source_length, encoding.max_target_length
        if key not in self._translators:
            self._translators[key] = Translator(model, encoding)
        self._translators[key].restore = restore or Translator.unrestored
        return self._translators[key]

    @contextlib.contextmanager
    def lending(self):
        """Let trainers use learners of the pool, and make these available again in the end."""
        with pytest.MonkeyPatch.context() as patch:
            for module in (throughput, trainer):
                patch.setattr(module, "make_learner", self.learner)
            patch.setattr(trainer, "Translator", self.translator)
            yield
        self.take_back()

    def take_back(self):
        """Make all learners available to the next test."""
        self._lent.clear()


POOL = Pool()


def _key(run, subwords, survey, signature):
    """Return a string that is equal for runs whose learners are equal."""
    settings = {k: v for k, v in run.config.flat().items() if k not in LOOP_SETTINGS}
    settings["hours"] = bool(settings["hours"])  # how many makes no difference
    schedule = make_schedule(run.config, survey).get_config()
    if not schedule["decay_steps"]:
        del schedule["total_steps"]
    return repr((settings, schedule, [each.size for each in subwords], signature))


def _with_values(learner):
    """Return a learner and the pairs of its variables and their values."""
    variables = [*learner.model.variables, *learner.optimizer.variables]
    if isinstance(learner.schedule, PacedSchedule):
        variables.append(learner.schedule.factor)
    return learner, [(variable, variable.numpy()) for variable in variables]

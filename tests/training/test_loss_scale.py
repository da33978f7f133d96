"""Loss scaling, with gradients that overflow float16."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.kernels.optimizers import Adam
from keras_transformer.training import loss_scale
from keras_transformer.training.loss_scale import DynamicLossScale
from keras_transformer.training.strategies import make_strategy
from tests.training.toy_training import first_batch, interrupt_at, new_trainer, reopened, values


@pytest.fixture
def scale():
    return DynamicLossScale(Adam())


def test_scaling_and_unscaling_are_exact(scale):
    assert float(scale.scaled(tf.constant(3.0))) == 3 * 2**15
    gradients = scale.unscaled([tf.constant([1.0, 1e-3]) * 2**15])
    np.testing.assert_array_equal(gradients[0], np.float32([1.0, 1e-3]))


def test_an_overflow_halves_the_scale(scale):
    for bad in (np.inf, np.nan):
        assert scale.update(tf.constant(2.0), tf.constant(bad))
    assert float(scale.scale) == 2**13
    assert not scale.update(tf.constant(2.0), tf.constant(1.0))
    assert float(scale.scale) == 2**13


def test_a_loss_that_is_not_finite_is_no_overflow(scale):
    assert not scale.update(tf.constant(np.nan), tf.constant(np.nan))
    assert float(scale.scale) == 2**15


def test_gradients_that_are_not_finite_at_scale_1_are_no_overflow(scale):
    overflows = [bool(scale.update(tf.constant(2.0), tf.constant(np.inf))) for _ in range(20)]
    assert sum(overflows) == 15, "from 2^15 to 1"
    assert float(scale.scale) == 1


def test_the_scale_doubles_after_enough_steps_without_overflow(scale, monkeypatch):
    monkeypatch.setattr(loss_scale, "GROWTH_STEPS", 3)
    good, bad = (tf.constant(2.0), tf.constant(1.0)), (tf.constant(2.0), tf.constant(np.inf))
    for step in (good, good, bad, good, good):
        scale.update(*step)
    assert float(scale.scale) == 2**14, "halved once; two steps since then"
    scale.update(*good)
    assert float(scale.scale) == 2**15
    scale.update(*good)
    assert float(scale.scale) == 2**15


@pytest.mark.usefixtures("reused_learners")
@pytest.mark.parametrize("strategy", [None, "mirrored"])
def test_training_in_float16_skips_steps_that_overflow(tmp_path, strategy):
    """With a scale of 2^100 every gradient is infinite; the norm of later ones is as in float32."""
    settings = {"rate": 0.0, "clip_norm": 0.1}
    exact = new_trainer(tmp_path / "float32", **settings)
    wanted = exact.train_step(*first_batch(exact))
    trainer = new_trainer(
        tmp_path / "run", make_strategy(strategy), mixed_precision="float16", **settings
    )
    batch = first_batch(trainer)
    before = values(trainer.model)
    trainer.loss_scale.scale.assign(2.0**100)
    result = trainer.train_step(*batch)
    assert result.overflowed
    assert result.is_finite
    assert trainer.loss_scale.scale.numpy() == 2.0**99
    for name, value in values(trainer.model).items():
        np.testing.assert_array_equal(value, before[name])
    trainer.loss_scale.scale.assign(2.0**10)
    result = trainer.train_step(*batch)
    assert not result.overflowed
    assert trainer.state.step == 1, "of two, only one updated the weights"
    assert float(result.gradient_norm) == pytest.approx(float(wanted.gradient_norm), rel=0.02)
    momentum = [v.numpy() for v in trainer.optimizer.variables if v.path.endswith("momentum")]
    # After one step the moment is a tenth of the clipped gradient.
    norm = 10 * np.sqrt(sum(np.sum(np.square(m)) for m in momentum))
    assert norm == pytest.approx(0.1, rel=1e-3)


@pytest.mark.usefixtures("reused_learners")
def test_a_checkpoint_contains_the_scale(tmp_path):
    trainer = new_trainer(tmp_path / "run", mixed_precision="float16")
    trainer.loss_scale.scale.assign(2.0**9)
    assert not interrupt_at(trainer, 2).train()
    other = reopened(trainer)
    assert float(other.loss_scale.scale) == 2**9
    assert float(other.loss_scale.good_steps) == 2
    assert isinstance(other.optimizer, keras.optimizers.Adam)

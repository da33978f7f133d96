import itertools

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.kernels.dropout import Dropout
from keras_transformer.model.losses import token_losses
from keras_transformer.training.strategies import make_strategy
from tests.training.toy_training import first_batch, new_trainer

pytestmark = pytest.mark.usefixtures("reused_learners")


def test_a_step_matches_a_step_by_hand(tmp_path):
    """Mean loss over real tokens, Adam with the paper's constants, the schedule's first rate."""
    trainer = new_trainer(tmp_path / "run", rate=0.0, warmup_steps=10, peak_learning_rate=0.01)
    source, target = first_batch(trainer)
    variables = trainer.model.trainable_variables
    before = [v.numpy() for v in variables]
    with tf.GradientTape() as tape:
        logits = trainer.model((source, target[:, :-1]), training=True)
        losses = token_losses(target[:, 1:], logits, 0.1)
        loss = tf.reduce_sum(losses) / np.count_nonzero(target[:, 1:])
    gradients = [tf.convert_to_tensor(g).numpy() for g in tape.gradient(loss, variables)]
    sums, norm, overflowed = trainer.train_step(source, target)
    assert not overflowed
    squares = sum(np.sum(np.square(gradient)) for gradient in gradients)
    assert float(norm) == pytest.approx(np.sqrt(squares), rel=1e-4)
    assert float(sums.tokens) == np.count_nonzero(target[:, 1:])
    assert float(sums.pairs) == len(source)
    assert float(sums.loss) == pytest.approx(float(tf.reduce_sum(losses)), rel=1e-4)
    for old, gradient, variable in zip(before, gradients, variables, strict=True):
        # Adam's first step: the corrected moments are the gradient and its square.
        step = 0.001 * gradient / (np.abs(gradient) + 1e-9 / np.sqrt(1 - 0.98))
        large = np.abs(gradient) > 1e-5
        np.testing.assert_allclose(variable.numpy()[large], (old - step)[large], atol=2e-5)


def momentums(trainer):
    """Return Adam's first moments: after one step a tenth of the gradients."""
    return [v.numpy() for v in trainer.optimizer.variables if v.path.endswith("momentum")]


def test_gradients_are_clipped_to_the_norm(tmp_path):
    def norm_of_gradient(**settings):
        trainer = new_trainer(tmp_path / "run", rate=0.0, **settings)
        trainer.train_step(*first_batch(trainer))
        return float(10 * np.sqrt(sum(np.sum(m**2) for m in momentums(trainer))))

    free = norm_of_gradient()
    assert norm_of_gradient(clip_norm=free / 4) == pytest.approx(free / 4, rel=1e-4)
    assert norm_of_gradient(clip_norm=free * 4) == pytest.approx(free, rel=1e-4)


@pytest.mark.parametrize(("optimizer", "replicas"), [("adam", 1), ("muon", 2)])
def test_a_step_that_is_not_finite_changes_no_variable(tmp_path, optimizer, replicas):
    strategy = make_strategy("mirrored" if replicas == 2 else None)
    trainer = new_trainer(tmp_path / "run", strategy, optimizer=optimizer)
    batch = first_batch(trainer)
    assert trainer.train_step(*batch).is_finite
    broken = trainer.model.trainable_variables[0]
    good = broken.numpy()
    variables = [*trainer.model.trainable_variables, *trainer.optimizer.variables]
    for bad in (np.nan, np.inf):
        broken.assign(np.full(broken.shape, bad))
        before = [v.numpy() for v in variables]
        assert not trainer.train_step(*batch).is_finite
        for variable, value in zip(variables, before, strict=True):
            np.testing.assert_array_equal(variable.numpy(), value)
    broken.assign(good)
    assert trainer.train_step(*batch).is_finite
    assert trainer.state.step == 2


@pytest.fixture
def two_replicas():
    return make_strategy("mirrored")


def test_a_replica_may_have_no_rows(tmp_path, two_replicas):
    trainer = new_trainer(tmp_path / "run", two_replicas, batching="fixed", batch_size=1)
    batch = first_batch(trainer)
    assert sorted(len(rows) for rows in batch[0].values) == [0, 1]
    result = trainer.train_step(*batch)
    assert result.is_finite
    assert result.totals.pairs == trainer.state.step == 1
    assert trainer.validator.totals().pairs == 12
    assert np.isfinite(trainer.validator.totals().mean_loss)


def test_two_replicas_train_like_one_device(tmp_path, two_replicas):
    """Each of them computes half of the rows of every batch. The gradient is clipped."""
    settings = {"rate": 0.0, "clip_norm": 0.1}
    two = new_trainer(tmp_path / "two", two_replicas, **settings)
    one = new_trainer(tmp_path / "one", **settings)
    steps = zip(*(each.batches(each.train_pairs, seed=1) for each in (one, two)), strict=True)
    for batch, halves in steps:
        rows = [len(half) for half in halves[0].values]
        assert sum(rows) == len(batch[0])
        assert max(rows) - min(rows) <= 1
        wanted, found = one.train_step(*batch), two.train_step(*halves)
        np.testing.assert_allclose(found.totals, wanted.totals, rtol=1e-5)
        assert float(found.gradient_norm) == pytest.approx(float(wanted.gradient_norm), rel=1e-5)
        for a, b in zip(momentums(two), momentums(one), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-6)
    assert two.state.step == one.state.step == 5
    assert float(wanted.gradient_norm) > 0.1, "less than the maximum"
    for variable in two.model.trainable_variables:
        np.testing.assert_array_equal(*variable.value.values)
    np.testing.assert_allclose(two.validator.totals(), one.validator.totals(), rtol=1e-5)


def test_replicas_drop_different_values(tmp_path, two_replicas):
    """The random states are equal, as a checkpoint contains only one."""
    with two_replicas.scope():
        dropout = Dropout(0.5, seed=1)
        dropout.build((1000,))

    @tf.function
    def drop():
        return two_replicas.run(lambda: dropout(tf.ones(1000), training=True))

    draws = [replica.numpy() for _ in range(2) for replica in drop().values]
    for one, other in itertools.combinations(draws, 2):
        # Independent draws agree in half of the positions; 100 are more than 6 standard deviations.
        assert abs(np.sum(one == other) - 500) < 100
    first, second = dropout.seed_generator.state.value.values
    np.testing.assert_array_equal(first, second)

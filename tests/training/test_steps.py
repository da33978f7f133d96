import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.model.losses import token_losses
from tests.training.toy_training import first_batch, new_trainer


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
    sums, norm = trainer.train_step(source, target)
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


@pytest.mark.parametrize("optimizer", ["adam", "muon"])
@pytest.mark.parametrize("replicas", [1, 2])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_step_that_is_not_finite_changes_no_variable(tmp_path, optimizer, replicas, bad):
    strategy = tf.distribute.MirroredStrategy(["cpu:0", "cpu:1"][:replicas])
    trainer = new_trainer(tmp_path / "run", strategy, optimizer=optimizer)
    batch = first_batch(trainer)
    assert trainer.train_step(*batch).is_finite
    broken = trainer.model.trainable_variables[0]
    good = broken.numpy()
    broken.assign(np.full(broken.shape, bad))
    variables = [*trainer.model.trainable_variables, *trainer.optimizer.variables]
    before = [v.numpy() for v in variables]
    assert not trainer.train_step(*batch).is_finite
    for variable, value in zip(variables, before, strict=True):
        np.testing.assert_array_equal(variable.numpy(), value)
    broken.assign(good)
    assert trainer.train_step(*batch).is_finite
    assert trainer.state.step == 2


@pytest.fixture
def two_replicas():
    return tf.distribute.MirroredStrategy(["cpu:0", "cpu:1"])


def test_replicas_have_equal_weights_after_training(tmp_path, two_replicas):
    trainer = new_trainer(tmp_path / "run", two_replicas, epochs=1)
    assert trainer.train()
    for variable in trainer.model.trainable_variables:
        one, other = variable.value.values
        np.testing.assert_array_equal(one, other)


def test_a_replica_may_have_no_batch(tmp_path, two_replicas):
    """There is an odd number of batches for two replicas."""
    fixed = {"batching": "fixed", "batch_size": 20}  # 3 batches of 60 pairs
    trainer = new_trainer(tmp_path / "run", two_replicas, epochs=1, **fixed)
    assert trainer.train()
    assert trainer.state.step == 2
    assert np.isfinite(trainer.validate().mean_loss)


def test_a_step_of_two_replicas_equals_one_step_on_both_batches(tmp_path, two_replicas):
    """The batches have different numbers of tokens."""
    two = new_trainer(tmp_path / "two", two_replicas, rate=0.0)
    one = new_trainer(tmp_path / "one", rate=0.0)
    both = list(one.batches(one.train_pairs, seed=1).take(2))
    assert both[0][1].shape != both[1][1].shape
    longest = [max(batch[side].shape[1] for batch in both) for side in (0, 1)]
    joined = [
        tf.concat([tf.pad(b[i], ((0, 0), (0, longest[i] - b[i].shape[1]))) for b in both], 0)
        for i in (0, 1)
    ]
    wanted, found = one.train_step(*joined), two.train_step(*first_batch(two))
    np.testing.assert_allclose(found.totals, wanted.totals, rtol=1e-5)
    assert float(found.gradient_norm) == pytest.approx(float(wanted.gradient_norm), rel=1e-5)
    for a, b in zip(momentums(two), momentums(one), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)

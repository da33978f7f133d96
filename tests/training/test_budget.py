"""The time budget: what is left for training, and the decay of the learning rate."""

import pytest

from keras_transformer.training.budget import Budget, decay_factor


def budget_at(seconds):
    """Return a budget of an hour after some seconds."""
    return Budget(1.0, clock=lambda: 50.0 + seconds, begin=50.0)


def test_time_counts_from_the_beginning_of_the_command_and_across_sessions():
    budget = budget_at(30.0)
    budget.earlier = 600.0
    assert budget.elapsed == 630.0


def test_time_is_reserved_for_what_follows_the_last_step():
    """30 s, 60 steps of 5 s, and 0.8 ms for each of 30,000 pairs leave 3,246 of 3,600 s."""
    budget = budget_at(0.0)
    budget.num_pairs, budget.step_seconds = 30_000, 5.0
    assert budget.training_seconds == pytest.approx(3246)


def test_at_least_half_of_the_budget_is_for_training():
    budget = budget_at(0.0)
    budget.step_seconds = 1000.0
    assert budget.training_seconds == 1800


@pytest.mark.parametrize(
    ("seconds", "epochs_done", "fraction"),
    [
        (0, 0, 0.0),
        (357, 1, 0.1),  # a tenth of 3,570 s
        (357, 25, 0.25),  # a quarter of 100 epochs
        (9999, 1, 1.0),
        (0, 100, 1.0),
    ],
)
def test_training_ends_after_the_time_or_the_epochs(seconds, epochs_done, fraction):
    assert budget_at(seconds).fraction(epochs_done, 100) == pytest.approx(fraction)


@pytest.mark.parametrize(
    ("fraction", "factor"), [(0, 1), (0.7, 1), (0.85, 0.5), (0.94, 0.2), (0.999, 0.01), (1, 0.01)]
)
def test_the_rate_falls_linearly_over_the_last_30_percent(fraction, factor):
    assert decay_factor(fraction) == pytest.approx(factor)

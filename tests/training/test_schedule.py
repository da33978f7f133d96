import keras
import pytest

from keras_transformer.config import Config
from keras_transformer.text.encoded_pairs import Survey
from keras_transformer.training.schedule import CustomSchedule, make_schedule


def papers_rate(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


@pytest.mark.parametrize("step", [1, 2, 3999, 4000, 4001, 100_000])
def test_the_rate_follows_the_formula_of_the_paper(step):
    schedule = CustomSchedule(512, warmup_steps=4000)
    # The optimizer counts the first step as 0.
    assert float(schedule(step - 1)) == pytest.approx(papers_rate(step, 512, 4000), rel=1e-5)


def test_the_first_step_has_a_positive_rate():
    assert float(CustomSchedule(128, 4000)(0)) == pytest.approx(0.0013975 / 4000, rel=1e-3)


def test_the_peak_can_be_chosen():
    schedule = CustomSchedule(128, warmup_steps=100, peak=0.005)
    rates = [float(schedule(step)) for step in range(1000)]
    assert max(rates) == rates[99] == pytest.approx(0.005)
    assert rates[0] == pytest.approx(0.005 / 100)
    assert rates[399] == pytest.approx(0.005 / 2)


def test_a_schedule_is_restored_from_its_config():
    schedule = CustomSchedule(128, 200, peak=0.003, decay_steps=100, total_steps=6000)
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(schedule))
    assert twin.get_config() == {
        "d_model": 128,
        "warmup_steps": 200,
        "peak": 0.003,
        "decay_steps": 100,
        "total_steps": 6000,
    }
    assert float(twin(5950)) == float(schedule(5950)) < float(schedule(5899))


def test_the_last_steps_fall_linearly_to_zero():
    plain = CustomSchedule(128, warmup_steps=100, peak=0.005)
    schedule = CustomSchedule(128, 100, 0.005, decay_steps=200, total_steps=1000)
    for step in (0, 50, 500, 800):  # steps 1 to 801 of the paper
        assert float(schedule(step)) == pytest.approx(float(plain(step)), rel=1e-6)
    assert float(schedule(900)) == pytest.approx(float(plain(900)) / 2, rel=1e-5)
    assert float(schedule(999)) == pytest.approx(float(plain(999)) / 100, rel=1e-5)
    # The number of steps is an estimate: further steps still have a positive rate.
    assert 0 < float(schedule(1100)) < float(plain(1100)) / 50


@pytest.mark.parametrize(
    ("decay_epochs", "both_directions", "reversed_share", "decay_steps", "total_steps"),
    [
        (2, 3, 0.0, 200, 1300),
        (8, 3, 0.0, 900, 1300),
        (12, 20, 0.0, 2000, 2000),
        (0, 10, 0.0, 0, 2000),
        (2, 3, 0.25, 250, 600 + 875),
        (8, 3, 0.1, 200 + 770, 600 + 770),
        (12, 20, 0.5, 2000, 2000),
    ],
)
def test_the_number_of_steps_is_estimated_from_the_corpus(
    decay_epochs, both_directions, reversed_share, decay_steps, total_steps
):
    """6,400 pairs make 100 fixed batches per epoch; both directions double the first epochs."""
    settings = {"batching": "fixed", "batch_size": 64, "epochs": 10, "warmup_steps": 50}
    settings |= {"decay_epochs": decay_epochs, "both_directions": both_directions}
    settings |= {"joint_vocabulary": True, "reversed_share": reversed_share}
    schedule = make_schedule(Config().with_settings(settings), Survey(kept=6400))
    assert schedule.get_config() == {
        "d_model": 128,
        "warmup_steps": 50,
        "peak": 0.003,
        "decay_steps": decay_steps,
        "total_steps": total_steps,
    }


def test_open_settings_are_an_error():
    with pytest.raises(ValueError, match="a setting of the config is None"):
        make_schedule(Config(), Survey(kept=6400))

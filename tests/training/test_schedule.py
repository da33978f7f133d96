import keras
import pytest

from keras_transformer.training.schedule import CustomSchedule


def papers_rate(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


@pytest.mark.parametrize("step", [1, 2, 3999, 4000, 4001, 100_000])
def test_is_the_papers_formula(step):
    schedule = CustomSchedule(512, warmup_steps=4000)
    # The optimizer counts the first step as 0.
    assert float(schedule(step - 1)) == pytest.approx(papers_rate(step, 512, 4000), rel=1e-5)


def test_first_step_has_a_rate():
    assert float(CustomSchedule(128, 4000)(0)) == pytest.approx(0.0013975 / 4000, rel=1e-3)


def test_peak_can_be_set():
    schedule = CustomSchedule(128, warmup_steps=100, peak=0.005)
    rates = [float(schedule(step)) for step in range(1000)]
    assert max(rates) == rates[99] == pytest.approx(0.005)
    assert rates[0] == pytest.approx(0.005 / 100)
    assert rates[399] == pytest.approx(0.005 / 2)


def test_comes_back_from_its_config():
    schedule = CustomSchedule(128, 200, peak=0.003)
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(schedule))
    assert twin.get_config() == {"d_model": 128, "warmup_steps": 200, "peak": 0.003}
    assert float(twin(5000)) == float(schedule(5000))

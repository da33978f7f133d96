"""The names of variables in checkpoints."""

from types import SimpleNamespace

import keras
import pytest

from keras_transformer.runs.checkpoints import named_variables


def model_of(*names):
    """Return an object with the variables of a model that have these names."""
    return SimpleNamespace(variables=[keras.Variable(0.0, name=name) for name in names])


def test_variables_are_named_by_their_paths():
    model = model_of("kernel", "bias")
    assert named_variables(model) == dict(zip(("kernel", "bias"), model.variables, strict=True))


def test_random_states_are_numbered_within_the_model():
    names = named_variables(model_of("seed_generator_state", "kernel", "9_seed_generator_state"))
    assert list(names) == ["random_state/0", "kernel", "random_state/1"]


def test_two_variables_cannot_have_the_same_name():
    """A checkpoint would contain only one of them."""
    with pytest.raises(ValueError, match="two variables have the name kernel"):
        named_variables(model_of("kernel", "bias", "kernel"))

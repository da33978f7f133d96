import keras
import pytest

from keras_transformer.model.dtypes import sublayer_dtype


@pytest.mark.parametrize("name", ["float32", "bfloat16", "mixed_bfloat16", "mixed_float16"])
def test_a_sublayer_with_the_argument_has_the_policy_of_the_layer(name):
    layer = keras.layers.Identity(dtype=name)
    sublayer = keras.layers.Dense(2, dtype=sublayer_dtype(layer))
    assert sublayer.dtype_policy == layer.dtype_policy


def test_a_map_of_policies_is_passed_on():
    policies = keras.dtype_policies.DTypePolicyMap("mixed_bfloat16")
    assert sublayer_dtype(keras.layers.Identity(dtype=policies)) is policies

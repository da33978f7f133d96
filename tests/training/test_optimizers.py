"""The optimizers of a run, with their constants."""

from keras_transformer.training.optimizers import make_muon
from keras_transformer.training.precision import dtype_policy


def test_muon_multiplies_in_the_dtype_of_the_network() -> None:
    with dtype_policy("mixed_bfloat16"):
        assert make_muon(0.1).product_dtype == "bfloat16"
    assert make_muon(0.1).product_dtype == "float32"

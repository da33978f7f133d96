import math

import numpy as np
import pytest

from keras_transformer.model.positions import positional_encoding


@pytest.mark.parametrize("position", [0, 1, 7, 41])
@pytest.mark.parametrize("pair", [0, 1, 31, 63])
def test_follows_the_papers_formula(position, pair):
    table = positional_encoding(42, 128)
    angle = position / 10000 ** (2 * pair / 128)
    assert table[0, position, 2 * pair] == pytest.approx(math.sin(angle), abs=1e-6)
    assert table[0, position, 2 * pair + 1] == pytest.approx(math.cos(angle), abs=1e-6)


@pytest.mark.parametrize("d_model", [1, 15])
def test_an_odd_depth_is_an_error(d_model):
    with pytest.raises(ValueError, match=f"^d_model must be an even number, not {d_model}$"):
        positional_encoding(5, d_model)


def test_shape_and_type():
    table = positional_encoding(50, 16)
    assert table.shape == (1, 50, 16)
    assert table.dtype == np.float32

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from keras_transformer.model.masks import (
    create_combined_mask,
    create_look_ahead_mask,
    create_padding_mask,
)


def test_padding_mask_of_the_tutorials_example():
    ids = np.array([[7, 6, 0, 0, 1], [1, 2, 3, 0, 0], [0, 0, 0, 4, 5]])
    wanted = [[[[0, 0, 1, 1, 0]]], [[[0, 0, 0, 1, 1]]], [[[1, 1, 1, 0, 0]]]]
    np.testing.assert_array_equal(create_padding_mask(ids), wanted)


@given(arrays.arrays(np.int32, (3, 5), elements=st.integers(0, 3)))
def test_padding_mask_is_one_where_the_id_is_zero(ids):
    mask = create_padding_mask(ids).numpy()
    assert mask.shape == (3, 1, 1, 5)
    np.testing.assert_array_equal(mask[:, 0, 0], ids == 0)


@given(st.integers(1, 12))
def test_look_ahead_mask_hides_what_comes_after(size):
    np.testing.assert_array_equal(create_look_ahead_mask(size), np.triu(np.ones((size, size)), 1))


@given(arrays.arrays(np.int32, (3, 5), elements=st.integers(0, 3)))
def test_combined_mask_hides_what_comes_after_and_padding(ids):
    mask = create_combined_mask(ids).numpy()
    assert mask.shape == (3, 1, 5, 5)
    for b, i, j in np.ndindex(3, 5, 5):
        assert mask[b, 0, i, j] == (j > i or ids[b, j] == 0)

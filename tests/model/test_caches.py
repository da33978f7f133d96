import numpy as np
import tensorflow as tf

from keras_transformer.model.caches import FixedCache, GrowingCache

B, H, T, K = 2, 3, 5, 4
KEYS = np.random.default_rng(0).normal(size=(B, H, T, K)).astype(np.float32)
VALUES = -KEYS


def one(array, position):
    return array[:, :, position : position + 1]


def test_a_growing_cache_has_the_positions_so_far():
    cache = GrowingCache.empty(B, H, K, tf.float32)
    for t in range(T):
        cache = cache.append(one(KEYS, t), one(VALUES, t), t)
        np.testing.assert_array_equal(cache.keys, KEYS[:, :, : t + 1])
        np.testing.assert_array_equal(cache.values, VALUES[:, :, : t + 1])
        assert cache.mask(t) is None


def test_a_fixed_cache_hides_what_is_to_come():
    cache = FixedCache.empty(B, H, K, tf.float32, T)
    for t in range(T):
        cache = cache.append(one(KEYS, t), one(VALUES, t), tf.constant(t))
        np.testing.assert_array_equal(cache.keys[:, :, : t + 1], KEYS[:, :, : t + 1])
        np.testing.assert_array_equal(cache.values[:, :, : t + 1], VALUES[:, :, : t + 1])
        assert not cache.keys[:, :, t + 1 :].numpy().any()
        np.testing.assert_array_equal(cache.mask(t), [0] * (t + 1) + [1] * (T - t - 1))

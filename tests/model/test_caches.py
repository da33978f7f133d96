import numpy as np
import tensorflow as tf

from keras_transformer.model.caches import FixedCache, GrowingCache

B, H, POSITIONS, HYPOTHESES, K = 2, 3, 5, 2, 4
SLOTS = POSITIONS * HYPOTHESES
KEYS = np.random.default_rng(0).normal(size=(B, H, SLOTS, K)).astype(np.float32)
VALUES = -KEYS


def of_position(array, position):
    return tf.constant(array[:, :, position * HYPOTHESES : (position + 1) * HYPOTHESES])


def test_a_growing_cache_has_the_positions_so_far():
    cache = GrowingCache.empty(B, H, K, tf.float32)
    for t in range(POSITIONS):
        cache, keys, values = cache.append(of_position(KEYS, t), of_position(VALUES, t), t)
        np.testing.assert_array_equal(keys, KEYS[:, :, : (t + 1) * HYPOTHESES])
        np.testing.assert_array_equal(values, VALUES[:, :, : (t + 1) * HYPOTHESES])


def test_a_fixed_cache_has_room_for_all_positions():
    @tf.function(jit_compile=True)
    def append(cache, keys, values, position):
        return cache.append(keys, values, position)

    cache = FixedCache.empty(B, H, K, tf.float32, SLOTS)
    for t in range(POSITIONS):
        new = of_position(KEYS, t), of_position(VALUES, t)
        cache, keys, values = append(cache, *new, tf.constant(t))
        end = (t + 1) * HYPOTHESES
        np.testing.assert_array_equal(keys[:, :, :end], KEYS[:, :, :end])
        np.testing.assert_array_equal(values[:, :, :end], VALUES[:, :, :end])
        assert not keys[:, :, end:].numpy().any()
        assert not values[:, :, end:].numpy().any()

"""References and logits on which calibration is tested."""

import numpy as np
import tensorflow as tf

from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.batches import pad
from tests.conftest import toy_pairs


def predictable_pairs(translator):
    """Return pairs of which the network predicts some subwords well: its own translations."""
    sources = [source for source, _ in toy_pairs(16, seed=6)]
    found = translator.translate(sources, SearchSettings().greedy())
    own = [(source, best.text[:9]) for source, [best] in zip(sources, found, strict=True)]
    return [*own, *toy_pairs(6, seed=7)]


def batch(rows=3, length=4, vocabulary=9, seed=0):
    """Return random ids with padding, and random logits."""
    random = np.random.default_rng(seed)
    wanted = random.integers(1, vocabulary, (rows, length)).astype(np.int32)
    wanted[0, 2:] = 0
    return wanted, random.normal(0, 2, (rows, length, vocabulary)).astype(np.float32)


def reference_logits(translator, pairs):
    """Return the ids and logits of each pair, one pair at a time."""
    for source, target in pairs:
        ids = translator.target_subwords.encode(target)
        inputs = pad([translator.source_subwords.encode(source)]), pad([ids[:-1]])
        logits = translator.model(tuple(map(tf.constant, inputs)), training=False).numpy()
        yield np.array([ids[1:]]), logits

"""Checks of a copy of the package with the extensions of docs/extending; run as a script."""

import keras
import numpy as np
import tensorflow as tf

from keras_transformer.config import Config
from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.network_search import NetworkSearch

START, END, LENGTH = 21, 22, 8
SOURCE = tf.constant([[START, 3, 4, END, 0], [START, 3, 4, 5, END]])


def small_transformer(**options):
    keras.utils.set_random_seed(0)
    model = Transformer(2, 16, 4, 32, 23, 23, 12, options=Options(**options))
    model.build(None)
    for variable in model.trainable_variables:
        variable.assign(variable + 0.3 * np.random.default_rng(1).normal(size=variable.shape))
    return model


def best_without_repeats(model, source, allowed):
    """Search greedily by full passes, without caches: `allowed` ids up to the end token."""
    ids = [START]
    while len(ids) <= LENGTH and ids[-1] != END:
        logits = model((source, tf.constant([ids])), training=False)[0, -1].numpy()
        ids.append(max({*allowed} - {0, *ids}, key=lambda i: logits[i]))
    return ids[1:]


def assert_without_repeats(found, model, allowed):
    for row in range(2):
        ids = [i for i in found.ids[row, 0].numpy().tolist() if i]
        assert ids == best_without_repeats(model, SOURCE[row : row + 1], allowed), ids


def check_no_repeat():
    model = small_transformer()
    search = NetworkSearch(model, START, END, [0, START], LENGTH)
    found = tf.function(lambda source: search(source, SearchSettings("no-repeat")))(SOURCE)
    plain = tf.function(lambda source: search(source, SearchSettings("greedy")))(SOURCE)
    assert not np.array_equal(found.ids, plain.ids), "greedy search must repeat an id here"
    assert_without_repeats(found, model, range(23))


def check_no_repeat_with_a_shortlist():
    """The size of the shortlist is unknown when the search is traced, as in `BatchSearch`."""
    model = small_transformer()
    search = NetworkSearch(model, START, END, [0, START], LENGTH)
    shortlist = [0, *range(1, START, 2), START, END]
    traced = tf.function(
        lambda source, ids: search(source, SearchSettings("no-repeat"), None, ids),
        [tf.TensorSpec((None, None), tf.int32), tf.TensorSpec((None,), tf.int32)],
    )
    assert_without_repeats(traced(SOURCE, tf.constant(shortlist)), model, shortlist)


def check_rms_norm():
    config = Config().with_settings({"normalization": "rms"})
    model = small_transformer(normalization=config.model.normalization, norm_first=True)
    layers = [layer for layer in model._flatten_layers() if "layernorm" in layer.name]
    assert len(layers) == 2 * 2 + 2 * 3 + 2
    assert all(isinstance(layer, keras.layers.RMSNormalization) for layer in layers)
    features = model.features((SOURCE, SOURCE), training=False).numpy()
    scale = model.decoder.final_layernorm.scale.numpy()
    np.testing.assert_allclose(np.mean(np.square(features / scale), axis=-1), 1, atol=1e-3)


if __name__ == "__main__":
    check_no_repeat()
    check_no_repeat_with_a_shortlist()
    check_rms_norm()
    print("the extensions work")

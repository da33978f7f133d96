import tensorflow as tf

from keras_transformer.text.batches import pad
from keras_transformer.translation.paddable_source import ListSource, TensorSource


def test_both_kinds_of_sources_agree():
    lengths = (4, 6, 9)
    for length in range(1, 12):
        ids = list(range(1, length + 1))
        listed, tensor = ListSource(ids), TensorSource(tf.constant([*ids, 0, 0]))
        bucket = next((i for i, each in enumerate(lengths[:-1]) if each >= length), 2)
        assert listed.bucket(lengths) == int(tensor.bucket(lengths)) == bucket
        wanted = pad([ids], (1, 12)).tolist()
        assert listed.padded(12).numpy().tolist() == tensor.padded(12).numpy().tolist() == wanted

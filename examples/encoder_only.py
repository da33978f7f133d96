"""An encoder-only network: it assigns a sentence to one of several classes."""

import keras
import tensorflow as tf

from keras_transformer.model.encoder import Encoder
from keras_transformer.model.masks import create_padding_mask


class Classifier(keras.Model):
    """The mean of the encoder's output over the real tokens, and a dense layer.

    Args:
        num_layers, d_model, num_heads, dff, input_vocab_size, maximum_position_encoding, rate: as
            for `Encoder`.
        num_classes: number of classes C.

    Call arguments:
        ids: token ids (B, S), padded with 0.
        training: whether dropout is applied.

    Returns:
        Logits (B, C).
    """

    def __init__(self, *encoder_arguments, num_classes):
        super().__init__()
        self.encoder = Encoder(*encoder_arguments, name="encoder")
        self.classify = keras.layers.Dense(num_classes, name="classify")

    def call(self, ids, training=None):
        mask = create_padding_mask(ids)  # (B, 1, 1, S)
        features, _ = self.encoder(ids, training=training, mask=mask)  # (B, S, D)
        real = 1 - mask[:, 0, 0, :, tf.newaxis]  # (B, S, 1)
        return self.classify(tf.reduce_sum(features * real, 1) / tf.reduce_sum(real, 1))

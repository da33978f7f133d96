"""From ids to vectors, and from vectors back to a score for each id."""

import keras
import tensorflow as tf

from keras_transformer.kernels.dense import dense
from keras_transformer.kernels.dropout import Dropout
from keras_transformer.model.positions import positional_encoding


@keras.saving.register_keras_serializable("keras_transformer")
class PositionalEmbedding(keras.layers.Layer):
    """Embeds ids, scales by sqrt(D), adds the position encoding and applies dropout.

    Vaswani et al. (2017), sections 3.4 and 3.5.

    Args:
        vocab_size: number of ids V.
        d_model: depth D.
        maximum_position_encoding: the longest sequence that can be embedded.
        rate: dropout rate, between 0 and 1.

    Call arguments:
        ids: integer tensor (B, T).
        position: position of the first id; not 0 when decoding step by step.
        training: whether dropout is applied.

    Returns:
        Tensor (B, T, D).
    """

    def __init__(self, vocab_size, d_model, maximum_position_encoding, rate=0.1, **kwargs):
        super().__init__(**kwargs)
        self.vocab_size = vocab_size
        self.d_model = d_model
        self.maximum_position_encoding = maximum_position_encoding
        self.rate = rate
        # With this deviation the scaled embedding has unit variance, and so have the logits
        # where the output shares the table.
        initializer = keras.initializers.RandomNormal(stddev=d_model**-0.5)
        self.embedding = keras.layers.Embedding(
            vocab_size, d_model, embeddings_initializer=initializer, name="embedding"
        )
        self.pos_encoding = positional_encoding(maximum_position_encoding, d_model)
        self.dropout = Dropout(rate, name="dropout")

    def build(self, input_shape):
        self.embedding.build((None, None))

    def call(self, ids, position=0, training=None):
        length = ids.shape[1]
        if length is not None and length > self.maximum_position_encoding:
            raise ValueError(
                f"a sequence of {length} ids is longer than "
                f"maximum_position_encoding {self.maximum_position_encoding}"
            )
        table = tf.constant(self.pos_encoding)
        # Not table[:, a:b]: XLA cannot see that b - a is constant.
        positions = tf.slice(table, (0, position, 0), (1, tf.shape(ids)[1], self.d_model))
        x = tf.cast(self.embedding(ids), tf.float32) * self.d_model**0.5 + positions
        return self.dropout(tf.cast(x, self.compute_dtype), training=training)

    def get_config(self):
        return super().get_config() | {
            "vocab_size": self.vocab_size,
            "d_model": self.d_model,
            "maximum_position_encoding": self.maximum_position_encoding,
            "rate": self.rate,
        }


@keras.saving.register_keras_serializable("keras_transformer")
class TiedProjection(keras.layers.Layer):
    """Logits through the transposed table of an embedding (Press and Wolf 2017).

    Args:
        embedding: the `PositionalEmbedding` whose table is shared.

    Call arguments:
        x: tensor (..., D).

    Returns:
        Logits (..., V).
    """

    def __init__(self, embedding, **kwargs):
        super().__init__(**kwargs)
        self.shared = embedding

    def build(self, input_shape):
        if not self.shared.built:
            self.shared.build((None, None))
        self.bias = self.add_weight(
            shape=(self.shared.vocab_size,), initializer="zeros", name="bias"
        )

    def call(self, x):
        return dense(x, self.shared.embedding.embeddings, self.bias, transpose_b=True)

    def get_config(self):
        embedding = keras.saving.serialize_keras_object(self.shared)
        return super().get_config() | {"embedding": embedding}

    @classmethod
    def from_config(cls, config):
        embedding = keras.saving.deserialize_keras_object(config["embedding"])
        return cls(**config | {"embedding": embedding})

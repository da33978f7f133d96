"""Embedding of ids, and the projection of vectors to a score for each id."""

from typing import Any, Self

import keras
import tensorflow as tf

from keras_transformer.kernels.dense import dense
from keras_transformer.kernels.dropout import Dropout
from keras_transformer.model.dtypes import sublayer_dtype
from keras_transformer.model.positions import positional_encoding
from keras_transformer.tensors import Tensor


@keras.saving.register_keras_serializable("keras_transformer")
class PositionalEmbedding(keras.layers.Layer):
    """Embeds ids, scales the vectors by sqrt(D), adds the positional encoding, applies dropout.

    Vaswani et al. (2017), sections 3.4 and 3.5.

    Args:
        vocab_size: number of ids V.
        d_model: depth D, an even number.
        maximum_position_encoding: length of the longest sequence that can be embedded.
        rate: dropout rate, between 0 and 1.

    Call arguments:
        ids: integer tensor (B, T).
        position: position of the first id, an int or a scalar tensor.
        training: whether dropout is applied.

    Returns:
        Tensor (B, T, D).

    Raises:
        ValueError: If `d_model` is odd, or T is static and greater than
            `maximum_position_encoding`.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        maximum_position_encoding: int,
        rate: float = 0.1,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.vocab_size = vocab_size
        self.d_model = d_model
        self.maximum_position_encoding = maximum_position_encoding
        # With this standard deviation, the scaled embedding has unit variance, and so do the logits
        # of an output layer that shares the table.
        initializer = keras.initializers.RandomNormal(stddev=d_model**-0.5)
        dtype = sublayer_dtype(self)
        self.embedding = keras.layers.Embedding(
            vocab_size, d_model, initializer, dtype=dtype, name="embedding"
        )
        self.pos_encoding = positional_encoding(maximum_position_encoding, d_model)
        self.dropout = Dropout(rate, dtype=dtype, name="dropout")

    def build(self, input_shape: tuple) -> None:
        self.embedding.build((None, None))
        self.dropout.build((None, None, self.d_model))

    def call(self, ids: Tensor, position: Tensor = 0, training: bool | None = None) -> Tensor:
        length = ids.shape[1]
        if length is not None and length > self.maximum_position_encoding:
            raise ValueError(
                f"a sequence of {length} ids is longer than "
                f"maximum_position_encoding {self.maximum_position_encoding}"
            )
        table = tf.constant(self.pos_encoding)
        # Not table[:, a:b], because XLA cannot infer that b - a is constant.
        positions = tf.slice(table, (0, position, 0), (1, tf.shape(ids)[1], self.d_model))
        x = tf.cast(self.embedding(ids), tf.float32) * self.d_model**0.5 + positions
        return self.dropout(tf.cast(x, self.compute_dtype), training=training)

    def step(self, ids: Tensor, position: Tensor) -> Tensor:
        """Embed the ids (B, k) of k hypotheses at one position, as (B, k, D)."""
        x = self(tf.reshape(ids, (-1, 1)), position=position, training=False)  # (B * k, 1, D)
        return tf.reshape(x, (-1, ids.shape[1], self.d_model))


@keras.saving.register_keras_serializable("keras_transformer")
class TiedProjection(keras.layers.Layer):
    """An output layer whose kernel is the transposed table of an embedding (Press and Wolf 2017).

    Args:
        embedding: the `PositionalEmbedding` whose table is shared.

    Call arguments:
        x: tensor (..., D).

    Returns:
        Logits (..., V).
    """

    def __init__(self, embedding: PositionalEmbedding, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.shared = embedding

    def build(self, input_shape: tuple) -> None:
        if not self.shared.built:
            self.shared.build((None, None))
        shape = (self.shared.vocab_size,)
        self.bias = self.add_weight(shape=shape, initializer="zeros", name="bias")

    def compute_output_shape(self, input_shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
        return (*input_shape[:-1], self.shared.vocab_size)

    def count_params(self) -> int:
        """Return the number of weights, without those of the shared embedding."""
        return super().count_params() - self.shared.count_params()

    def call(self, x: Tensor) -> Tensor:
        return dense(x, self.shared.embedding.embeddings, self.bias, transpose_b=True)

    def get_config(self) -> dict[str, Any]:
        embedding = keras.saving.serialize_keras_object(self.shared)
        return super().get_config() | {"embedding": embedding}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        embedding = keras.saving.deserialize_keras_object(config["embedding"])
        return cls(**config | {"embedding": embedding})

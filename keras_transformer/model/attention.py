"""Scaled dot-product attention and multi-head attention (Vaswani et al. 2017, section 3.2)."""

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from keras_transformer.kernels.dense import Dense, dense, sizes
from keras_transformer.kernels.dropout import Dropout
from keras_transformer.model.dtypes import sublayer_dtype
from keras_transformer.model.masks import ExplicitMask, float_mask
from keras_transformer.tensors import Tensor

# Added to the score of a hidden position. It is finite, so that a row in which every position is
# hidden yields uniform weights instead of NaN.
HIDDEN = -1e9


def scaled_dot_product_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    dropout: Callable[[Tensor], Tensor] | None = None,
) -> tuple[Tensor, Tensor]:
    """Compute softmax(q k^T / sqrt(K)) v, equation 1 of the paper.

    The softmax is computed in float32 whatever the dtype of the arguments.

    Args:
        q: queries (..., query, K).
        k: keys (..., key, K).
        v: values (..., key, K).
        mask: 1 where a key is hidden, broadcastable to (..., query, key), or None.
        dropout: a function applied to the weights before they multiply the values, or None.

    Returns:
        The output (..., query, K) in the dtype of v, and the attention weights (..., query, key)
        in float32, before dropout; each row of weights sums to 1.

    Raises:
        TypeError: If the mask is boolean.
    """
    scores = tf.cast(tf.matmul(q, k, transpose_b=True), tf.float32) * k.shape[-1] ** -0.5
    if mask is not None:
        scores += float_mask(mask) * HIDDEN
    weights = tf.nn.softmax(scores, axis=-1)  # (..., query, key)
    used = tf.cast(weights, v.dtype)
    return tf.matmul(dropout(used) if dropout else used, v), weights


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Reshape (B, T, D) to (B, H, T, K): each head has its own K = D / H dimensions."""
    batch, length, depth = sizes(x)
    x = tf.reshape(x, (batch, length, num_heads, depth // num_heads))  # (B, T, H, K)
    return tf.transpose(x, (0, 2, 1, 3))  # (B, H, T, K)


def merge_heads(x: Tensor, d_model: int) -> Tensor:
    """Reshape (B, H, T, K) to (B, T, D), the inverse of `split_heads`."""
    x = tf.transpose(x, (0, 2, 1, 3))  # (B, T, H, K)
    return tf.reshape(x, (*sizes(x)[:2], d_model))  # (B, T, D)


@keras.saving.register_keras_serializable("keras_transformer")
class MultiHeadAttention(ExplicitMask, keras.layers.Layer):
    """Attention in `num_heads` subspaces at once (Vaswani et al. 2017, section 3.2.2).

    The weights W_q, W_k and W_v of all heads are columns of one kernel (D, 3 D), so that
    self-attention, where queries, keys and values come from the same tensor, needs one product.

    Args:
        d_model: depth D of the inputs and of the output.
        num_heads: number of heads H; must divide `d_model`.
        rate: dropout rate of the attention weights, between 0 and 1.

    Call arguments:
        v: tensor (B, key, D) from which the values are computed.
        k: tensor (B, key, D) from which the keys are computed.
        q: tensor (B, query, D) from which the queries are computed.
        mask: 1 where a key is hidden, broadcastable to (B, H, query, key), or None.
        training: whether dropout is applied.

    Returns:
        The output (B, query, D) and the attention weights (B, H, query, key).

    Raises:
        ValueError: If `num_heads` does not divide `d_model`.

    Examples:
        >>> attention = MultiHeadAttention(d_model=512, num_heads=8)
        >>> y = keras.random.uniform((1, 60, 512))
        >>> output, weights = attention(y, k=y, q=y, mask=None)
        >>> output.shape, weights.shape
        (TensorShape([1, 60, 512]), TensorShape([1, 8, 60, 60]))
    """

    def __init__(self, d_model: int, num_heads: int, rate: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if d_model % num_heads:
            raise ValueError(f"d_model {d_model} is not divisible by num_heads {num_heads}")
        self.d_model = d_model
        self.num_heads = num_heads
        dtype = sublayer_dtype(self)
        self.dropout = Dropout(rate, dtype=dtype, name="dropout")
        self.dense = Dense(d_model, dtype=dtype, name="dense")

    def build(self, input_shape: tuple) -> None:
        depth = self.d_model
        self.kernel = self.add_weight(shape=(depth, 3 * depth), name="kernel")
        self.bias = self.add_weight(shape=(3 * depth,), initializer="zeros", name="bias")
        for layer in (self.dropout, self.dense):
            layer.build((None, None, depth))

    def call(
        self,
        v: Tensor,
        k: Tensor,
        q: Tensor,
        mask: Tensor | None = None,
        training: bool | None = None,
    ) -> tuple[Tensor, Tensor]:
        if v is k and k is q:
            q, k, v = self.self_projections(q)
        elif v is k:
            q, (k, v) = self.query(q), self.keys_and_values(k)
        else:
            q, [k], [v] = self.query(q), self._project(k, 1, 2), self._project(v, 2, 3)
        return self.attend(q, k, v, mask=mask, training=training)

    def attend(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        mask: Tensor | None = None,
        training: bool | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Compute attention over projected heads: q (B, H, query, K), k and v (B, H, key, K)."""
        output, weights = scaled_dot_product_attention(
            q, k, v, mask, dropout=lambda weights: self.dropout(weights, training=training)
        )
        return self.dense(merge_heads(output, self.d_model)), weights

    def self_projections(self, x: Tensor) -> list[Tensor]:
        """Return the queries, keys and values of x (B, T, D), each (B, H, T, K)."""
        return self._project(x, 0, 3)

    def query(self, x: Tensor) -> Tensor:
        """Return the queries (B, H, T, K) of x (B, T, D)."""
        return self._project(x, 0, 1)[0]

    def keys_and_values(self, x: Tensor) -> list[Tensor]:
        """Return the keys and values of x (B, T, D), each (B, H, T, K)."""
        return self._project(x, 1, 3)

    def split_heads(self, x: Tensor) -> Tensor:
        """Split the heads of n concatenated tensors: (B, T, n D) -> (B, n H, T, K)."""
        return split_heads(x, x.shape[-1] // self.d_model * self.num_heads)

    def _project(self, x: Tensor, first: int, last: int) -> list[Tensor]:
        """Project x (B, T, D) by parts `first` to `last` - 1 of the kernel, and split the heads.

        Part 0 yields queries, 1 keys, 2 values; each is (B, H, T, K).
        """
        columns = slice(first * self.d_model, last * self.d_model)
        x = dense(x, self.kernel[:, columns], self.bias[columns])  # (B, T, n D)
        # The heads are split before the parts, which takes one transposition instead of n.
        return tf.split(self.split_heads(x), last - first, axis=1)

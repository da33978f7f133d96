"""A decoder-only network: it predicts the next token of a sequence, and continues a prefix."""

import keras
import tensorflow as tf

from keras_transformer.model.caches import GrowingCache
from keras_transformer.model.embeddings import PositionalEmbedding, TiedProjection
from keras_transformer.model.encoder import EncoderLayer
from keras_transformer.model.masks import create_look_ahead_mask
from keras_transformer.model.options import DEFAULTS
from keras_transformer.model.sublayers import final_normalization


class LanguageModel(keras.Model):
    """Masked self-attention and feed-forward layers; the output shares the embedding's table.

    The call maps ids (B, T) to logits (B, T, V); those at position t predict the id at t + 1.
    """

    def __init__(self, num_layers, d_model, num_heads, dff, vocab_size, length, rate=0.1):
        super().__init__()
        self.shape_of_caches = num_heads, d_model // num_heads
        self.embedding = PositionalEmbedding(vocab_size, d_model, length, rate)
        self.blocks = [EncoderLayer(d_model, num_heads, dff, rate) for _ in range(num_layers)]
        self.final_layernorm = final_normalization(DEFAULTS)
        self.final_layer = TiedProjection(self.embedding)

    def call(self, ids, training=None):
        x, mask = self.embedding(ids, training=training), create_look_ahead_mask(tf.shape(ids)[1])
        for block in self.blocks:
            x, _ = block(x, training=training, mask=mask)
        return self.final_layer(self.final_layernorm(x))

    def caches(self, batch):
        """Return the empty cache of each layer, for `batch` sequences."""
        shape = *self.shape_of_caches, self.compute_dtype
        return [GrowingCache.empty(batch, *shape) for _ in self.blocks]

    def step(self, ids, position, caches):
        """Return logits (B, k, V) for one more position with ids (B, k), and the new caches."""
        x, caches = self.embedding.step(ids, position), list(caches)
        for i, block in enumerate(self.blocks):
            x, caches[i] = block.step(x, position, caches[i])
        return self.final_layer(self.final_layernorm(x)), caches

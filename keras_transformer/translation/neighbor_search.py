"""The search with the nearest neighbors in a datastore (Khandelwal et al. 2021, section 3)."""

from typing import Any

import tensorflow as tf

from keras_transformer.kernels.top_k import NEVER, bounded_log
from keras_transformer.kernels.vocabulary_projection import Projection
from keras_transformer.tensors import Tensor
from keras_transformer.translation.datastore import Datastore, Floats, Ids
from keras_transformer.translation.network_search import NetworkExecution, NetworkSearch


class NeighborSearch(NetworkSearch):
    """Searches for the translations that a network and the neighbors find most probable.

    faiss runs in Python, so XLA cannot compile the search. A shortlist is not supported.

    Args:
        datastore: the `Datastore`.
        *arguments: those of `NetworkSearch`.
    """

    def __init__(self, datastore: Datastore, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.datastore = datastore

    def _projection(self, execution: NetworkExecution, shortlist: Tensor | None) -> Projection:
        if shortlist is not None:
            raise ValueError("a search with neighbors considers the whole vocabulary")
        project = super()._projection(execution, shortlist)
        return lambda features: self._interpolated(features, project(features))

    def _interpolated(self, features: Tensor, logits: Tensor) -> Tensor:
        """Return the logarithms (B, k, V) of the interpolated probabilities.

        Args:
            features: (B, k, D).
            logits: (B, k, V), those of the network.
        """
        share = self.datastore.interpolation.share
        of_neighbors = self._probabilities(features, tf.shape(logits)[2])
        mixed = (1 - share) * tf.nn.softmax(logits) + share * of_neighbors
        mixed = tf.ensure_shape(bounded_log(mixed), logits.shape)
        return tf.where(logits > NEVER / 2, mixed, logits)

    def _probabilities(self, features: Tensor, vocab_size: Tensor) -> Tensor:
        """Return the probabilities (B, k, V) of subwords among the neighbors of features."""
        rows = tf.reshape(tf.cast(features, tf.float32), (-1, features.shape[-1]))
        ids, weights = tf.numpy_function(self._look_up, [rows], (tf.int32, tf.float32))
        count = tf.shape(rows)[0]
        places = tf.stack([tf.broadcast_to(tf.range(count)[:, None], tf.shape(ids)), ids], axis=-1)
        table = tf.scatter_nd(places, weights, (count, vocab_size))  # adds equal subwords
        return tf.reshape(table, (-1, features.shape[1], vocab_size))

    def _look_up(self, features: Floats) -> tuple[Ids, Floats]:
        """Return the subwords (n, k) of the neighbors of features (n, D), and their weights."""
        found = self.datastore.neighbors(features)
        weights = found.weights(self.datastore.interpolation.temperature)
        return found.ids, weights.astype("float32")

"""The cross-attention of many pairs at a time, with the network of a `Translator`."""

from collections.abc import Sequence

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.inspection.alignments.cross_attention import SubwordAttention
from keras_transformer.tensors import Tensor
from keras_transformer.text.batches import pad
from keras_transformer.translation.parallel import map_batches
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator

BATCH_SIZE = 64


class BatchedAttention:
    """Computes the cross-attention between sentences and translations, in batches.

    Args:
        translator: the translator.

    Call arguments:
        sentences: the sentences.
        translations: a `Translation` of each sentence. One without ids has those of its text, at
            most as many as the decoder reads.

    Returns:
        A `SubwordAttention` for each pair, in order.
    """

    def __init__(self, translator: Translator) -> None:
        self.translator = translator
        self._weights = tf.function(
            self._forward,
            input_signature=[tf.TensorSpec((None, None), tf.int32)] * 2,
            autograph=False,
        )

    def __call__(
        self, sentences: Sequence[str], translations: Sequence[Translation]
    ) -> list[SubwordAttention]:
        sources = [self.translator.source_ids(sentence) for sentence in sentences]
        targets = [self._target_ids(translation) for translation in translations]

        def forward(batch: list[int]) -> NDArray[np.float32]:
            ids = [sources[i] for i in batch], [targets[i] for i in batch]
            weights: NDArray[np.float32] = self._weights(*map(pad, ids)).numpy()
            return weights

        found = map_batches(forward, [len(target) for target in targets], BATCH_SIZE)
        return list(map(self._labeled, sources, targets, found))

    def _target_ids(self, translation: Translation) -> list[int]:
        return list(translation.ids) or self.translator.target_ids(translation.text)

    def _labeled(
        self, source: list[int], target: list[int], weights: NDArray[np.float32]
    ) -> SubwordAttention:
        """Return the attention of one pair; the weights (layers, H, T, S) may be padded."""
        return SubwordAttention(
            self.translator.source_subwords.labels(source),
            self.translator.target_subwords.labels(target),
            weights[:, :, : len(target), : len(source)],
        )

    def _forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the weights (B, layers, H, T, S) for ids (B, S) and (B, T)."""
        pair = source, target
        _, weights = self.translator.model(pair, training=False, return_attention=True)
        return tf.cast(tf.stack(weights.cross, axis=1), tf.float32)

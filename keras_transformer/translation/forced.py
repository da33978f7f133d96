"""Teacher forcing: the network's predictions of given targets, from the subwords before each."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.model.losses import token_losses
from keras_transformer.tensors import Tensor
from keras_transformer.text.batches import make_batches, pad
from keras_transformer.text.encoded_pairs import EncodedPairs
from keras_transformer.translation.parallel import map_batches
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator

BATCH_SIZE = 64

Floats: TypeAlias = NDArray[np.floating]


class ForcedDecoding:
    """Computes the probabilities of the subwords of translations.

    Args:
        translator: the `Translator` whose network predicts the subwords.
        temperature: the number by which the logits are divided; 1 leaves them unchanged.
    """

    def __init__(self, translator: Translator, temperature: float = 1.0) -> None:
        self.translator = translator
        self.temperature = temperature
        self._log_probabilities = tf.function(
            self._forward,
            input_signature=[tf.TensorSpec((None, None), tf.int32)] * 2,
            autograph=False,
        )

    def log_probabilities(
        self, sentences: Sequence[str], translations: Sequence[Translation]
    ) -> list[Floats]:
        """Return an array (T - 1,) of the log probabilities of each translation's subwords.

        Each is conditional on the sentence and on the subwords before. The start token has none.

        Args:
            sentences: the sources.
            translations: a translation of each source. It must have ids.
        """

        def forward(batch: list[int]) -> Floats:
            source = [self.translator.source_ids(sentences[i]) for i in batch]
            target = [translations[i].ids for i in batch]
            return self._log_probabilities(pad(source), pad(target)).numpy()

        lengths = [len(translation.ids) for translation in translations]
        rows = map_batches(forward, lengths, BATCH_SIZE)
        return [row[: length - 1] for row, length in zip(rows, lengths, strict=True)]

    def _forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the log probabilities (B, T - 1) of target ids (B, T), given sources (B, S)."""
        wanted = target[:, 1:]
        logits = self.translator.model((source, target[:, :-1]), training=False)
        return -token_losses(wanted, tf.cast(logits, tf.float32) / self.temperature)


def reference_batches(
    translator: Translator, pairs: Sequence[tuple[str, str]], batch_size: int = BATCH_SIZE
) -> tf.data.Dataset:
    """Return batches of source ids (B, S) and reference ids (B, T).

    Pairs with an empty or too long side are left out.

    Args:
        translator: a `Translator`.
        pairs: (source, reference) strings.
        batch_size: number of pairs in a batch of the maximum width.
    """
    encoded = EncodedPairs(pairs, translator.encoding)
    return make_batches(encoded, "bucketed", batch_size, max(len(pairs), 1))


def predicted(
    translator: Translator, pairs: Sequence[tuple[str, str]], batch_size: int = BATCH_SIZE
) -> Iterator[tuple[Tensor, Tensor]]:
    """Predict each subword of references from the subwords before it.

    Args:
        translator, pairs, batch_size: see `reference_batches`.

    Yields:
        For each batch the subwords to predict, ids (B, T - 1) with 0 for padding, and the logits
        (B, T - 1, V).
    """
    for source, target in reference_batches(translator, pairs, batch_size):
        yield target[:, 1:], translator.model((source, target[:, :-1]), training=False)

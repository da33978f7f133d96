"""Forced decoding: the network's probabilities of the subwords of a given translation.

There is no search. The decoder reads the given translation (teacher forcing) and predicts, at each
position, the next subword.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.errors import UserError
from keras_transformer.model.transformer import Transformer
from keras_transformer.tensors import Tensor
from keras_transformer.text.batches import pad
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator

BATCH_SIZE = 64


class Forced(NamedTuple):
    """What the network predicts for the T - 1 subwords of a target after the start token.

    Attributes:
        probabilities: float32 array (T - 1,), the probability of each of these subwords, given the
            source and the subwords before it.
        best: int32 array (T - 1,), the id of the most probable subword at each position.
        best_probabilities: float32 array (T - 1,), the probabilities of `best`.
    """

    probabilities: NDArray[np.float32]
    best: NDArray[np.int32]
    best_probabilities: NDArray[np.float32]


def forced(
    model: Transformer, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> list[Forced]:
    """Predict the subwords of given targets.

    Args:
        model: the network.
        sources: the ids of each source, from the start to the end token.
        targets: the ids of each target, from the start token.

    Returns:
        A `Forced` for each pair.
    """
    found = list[Forced]()
    for first in range(0, len(sources), BATCH_SIZE):
        batch = slice(first, first + BATCH_SIZE)
        arrays = (
            each.numpy() for each in _forward(model, pad(sources[batch]), pad(targets[batch]))
        )
        for target, *rows in zip(targets[batch], *arrays, strict=True):
            found.append(Forced(*(row[: len(target) - 1] for row in rows)))
    return found


def _forward(model: Transformer, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the arrays of `Forced`, each (B, T - 1), for ids (B, S) and (B, T)."""
    source, target = tf.constant(source), tf.constant(target)
    logits = model((source, target[:, :-1]), training=False)
    probabilities = tf.nn.softmax(tf.cast(logits, tf.float32))  # (B, T - 1, V)
    best = tf.argmax(probabilities, axis=-1, output_type=tf.int32)
    return (
        tf.gather(probabilities, target[:, 1:], batch_dims=2),
        best,
        tf.reduce_max(probabilities, axis=-1),
    )


def given_translation(
    translator: Translator, sentence: str, text: str
) -> tuple[Translation, Forced]:
    """Return a given text as the `Translation` of a sentence, and its probabilities.

    The score of the translation is its log probability in nats.

    Args:
        translator: the translator whose network is asked.
        sentence: the source.
        text: the translation.

    Raises:
        UserError: If the text is empty, or longer than the translations of the network.
    """
    ids = target_ids(translator, text)
    [probabilities] = forced(translator.model, [translator.source_ids(sentence)], [ids])
    score = float(np.log(probabilities.probabilities.astype(np.float64)).sum())
    return Translation(translator.target_subwords.decode(ids), score, tuple(ids)), probabilities


def target_ids(translator: Translator, text: str) -> list[int]:
    """Return the ids of a given translation, from the start to the end token.

    Args:
        translator: a translator into the language of the text.
        text: the translation.

    Raises:
        UserError: If the text is empty, or longer than the translations of the network.
    """
    ids = translator.target_subwords.encode(text)
    limit = translator.max_target_length
    if len(ids) <= 2:
        raise UserError("the target is empty")
    if len(ids) > limit:
        raise UserError(
            f"the target is too long: it has {len(ids) - 2} subwords, and the network writes at "
            f"most {limit - 2}"
        )
    return ids

"""Forced decoding: the network's probabilities of the subwords of a given translation.

There is no search. The decoder reads the given translation (teacher forcing) and predicts, at each
position, the next subword. `translation.forced` does the same for many pairs, but returns only the
probabilities of their subwords.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.errors import UserError
from keras_transformer.inspection.limits import check_length
from keras_transformer.model.transformer import Transformer
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator


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


def forced(model: Transformer, source: Sequence[int], target: Sequence[int]) -> Forced:
    """Predict the subwords of a given target.

    Args:
        model: the network.
        source: the ids of the source, from the start to the end token.
        target: the ids of the target, from the start token.
    """
    logits = model((tf.constant([source]), tf.constant([target[:-1]])), training=False)
    probabilities = tf.nn.softmax(tf.cast(logits[0], tf.float32)).numpy()  # (T - 1, V)
    best = probabilities.argmax(axis=-1).astype(np.int32)
    rows = np.arange(len(best))
    return Forced(probabilities[rows, target[1:]], best, probabilities[rows, best])


def given_translation(
    translator: Translator, sentence: str, text: str
) -> tuple[Translation, Forced]:
    """Return a given text as the `Translation` of a sentence, and its probabilities.

    The score of the translation is its log probability in nats.

    Args:
        translator: the translator whose network computes the probabilities.
        sentence: the source.
        text: the translation.

    Raises:
        UserError: If the text is empty, or longer than the translations of the network.
    """
    ids = complete_target_ids(translator, text)
    probabilities = forced(translator.model, translator.source_ids(sentence), ids)
    score = float(np.log(probabilities.probabilities.astype(np.float64)).sum())
    return Translation(translator.target_subwords.decode(ids), score, tuple(ids)), probabilities


def complete_target_ids(translator: Translator, text: str) -> list[int]:
    """Return the ids of a given translation, from the start to the end token.

    Args:
        translator: a translator into the language of the text.
        text: the translation.

    Raises:
        UserError: If the text is empty, or longer than the translations of the network.
    """
    ids = translator.target_subwords.encode(text)
    if len(ids) <= 2:
        raise UserError("the target is empty")
    longest = translator.max_target_length - 2
    check_length("the target", len(ids) - 2, longest, verb="writes")
    return ids

"""The check of an export for CTranslate2: its probabilities are those of the network."""

import os
from collections.abc import Sequence

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.errors import CheckError, missing_extra
from keras_transformer.export import samples
from keras_transformer.kernels.top_k import NEVER
from keras_transformer.text.batches import pad
from keras_transformer.text.subwords import Subwords
from keras_transformer.translation.translator import Translator

try:
    import ctranslate2
except ImportError as error:
    raise missing_extra("the export for CTranslate2 needs ctranslate2", "ctranslate2") from error

COMPARED = 64  # translations
TOLERANCE = 1e-3  # log probabilities that differ by less are considered equal


def compare(directory: str | os.PathLike[str], translator: Translator) -> int:
    """Compare the probabilities of generated translations in CTranslate2 and in the network.

    Args:
        directory: the model directory.
        translator: the `Translator`.

    Returns:
        The number of translations.

    Raises:
        CheckError: If CTranslate2 cannot load the model, or a probability differs.
    """
    sources = _sample_ids(translator.source_subwords, translator.max_source_length)
    targets = list(reversed(_sample_ids(translator.target_subwords, translator.max_target_length)))
    found = _scores(directory, translator, sources, targets)
    wanted = _log_probabilities(translator, sources, targets)
    for target, scores, row in zip(targets, found, wanted, strict=True):
        ours = row[: len(scores)]
        if not np.allclose(scores, ours, atol=TOLERANCE):
            text = translator.target_subwords.decode(target)
            raise CheckError(
                f"the log probabilities of {text!r} are {np.round(scores, 4)} in CTranslate2, "
                f"and {np.round(ours, 4)} in the run"
            )
    return len(sources)


def _sample_ids(subwords: Subwords, longest: int) -> list[list[int]]:
    """Return the ids of generated sentences, at most as many as the network processes."""
    rows = map(subwords.encode, samples.sentences(subwords, COMPARED))
    return [[*ids[: min(len(ids), longest) - 1], subwords.end] for ids in rows]


def _scores(
    directory: str | os.PathLike[str],
    translator: Translator,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
) -> list[list[float]]:
    """Return CTranslate2's log probabilities of the ids of each target after the start token.

    Raises:
        CheckError: If CTranslate2 cannot load or call the model.
    """
    try:
        results = ctranslate2.Translator(str(directory)).score_batch(
            [translator.source_subwords.labels(ids[1:-1]) for ids in sources],
            [translator.target_subwords.labels(ids[1:-1]) for ids in targets],
        )
    except (RuntimeError, ValueError) as error:
        raise CheckError(f"CTranslate2 cannot load or call the export: {error}") from error
    return [result.log_probs for result in results]


def _log_probabilities(
    translator: Translator, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> NDArray[np.float32]:
    """Return the network's log probabilities (B, T - 1) of the ids of each target after the start.

    Args:
        translator: the `Translator`.
        sources: the ids of each source, with start and end.
        targets: the ids of each target, with start and end.
    """
    source, target = pad(sources), pad(targets)
    logits = translator.model((tf.constant(source), tf.constant(target[:, :-1])), training=False)
    suppressed = translator.target_subwords.suppressed_ids()
    logits += NEVER * tf.reduce_sum(tf.one_hot(suppressed, logits.shape[-1]), axis=0)
    log_probabilities = tf.nn.log_softmax(logits)
    return tf.gather(log_probabilities, target[:, 1:], batch_dims=2).numpy()

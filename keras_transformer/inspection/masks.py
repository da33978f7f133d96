"""The masks of a small batch, and the attention weights that result from them.

The positions are those that the decoder reads in training (teacher forcing): all positions of the
padded targets but the last. A target shorter than the longest one therefore includes its end token.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.counting import counted
from keras_transformer.errors import UserError
from keras_transformer.inspection.limits import check_head, check_layer, complete_source_ids
from keras_transformer.model.attention import scaled_dot_product_attention
from keras_transformer.model.masks import (
    create_combined_mask,
    create_look_ahead_mask,
    create_padding_mask,
)
from keras_transformer.pictures import matrices
from keras_transformer.pictures.matrices import Sentence
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import printable, shown
from keras_transformer.text.batches import pad
from keras_transformer.text.special_tokens import END_TOKEN, PADDING_TOKEN, START_TOKEN
from keras_transformer.text.subwords import PADDING
from keras_transformer.translation.translator import Translator

MAX_SENTENCES, MAX_WORDS = 8, 40
# Ids of words begin after these.
SPECIAL = {PADDING: PADDING_TOKEN, 1: START_TOKEN, 2: END_TOKEN}
UNREAD = "The last position, with <end> of the longest sentence, is predicted but not read."


class Batch(NamedTuple):
    """A batch that the decoder reads, with its attention weights.

    Attributes:
        ids: int32 array (B, T), padded with 0.
        labels: the label of each position of each sentence.
        weights: float32 array (B, T, T) of query and key.
    """

    ids: NDArray[np.int32]
    labels: list[list[str]]
    weights: NDArray[np.float32]


def check_sentences(sentences: Sequence[str]) -> None:
    """Check sentences before any of them is encoded.

    Raises:
        UserError: If there are too many, or one of them is empty.
    """
    if len(sentences) > MAX_SENTENCES:
        raise UserError(f"there are {len(sentences)} sentences; at most {MAX_SENTENCES} are drawn")
    for number, sentence in enumerate(sentences, 1):
        if not sentence.strip():
            raise UserError(f"sentence {number} is empty")


def batch_of_words(sentences: Sequence[str]) -> Batch:
    """Return sentences, split into words at spaces, with uniform attention weights.

    All queries and keys are equal, so that each position distributes its attention equally among
    the positions that the mask leaves visible. No network is needed.

    Raises:
        UserError: If there are too many sentences, or one is empty or too long.
    """
    check_sentences(sentences)
    for number, sentence in enumerate(sentences, 1):
        if len(sentence.split()) > MAX_WORDS:
            raise UserError(
                f"sentence {number} is too long: it has {len(sentence.split())} words; at most "
                f"{MAX_WORDS} are drawn"
            )
    words = dict.fromkeys(word for sentence in sentences for word in sentence.split())
    numbers = {word: number for number, word in enumerate(words, len(SPECIAL))}
    rows = [[1, *(numbers[word] for word in sentence.split()), 2] for sentence in sentences]
    ids, names = pad(rows)[:, :-1], [*SPECIAL.values(), *map(printable, words)]
    equal = tf.zeros((*ids.shape, 1))
    _, weights = scaled_dot_product_attention(equal, equal, equal, create_combined_mask(ids)[:, 0])
    return Batch(ids, [[names[i] for i in row] for row in ids], weights.numpy())


def batch_of_translations(
    translator: Translator,
    sentences: Sequence[str],
    layer: int | None = None,
    head: int | None = None,
) -> Batch:
    """Return the translations of sentences, with the weights of the decoder's self-attention.

    Args:
        translator: the translator.
        sentences: the sources.
        layer: number of the decoder layer, from 1; the last by default.
        head: number of the head, from 1; the mean of all heads by default.

    Raises:
        UserError: If there are too many sentences, one is empty or longer than the network reads,
            or the network has no such layer or head.
    """
    check_sentences(sentences)
    check_layer(layer, translator.num_layers("decoder"), "decoder")
    check_head(head, translator.model.decoder.num_heads)
    sources = [
        complete_source_ids(translator, sentence, f"sentence {number}")
        for number, sentence in enumerate(sentences, 1)
    ]
    targets = [list(found[0].ids) for found in translator.translate(sentences)]
    ids = pad(targets)[:, :-1]
    inputs = tf.constant(pad(sources)), tf.constant(ids)
    _, weights = translator.model(inputs, training=False, return_attention=True)
    heads = weights.decoder[(layer or 0) - 1].numpy()  # (B, H, T, T)
    subwords = translator.target_subwords
    labels = [list(map(shown, subwords.labels(row))) for row in ids]
    return Batch(ids, labels, heads.mean(1) if head is None else heads[:, head - 1])


def plot_word_masks(sentences: Sequence[str]) -> NotebookFigure:
    """Plot the masks of sentences that are split into words, with uniform attention weights.

    Returns:
        A figure that displays itself in a notebook. `pictures.saving.save` writes it to a file.

    Raises:
        UserError: If there are too many sentences, or one is empty or too long.
    """
    text = "Words split at spaces. All scores are equal: visible positions have the same weight."
    titles = [printable(sentence) for sentence in sentences]
    return _plot(batch_of_words(sentences), titles, "masks of a batch", text)


def plot_translation_masks(
    translator: Translator,
    sentences: Sequence[str],
    layer: int | None = None,
    head: int | None = None,
) -> NotebookFigure:
    """Plot the masks of the translations of sentences, with the decoder's attention weights.

    Args:
        translator: the translator.
        sentences: the sources.
        layer: number of the decoder layer, from 1; the last by default.
        head: number of the head, from 1; the mean of all heads by default.

    Returns:
        A figure that displays itself in a notebook. `pictures.saving.save` writes it to a file.

    Raises:
        UserError: See `batch_of_translations`.
    """
    batch = batch_of_translations(translator, sentences, layer, head)
    layers, heads = translator.num_layers("decoder"), translator.model.decoder.num_heads
    part = f"mean of {counted(heads, 'head')}" if head is None else f"head {head} of {heads}"
    text = (
        "The decoder reads the translations. Weights of its self-attention: "
        f"layer {layer or layers} of {layers}, {part}."
    )
    titles = [printable(sentence) for sentence in sentences]
    return _plot(batch, titles, "masks of a batch of translations", text)


def _plot(batch: Batch, titles: Sequence[str], title: str, text: str) -> NotebookFigure:
    rows = map(Sentence, titles, batch.labels, *masks_of(batch.ids), batch.weights)
    return matrices.plot_masks(list(rows), title, [text, UNREAD])


def masks_of(ids: NDArray[np.int32]) -> tuple[NDArray[np.float32], ...]:
    """Return the padding, look-ahead and combined mask of ids (B, T), each (B, T, T)."""
    count, length = ids.shape
    masks = create_padding_mask(ids), create_look_ahead_mask(length), create_combined_mask(ids)
    shape = count, 1, length, length
    return tuple(tf.broadcast_to(mask, shape)[:, 0].numpy() for mask in masks)

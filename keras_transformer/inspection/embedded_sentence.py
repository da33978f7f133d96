"""The vectors of a sentence before and after the positions are added to them."""

from typing import NamedTuple

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.inspection.embeddings.writing import writing_of
from keras_transformer.inspection.limits import complete_source_ids
from keras_transformer.inspection.projection import principal_components
from keras_transformer.pictures.movements import plot_movements
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import printable
from keras_transformer.translation.translator import Translator


class EmbeddedSentence(NamedTuple):
    """The vectors that the encoder computes first.

    Attributes:
        subwords: the S subwords of the sentence, from the start to the end token.
        before: float32 array (S, D), the embedding of each subword, scaled by sqrt(D).
        after: float32 array (S, D), the same with the positional encoding, the encoder's input.
    """

    subwords: list[str]
    before: NDArray[np.float32]
    after: NDArray[np.float32]


def embedded_sentence(translator: Translator, sentence: str) -> EmbeddedSentence:
    """Embed a sentence as the encoder of a translator does.

    Args:
        translator: the translator.
        sentence: the source.

    Raises:
        UserError: If the sentence is empty, or longer than the network reads.
    """
    ids = complete_source_ids(translator, sentence)
    layer = translator.model.encoder.embedding
    rows = tf.cast(layer.embedding(tf.constant(ids)), tf.float32)
    after = tf.cast(layer(tf.constant([ids]), training=False)[0], tf.float32)
    before = rows * layer.d_model**0.5
    return EmbeddedSentence(translator.source_subwords.labels(ids), before.numpy(), after.numpy())


def plot_embedded_sentence(translator: Translator, sentence: str) -> NotebookFigure:
    """Plot the subwords of a sentence before and after the positions are added to them.

    Both are projected to the same two principal components, those of all the vectors drawn. A
    hyphen precedes subwords that continue a word. In a language without spaces between words,
    ␣ precedes subwords that follow a space.

    Args:
        translator: the translator whose encoder embeds the sentence.
        sentence: the source.

    Returns:
        A figure that displays itself in a notebook. `pictures.saving.save` writes it to a file.

    Raises:
        UserError: If the sentence is empty, or longer than the network reads.
    """
    pieces, before, after = embedded_sentence(translator, sentence)
    start, *subwords, end = pieces
    label = writing_of(translator.source_subwords.lang).label
    projection = principal_components(np.concatenate([before, after]))
    first, second = (f"{share:.0%} of the variance" for share in projection.explained)
    return plot_movements(
        projection.project(before),
        projection.project(after),
        [start, *map(label, subwords), end],
        ("embedding, scaled by √d_model", "with its position added"),
        (f"first principal component ({first})", f"second principal component ({second})"),
        "a sentence before and after positions are added",
        [printable(sentence)],
        keys=pieces,  # labels do not tell a hyphen after a space from another one
    )

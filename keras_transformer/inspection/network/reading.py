"""What the encoder and the decoder read: a text with its ids and its subwords."""

from collections.abc import Sequence
from typing import NamedTuple

from keras_transformer.inspection.limits import check_length, complete_source_ids
from keras_transformer.text.subwords import Subwords
from keras_transformer.translation.translator import Translator


class Reading(NamedTuple):
    """A text as the encoder or the decoder reads it.

    Attributes:
        text: the text.
        ids: its ids, as the network reads them.
        subwords: the `Subwords` of the language.
    """

    text: str
    ids: Sequence[int]
    subwords: Subwords

    def labels(self) -> list[str]:
        """Return the subword of each id."""
        return self.subwords.labels(self.ids)


def source_reading(translator: Translator, sentence: str) -> Reading:
    """Return a sentence as the encoder reads it, with start and end.

    Raises:
        UserError: If the sentence is empty or too long.
    """
    ids = complete_source_ids(translator, sentence)
    return Reading(sentence, ids, translator.source_subwords)


def prefix_reading(translator: Translator, prefix: str) -> Reading:
    """Return the beginning of a translation as the decoder reads it, with start but without end.

    Raises:
        UserError: If the prefix is too long.
    """
    ids = translator.target_subwords.encode(prefix)[:-1]
    check_length("the prefix", len(ids) - 1, translator.max_target_length - 2)
    return Reading(prefix, ids, translator.target_subwords)


def translation_reading(translator: Translator, sentence: str) -> Reading:
    """Return the translation of a sentence as the decoder reads it, with start but without end."""
    [[translation]] = translator.translate([sentence])
    ids = list(translation.ids[:-1]) or [translator.target_subwords.start]
    return Reading(translation.text, ids, translator.target_subwords)

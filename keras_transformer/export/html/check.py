"""The check of a page before it appears: it contains the run's model, with similar weights."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from keras_transformer.errors import CheckError
from keras_transformer.export import samples
from keras_transformer.export.html.content import Content, fitting
from keras_transformer.export.html.network_weights import assign
from keras_transformer.export.html.quantization import Quantized
from keras_transformer.export.html.reading import read_page
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.batches import pad
from keras_transformer.translation.translator import Translator

GENERATED = 64  # sentences of random words that are translated, besides the examples of the page


@dataclass(frozen=True)
class Agreement:
    """How often the weights of a page and those of the run translate a sentence in the same way.

    Args:
        same: number of sentences with the same translation.
        compared: number of sentences translated by greedy search, which are those that the network
            reads to their end.
    """

    same: int
    compared: int

    def __str__(self) -> str:
        return f"{self.same} of {self.compared}"


def check(path: Path, content: Content, translator: Translator) -> tuple[Agreement, Agreement]:
    """Compare a page with what was to be written, and its translations with those of the run.

    Args:
        path: the page.
        content: what was to be written.
        translator: the `Translator` of the run. Its weights become those of the page.

    Returns:
        The `Agreement` for the examples of the page, and for sentences of random words.

    Raises:
        CheckError: If the page has other content, or a logit is not finite.
    """
    generated = samples.sentences(translator.source_subwords, GENERATED)
    examples = fitting(translator, content.description["examples"])
    sentences = [*examples, *fitting(translator, generated)]
    wanted = _translations(translator, sentences)
    assign(translator.model, _tensors(path, content))
    found = _translations(translator, sentences)
    same = [a == b for a, b in zip(wanted, found, strict=True)]
    return _agreement(same[: len(examples)]), _agreement(same[len(examples) :])


def _agreement(same: list[bool]) -> Agreement:
    return Agreement(sum(same), len(same))


def _tensors(path: Path, content: Content) -> dict[str, Quantized]:
    """Return the tensors of a page.

    Raises:
        CheckError: If the page does not have the content that was to be written.
    """
    try:
        description, subwords, tensors = read_page(path)
    except (KeyError, ValueError) as error:
        raise CheckError(f"the page cannot be read back: {error}") from error
    del description["tensors"]
    if (description, subwords) != (content.description, content.subwords):
        raise CheckError("the page does not describe the model of the run")
    if not _same(tensors, content.tensors):
        raise CheckError("the page does not contain the weights of the run")
    return tensors


def _same(found: Mapping[str, Quantized], wanted: Mapping[str, Quantized]) -> bool:
    """Return whether two sets of tensors have the same names and the same numbers."""
    return list(found) == list(wanted) and all(
        np.array_equal(found[name].dequantized(), wanted[name].dequantized()) for name in wanted
    )


def _translations(translator: Translator, sentences: list[str]) -> list[tuple[int, ...]]:
    """Return the ids of the translation of each sentence by greedy search.

    Raises:
        CheckError: If a logit is not finite. A search would ignore it.
    """
    found = [best for best, *_ in translator.translate(sentences, SearchSettings().greedy())]
    source = pad([translator.source_ids(sentence) for sentence in sentences])
    target = pad([best.ids or [translator.target_subwords.start] for best in found])
    logits = translator.model((tf.constant(source), tf.constant(target)), training=False)
    if not np.isfinite(logits).all():
        raise CheckError("the network computes logits that are not finite")
    return [best.ids for best in found]

"""What a page contains besides its sources."""

import enum
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keras_transformer.export import samples
from keras_transformer.export.html.description import local_description
from keras_transformer.export.html.document import local_document
from keras_transformer.export.html.network_weights import quantized
from keras_transformer.export.html.quantization import Quantized
from keras_transformer.export.html.subword_data import subword_data
from keras_transformer.export.html.tensors import pack
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator

logger = logging.getLogger(__name__)

EXAMPLES = 5  # generated, for a run that has none
# Mean probability of the subwords from which on a translation is probably right, chosen by looking
# at the examples of the built-in run.
SURE = 0.7
QUOTED = 40  # characters of a long example in a warning


class Origin(enum.StrEnum):
    """Where the examples of a page come from."""

    OPTIONS = "options"
    RUN = "run"
    GENERATED = "generated"  # random words, for a run without examples


@dataclass(frozen=True)
class Options:
    """Options of a page.

    Args:
        weights: "int8" or "float16", the form of the weights.
        search: `SearchSettings`, whose beam size and length penalty the page uses at first, or None
            for those of the run.
        examples: sentences that the page offers. It opens with the first. Without any, they are
            those of the run.
    """

    weights: str = "int8"
    search: SearchSettings | None = None
    examples: Sequence[str] = ()


@dataclass(frozen=True)
class Content:
    """What a page contains besides its sources.

    Args:
        description: the description of the model, without that of its tensors.
        subwords: the subwords of the source and of the target.
        tensors: {name: tensor}.
        origin: the `Origin` of the examples.
    """

    description: Mapping[str, Any]
    subwords: Mapping[str, Any]
    tensors: Mapping[str, Quantized]
    origin: Origin

    @classmethod
    def of(cls, run: Run, translator: Translator, options: Options) -> "Content":
        """Return the content of the page of a run.

        Args:
            run: the `Run`.
            translator: its `Translator`.
            options: the `Options`.

        Raises:
            UserError: If the page cannot split text as the run does.
            CheckError: If a weight is not finite, or too large for float16.
        """
        source, is_joint = translator.source_subwords, run.config.text.joint_vocabulary
        target = None if is_joint else subword_data(translator.target_subwords)
        examples, origin = _examples(run, translator, options)
        _warn_about_long(translator, examples)
        return cls(
            local_description(run, translator, options.search or translator.search, examples),
            {"source": subword_data(source), "target": target},
            quantized(translator.model, options.weights),
            origin,
        )

    def document(self) -> str:
        """Return the page."""
        entries, weights = pack(self.tensors)
        return local_document({**self.description, "tensors": entries}, self.subwords, weights)


def _examples(run: Run, translator: Translator, options: Options) -> tuple[Sequence[str], Origin]:
    """Return the examples in the options, those of the run, or generated ones; and their origin."""
    if options.examples:
        return options.examples, Origin.OPTIONS
    if sentences := fitting(translator, run.examples()):
        return _ordered(translator, sentences), Origin.RUN
    generated = samples.sentences(translator.source_subwords, EXAMPLES)
    return _ordered(translator, generated), Origin.GENERATED


def _ordered(translator: Translator, sentences: Sequence[str]) -> list[str]:
    """Return examples in the order of the page, which opens with the first.

    Those whose translation is probably right come before the others, and longer sentences, in which
    there is more to see, before shorter ones.
    """
    no_lines = [None] * len(sentences)
    found = translator.translate(sentences, SearchSettings(length_penalty=0), numbers=no_lines)
    is_sure = {text: _is_sure(best) for text, [best, *_] in zip(sentences, found, strict=True)}
    return sorted(sentences, key=lambda text: (is_sure[text], len(text)), reverse=True)


def _is_sure(translation: Translation) -> bool:
    """Return whether the geometric mean of the probabilities of the subwords is at least `SURE`.

    Args:
        translation: one whose score is its log probability, found with the length penalty 0.
    """
    return math.exp(translation.score / max(1, len(translation.ids) - 1)) >= SURE


def fitting(translator: Translator, sentences: list[str]) -> list[str]:
    """Return the sentences that are not empty and that the network reads to their end."""
    encode, longest = translator.source_subwords.encode, translator.max_source_length
    return [each for each in sentences if each.strip() and len(encode(each)) <= longest]


def _warn_about_long(translator: Translator, examples: Sequence[str]) -> None:
    """Warn about each example of which the network reads only the beginning."""
    longest = translator.max_source_length - 2
    for example in examples:
        count = len(translator.source_subwords.encode(example)) - 2
        if count > longest:
            quoted = example if len(example) <= QUOTED else f"{example[:QUOTED]}..."
            logger.warning(
                "the example %r is too long: only the first %d of its %d subwords are translated",
                quoted,
                longest,
                count,
            )

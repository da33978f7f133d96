"""A line with the translations of its sentences."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from keras_transformer.text.sentences import join_sentences
from keras_transformer.translation.translation import Translation, without_repetitions

T = TypeVar("T")


class TranslatedSentence(NamedTuple):
    """A sentence and its translations.

    Attributes:
        read: the text that the network read, in which names and numbers may be replaced.
        best_of_read: the best `Translation` of `read`.
        found: the `Translation`s of the sentence itself, best first.
        originals: {replacement in a translation: text of the sentence}.
        parts: parts of the sentence that are not in `read`, but were read on their own.
    """

    read: str
    best_of_read: Translation
    found: list[Translation]
    originals: Mapping[str, str] = {}
    parts: tuple["TranslatedSentence", ...] = ()

    def read_and_written(
        self, translation: Translation
    ) -> list[tuple["TranslatedSentence", Translation]]:
        """Return what was read and written for one of the translations: `read`, then the parts."""
        return [(self, translation), *((part, part.found[0]) for part in self.parts)]

    def with_texts(self, change: Callable[[str], str]) -> "TranslatedSentence":
        """Return the sentence with the texts of its translations changed by a function."""
        return self._replace(found=[replace(each, text=change(each.text)) for each in self.found])

    def without_repetitions(self) -> "TranslatedSentence":
        """Return the sentence with only the first of its translations that have the same text."""
        return self._replace(found=without_repetitions(self.found))


@dataclass(frozen=True)
class TranslatedLine:
    """A line with the translations of its sentences.

    Attributes:
        sentences: the `TranslatedSentence`s.
        lang: the target language.
        text: the line.
    """

    sentences: tuple[TranslatedSentence, ...]
    lang: str
    text: str = ""

    def all_read(self) -> list[TranslatedSentence]:
        """Return the sentences, each followed by its parts that the network read on their own."""
        return [part for each in self.sentences for part in (each, *each.parts)]

    def translations(self) -> list[Translation]:
        """Return the `Translation`s of the line, best first.

        The translations of a single sentence are returned unchanged. Otherwise translation k joins
        translation k of every sentence (or the last one, if a sentence has fewer), and its score
        is the sum of their scores.
        """
        found = [each.found for each in self.sentences]
        return list(found[0]) if len(found) == 1 else list(map(self._joined, combinations(found)))

    def _joined(self, parts: Sequence[Translation]) -> Translation:
        text = join_sentences([translation.text for translation in parts], self.lang)
        return Translation(text, sum(translation.score for translation in parts))


def by_line(
    function: Callable[[Sequence[TranslatedSentence]], Iterable[T]],
    lines: Sequence[TranslatedLine],
) -> list[list[T]]:
    """Apply a function to the sentences of all lines together, so that they share batches.

    Args:
        function: maps sentences to their results.
        lines: the lines.

    Returns:
        For each line a list of the results of its sentences.
    """
    results = iter(function([each for line in lines for each in line.sentences]))
    return [[next(results) for _ in line.sentences] for line in lines]


def combinations(found: Sequence[Sequence[T]]) -> list[list[T]]:
    """Combine what was found for each sentence of a line.

    Args:
        found: for each sentence, a list of at least one element.

    Returns:
        Lists, of which list k contains element k of each sentence, or its last one if it has fewer.
    """
    count = max(map(len, found), default=1)
    return [[each[min(k, len(each) - 1)] for each in found] for k in range(count)]

"""Translation of sentences of which some have a part that is translated on its own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from keras_transformer.translation.plain_translation import SearchOptions, SentenceTranslation
from keras_transformer.translation.translated_line import TranslatedSentence


class Part(Protocol):
    """A part of a sentence that is translated on its own."""

    @property
    def own(self) -> str:
        """The text of the part."""
        ...

    @property
    def rest(self) -> str:
        """The text that is translated besides the part."""
        ...

    def joined(self, translation: str, own: str, counts: Mapping[str, int]) -> str:
        """Return the translation of the sentence, given those of `rest` and `own`.

        Args:
            translation: the translation of `rest`.
            own: the translation of `own`.
            counts: {word: occurrences in the target language}, case-sensitive.
        """
        ...


class PartwiseTranslation:
    """Translates sentences, and a part of some of them separately.

    Args:
        inner: translates the parts and the rest of the sentences.
        find: returns the part of a sentence that is translated on its own, or None.
        counts: {word: occurrences in the target language}, case-sensitive.

    The arguments of a call, and its result, are those of `PlainTranslation`.
    """

    def __init__(
        self,
        inner: SentenceTranslation,
        find: Callable[[str], Part | None],
        counts: Mapping[str, int],
    ) -> None:
        self.inner = inner
        self.find = find
        self.counts = counts

    def __call__(
        self, sentences: Sequence[str], numbers: Sequence[int | None], options: SearchOptions
    ) -> list[TranslatedSentence]:
        parts = {i: part for i, each in enumerate(sentences) if (part := self.find(each))}
        texts = [parts[i].rest if i in parts else each for i, each in enumerate(sentences)]
        texts += [part.own for part in parts.values()]
        found = list(self.inner(texts, [*numbers, *(numbers[i] for i in parts)], options))
        for (i, part), own in zip(parts.items(), found[len(sentences) :], strict=True):
            found[i] = self._joined(found[i], part, own)
        return found[: len(sentences)]

    def _joined(
        self, translated: TranslatedSentence, part: Part, own: TranslatedSentence
    ) -> TranslatedSentence:
        """Put the translation of a part of a sentence into its translations."""
        text = own.found[0].text
        joined = translated.with_texts(lambda each: part.joined(each, text, self.counts))
        return joined if part.own in part.rest else joined._replace(parts=(*joined.parts, own))

"""Translation of sentences so that names and values are copied."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.stand_ins import contains
from keras_transformer.translation.plain_translation import SearchOptions, SentenceTranslation
from keras_transformer.translation.translated_line import TranslatedSentence


class CopyingTranslation:
    """Translates sentences in which names and values are replaced, and restores them.

    Args:
        inner: translates the masked sentences.
        copier: the `Copier`.

    The arguments of a call, and its result, are those of `PlainTranslation`.
    """

    def __init__(self, inner: SentenceTranslation, copier: Copier) -> None:
        self.inner = inner
        self.copier = copier

    def __call__(
        self, sentences: Sequence[str], numbers: Sequence[int | None], options: SearchOptions
    ) -> list[TranslatedSentence]:
        masked = map(self.copier.masked, sentences)
        translated = self._translated(list(masked), numbers, options)
        # A sentence whose translation lost a name or a value is translated again in another way,
        # without a second warning about its length.
        lost = [i for i, each in enumerate(translated) if self._loses(sentences[i], each)]
        again = [self.copier.with_values_masked(sentences[i]) for i in lost]
        found = self._translated(again, [None] * len(lost), options)
        for i, each in zip(lost, found, strict=True):
            translated[i] = self._more_complete(sentences[i], translated[i], each)
        return [
            self._restored(sentence, each)
            for sentence, each in zip(sentences, translated, strict=True)
        ]

    def _translated(
        self,
        masked: Sequence[tuple[str, Mapping[str, str]]],
        numbers: Sequence[int | None],
        options: SearchOptions,
    ) -> list[TranslatedSentence]:
        """Translate masked sentences, given with their originals."""
        found = self.inner([text for text, _ in masked], numbers, options)
        return [
            each._replace(originals=originals)
            for each, (_, originals) in zip(found, masked, strict=True)
        ]

    def _loses(self, sentence: str, translated: TranslatedSentence) -> bool:
        """Return whether the best translation lacks a replacement or a value."""
        originals = translated.originals
        text = self.copier.in_digits(translated.best_of_read.text, originals)
        if not all(contains(text, replacement) for replacement in originals):
            return True
        return self._num_missing(sentence, translated) > 0

    def _more_complete(
        self, sentence: str, first: TranslatedSentence, second: TranslatedSentence
    ) -> TranslatedSentence:
        """Return the translation with more of the names and values; the second if equal."""
        names = first.originals.values()
        missing = [self._num_missing(sentence, each, names) for each in (first, second)]
        return first if missing[0] < missing[1] else second

    def _num_missing(
        self, sentence: str, translated: TranslatedSentence, names: Iterable[str] = ()
    ) -> int:
        """Return how many values, and how many of some names, the best translation lacks."""
        best = translated.best_of_read.text
        text = self.copier.corrected(sentence, translated.read, best, translated.originals)
        return self.copier.num_missing(sentence, text) + sum(name not in text for name in names)

    def _restored(self, sentence: str, translated: TranslatedSentence) -> TranslatedSentence:
        """Correct the names and values in the translations of a sentence."""
        read, best, originals = translated.read, translated.best_of_read, translated.originals
        text = self.copier.in_digits(best.text, originals)
        restored = translated.with_texts(
            lambda each: self.copier.restored(sentence, read, each, originals)
        )
        return restored._replace(best_of_read=replace(best, text=self.copier.repairer(read, text)))

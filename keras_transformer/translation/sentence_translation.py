"""Translation of sentences: as they are, or so that names, values and symbols are copied."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from keras_transformer.text.final_marks import lacks_mark, with_mark, without_mark
from keras_transformer.translation.copying import Copier
from keras_transformer.translation.enclosing import Enclosed
from keras_transformer.translation.inner_parts import InnerPart, with_case_of
from keras_transformer.translation.interrupted_speech import InterruptedSpeech
from keras_transformer.translation.symbols import Symbols, with_symbols, without_symbols
from keras_transformer.translation.translated_line import TranslatedSentence
from keras_transformer.translation.translation import SentenceTranslator


class PlainTranslation:
    """Translates sentences as they are.

    Args:
        translator: translates the sentences.

    Call arguments:
        sentences: the sentences.
        numbers: the line number of each sentence, for warnings.
        options: {name: value} of `search` and `batch_size` of `Translator.translate`.

    Returns:
        An iterable of a `TranslatedSentence` for each sentence.
    """

    def __init__(self, translator: SentenceTranslator) -> None:
        self.translator = translator

    def __call__(
        self, sentences: Sequence[str], numbers: Sequence[int], options: Mapping[str, object]
    ) -> Iterable[TranslatedSentence]:
        found = self.translator.translate(sentences, numbers=numbers, **options)
        for sentence, each in zip(sentences, found, strict=True):
            yield TranslatedSentence(sentence, each[0], each)


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


class CopyingTranslation(PlainTranslation):
    """Translates sentences so that names, values and symbols are copied.

    Symbols such as emoji, list markers, and marks around the whole sentence such as parentheses are
    added to the translation of the rest. A part of a sentence in quotation marks or parentheses is
    translated on its own, and so is the second half of interrupted speech. A sentence without a
    final mark is read with a period, if the training data has periods, and its translation loses
    its period.

    Args:
        translator: translates the sentences.
        copier: the `Copier`.
    """

    def __init__(self, translator: SentenceTranslator, copier: Copier) -> None:
        super().__init__(translator)
        self.copier = copier

    def __call__(
        self, sentences: Sequence[str], numbers: Sequence[int], options: Mapping[str, object]
    ) -> list[TranslatedSentence]:
        parts = list(map(without_symbols, sentences))
        found = self._enclosed([text for text, _ in parts], numbers, options)
        return [
            self._with_symbols(each, *part) if part[1] else each
            for each, part in zip(found, parts, strict=True)
        ]

    def _enclosed(
        self, sentences: Sequence[str], numbers: Sequence[int], options: Mapping[str, object]
    ) -> list[TranslatedSentence]:
        """Translate sentences, which are read without what encloses them."""
        parts = list(map(Enclosed.of, sentences))
        found = self._with_parts([part.text for part in parts], numbers, options)
        return [
            self._with_enclosing(each, part) if part.opening else each
            for each, part in zip(found, parts, strict=True)
        ]

    def _with_enclosing(self, translated: TranslatedSentence, part: Enclosed) -> TranslatedSentence:
        """Add what encloses a sentence to its translations, which keep an initial small letter."""
        counts = self.copier.target_counts
        return translated.with_texts(
            lambda text: part.around(with_case_of(part.text, text, counts))
        )

    def _with_parts(
        self, sentences: Sequence[str], numbers: Sequence[int], options: Mapping[str, object]
    ) -> list[TranslatedSentence]:
        """Translate sentences, and direct speech and what is in parentheses separately."""

        def translate(*arguments: Any) -> list[TranslatedSentence]:
            return self._apart(InnerPart.of, self._with_marks, *arguments)

        return self._apart(InterruptedSpeech.of, translate, sentences, numbers, options)

    def _apart(
        self,
        find: Callable[[str], Part | None],
        translate: Callable[..., list[TranslatedSentence]],
        sentences: Sequence[str],
        numbers: Sequence[int],
        options: Mapping[str, object],
    ) -> list[TranslatedSentence]:
        """Translate sentences, and a part of some of them separately.

        Args:
            find: returns the part of a sentence that is translated on its own, or None.
            translate: translates sentences; the other arguments are those of a call.
        """
        parts = {i: part for i, each in enumerate(sentences) if (part := find(each))}
        texts = [parts[i].rest if i in parts else each for i, each in enumerate(sentences)]
        texts += [part.own for part in parts.values()]
        found = translate(texts, [*numbers, *(numbers[i] for i in parts)], options)
        for (i, part), own in zip(parts.items(), found[len(sentences) :], strict=True):
            found[i] = self._joined(found[i], part, own.found[0].text)
        return found[: len(sentences)]

    def _joined(self, translated: TranslatedSentence, part: Part, own: str) -> TranslatedSentence:
        """Put the translation of a part of a sentence into its translations."""
        counts = self.copier.target_counts
        return translated.with_texts(lambda each: part.joined(each, own, counts))

    def _with_symbols(
        self, translated: TranslatedSentence, source: str, symbols: Sequence[Symbols]
    ) -> TranslatedSentence:
        """Add the symbols of a sentence to its translations.

        Args:
            translated: the translations of the rest.
            source: the rest.
            symbols: the symbols.
        """
        lexicon = self.copier.lexicon
        return translated.with_texts(lambda each: with_symbols(each, source, symbols, lexicon))

    def _with_marks(
        self, sentences: Sequence[str], numbers: Sequence[int], options: Mapping[str, object]
    ) -> list[TranslatedSentence]:
        """Translate sentences, of which those without a final mark are read with one."""
        bare = [self.copier.knows_periods and lacks_mark(sentence) for sentence in sentences]
        read = [with_mark(each) if b else each for each, b in zip(sentences, bare, strict=True)]
        found = self._with_values(read, numbers, options)
        return [
            each.with_texts(without_mark) if b else each
            for each, b in zip(found, bare, strict=True)
        ]

    def _with_values(
        self, sentences: Sequence[str], numbers: Sequence[int], options: Mapping[str, object]
    ) -> list[TranslatedSentence]:
        """Translate sentences so that names and values are copied."""
        masked = map(self.copier.masked, sentences)
        translated = self._translated(list(masked), numbers, options)
        # A sentence whose translation lost a name or a value is translated again in another way.
        lost = [i for i, each in enumerate(translated) if self._loses(sentences[i], each)]
        again = [self.copier.with_values_masked(sentences[i]) for i in lost]
        found = self._translated(again, [numbers[i] for i in lost], options)
        for i, each in zip(lost, found, strict=True):
            translated[i] = self._more_complete(sentences[i], translated[i], each)
        return [
            self._restored(sentence, each)
            for sentence, each in zip(sentences, translated, strict=True)
        ]

    def _translated(
        self,
        masked: Sequence[tuple[str, Mapping[str, str]]],
        numbers: Sequence[int],
        options: Mapping[str, object],
    ) -> list[TranslatedSentence]:
        """Translate masked sentences, given with their originals."""
        found = super().__call__([text for text, _ in masked], numbers, options)
        return [
            each._replace(originals=originals)
            for each, (_, originals) in zip(found, masked, strict=True)
        ]

    def _loses(self, sentence: str, translated: TranslatedSentence) -> bool:
        """Return whether the best translation lacks a replacement or a value."""
        originals = translated.originals
        text = self.copier.in_digits(translated.best_of_read.text, originals)
        if any(replacement not in text for replacement in originals):
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
        read, best, _, originals = translated
        text = self.copier.corrected(sentence, read, best.text, originals)
        return self.copier.num_missing(sentence, text) + sum(name not in text for name in names)

    def _restored(self, sentence: str, translated: TranslatedSentence) -> TranslatedSentence:
        """Correct the names and values in the translations of a sentence."""

        read, best, found, originals = translated
        text = self.copier.in_digits(best.text, originals)
        best = replace(best, text=self.copier.repairer(read, text))
        found = [
            replace(each, text=self.copier.restored(sentence, read, each.text, originals))
            for each in found
        ]
        return TranslatedSentence(read, best, found, originals)

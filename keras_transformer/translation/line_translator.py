"""Translation of lines that contain several sentences: split, translate, join."""

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from keras_transformer.text.casing import without_capitals
from keras_transformer.text.final_marks import lacks_mark, with_mark, without_mark
from keras_transformer.text.normalization import (
    composed,
    with_double_quotes,
    with_straight_apostrophes,
)
from keras_transformer.text.sentences import join_sentences, split_sentences
from keras_transformer.translation.copying import Copier
from keras_transformer.translation.enclosing import Enclosed
from keras_transformer.translation.inner_parts import InnerPart, with_case_of
from keras_transformer.translation.interrupted_speech import InterruptedSpeech
from keras_transformer.translation.symbols import Symbols, with_symbols, without_symbols
from keras_transformer.translation.translation import (
    SentenceTranslator,
    Translation,
    require_list,
)

T = TypeVar("T")


class TranslatedSentence(NamedTuple):
    """A sentence and its translations.

    Attributes:
        read: the text that the network read, in which names and numbers may be replaced.
        best_of_read: the best `Translation` of `read`.
        found: the `Translation`s of the sentence itself, best first.
        originals: {replacement in a translation: text of the sentence}.
    """

    read: str
    best_of_read: Translation
    found: list[Translation]
    originals: Mapping[str, str] = {}

    def with_texts(self, change: Callable[[str], str]) -> "TranslatedSentence":
        """Return the sentence with the texts of its translations changed by a function."""
        return self._replace(found=[replace(each, text=change(each.text)) for each in self.found])


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


def combinations(found: Sequence[Sequence[T]]) -> list[list[T]]:
    """Combine what was found for each sentence of a line.

    Args:
        found: for each sentence, a list of at least one element.

    Returns:
        Lists, of which list k contains element k of each sentence, or its last one if it has fewer.
    """
    count = max(map(len, found), default=1)
    return [[each[min(k, len(each) - 1)] for each in found] for k in range(count)]


class LineTranslator:
    """Translates lines sentence by sentence.

    Args:
        translator: translates the sentences.
        source_lang: code of the source language.
        target_lang: code of the target language.
        split: whether to split lines into sentences. Otherwise a line is one sentence.
        copier: a `Copier` that corrects names and numbers, or None.
    """

    def __init__(
        self,
        translator: SentenceTranslator,
        source_lang: str = "en",
        target_lang: str = "de",
        split: bool = True,
        copier: Copier | None = None,
    ) -> None:
        self.source_lang = source_lang
        self.target_lang = target_lang
        self.split = split
        self.translated = Copying(translator, copier) if copier else Plain(translator)

    @classmethod
    def load(cls, directory: str | os.PathLike, split: bool = True) -> Self:
        """Load the translator of a run directory, with what `translate.py` adds to the network.

        These are reranking, and the correction of names and numbers.

        Args:
            directory: the run directory.
            split: whether to split lines into sentences.

        Raises:
            UserError: If there is no run or no checkpoint, or a file is damaged.
        """
        # Imported here because a translator of a server does not need TensorFlow.
        from keras_transformer.runs.run import Run
        from keras_transformer.translation.reranking import Reranker, reranked
        from keras_transformer.translation.translator import Translator

        run = Run.open(directory)
        network = Translator.load(directory)
        translator = reranked(network, Reranker.of(run, network))
        text = run.config.text
        return cls(translator, text.source_lang, text.target_lang, split, Copier.of(run))

    def sentences(self, line: str) -> list[str]:
        """Return the sentences of a line, at least one.

        Case, apostrophes and the marks of direct speech are normalized, and letters are composed.
        """
        line = with_double_quotes(with_straight_apostrophes(composed(line)))
        sentences = split_sentences(line, self.source_lang) or [""] if self.split else [line]
        return list(map(without_capitals, sentences))

    def translate(
        self, lines: Sequence[str], first_number: int = 1, **options: object
    ) -> list[TranslatedLine]:
        """Translate lines. The sentences of all lines share batches.

        Args:
            lines: the lines.
            first_number: number of the first line, for warnings.
            **options: `search` and `batch_size` of `Translator.translate`.

        Returns:
            A `TranslatedLine` for each line.

        Raises:
            TypeError: If `lines` is a single string.
        """
        return list(self.stream(lines, first_number, **options))

    def stream(
        self, lines: Sequence[str], first_number: int = 1, **options: object
    ) -> Iterator[TranslatedLine]:
        """Translate lines, with the arguments and the errors of `translate`.

        Yields:
            A `TranslatedLine` for each line. If the translator is a `Streaming`, a line is yielded
            as soon as all its sentences are translated.
        """
        require_list(lines)
        split = [self.sentences(line) for line in lines]
        numbers = [n for n, line in enumerate(split, first_number) for _ in line]
        flat = [sentence for line in split for sentence in line]
        translated = iter(self.translated(flat, numbers, options))
        for line, parts in zip(lines, split, strict=True):
            sentences = tuple(itertools.islice(translated, len(parts)))
            yield TranslatedLine(sentences, self.target_lang, line)


class Plain:
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


class Copying(Plain):
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

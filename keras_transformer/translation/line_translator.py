"""Translation of lines that contain several sentences: split, translate, join."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from keras_transformer.text.casing import without_capitals
from keras_transformer.text.normalization import with_straight_apostrophes
from keras_transformer.text.sentences import join_sentences, split_sentences
from keras_transformer.translation.copying import Copier
from keras_transformer.translation.translation import SentenceTranslator, Translation

# The text of a sentence as the network read it, and the translations of the sentence, best first.
Translated: TypeAlias = tuple[str, list[Translation]]


@dataclass(frozen=True)
class TranslatedLine:
    """A line with the translations of its sentences.

    Attributes:
        sentences: the source sentences as the network read them.
        found: the `Translation`s of each sentence, best first.
        lang: the target language.
    """

    sentences: tuple[str, ...]
    found: tuple[list[Translation], ...]
    lang: str

    def translations(self) -> list[Translation]:
        """Return the `Translation`s of the line, best first.

        The translations of a single sentence are returned unchanged. Otherwise translation k joins
        translation k of every sentence (or the last one, if a sentence has fewer), and its score
        is the sum of their scores, because log probabilities add up.
        """
        if len(self.found) == 1:
            return list(self.found[0])
        count = max((len(each) for each in self.found), default=1)
        return [self._joined(k) for k in range(count)]

    def _joined(self, k: int) -> Translation:
        chosen = [each[min(k, len(each) - 1)] for each in self.found]
        text = join_sentences([translation.text for translation in chosen], self.lang)
        return Translation(text, sum(translation.score for translation in chosen))


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

    def sentences(self, line: str) -> list[str]:
        """Return the sentences of a line, at least one, normalized in case and apostrophes."""
        sentences = split_sentences(line, self.source_lang) or [""] if self.split else [line]
        return [without_capitals(with_straight_apostrophes(sentence)) for sentence in sentences]

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
        """
        split = [self.sentences(line) for line in lines]
        numbers = [n for n, line in enumerate(split, first_number) for _ in line]
        flat = [sentence for line in split for sentence in line]
        translated = iter(self.translated(flat, numbers, options))
        return [self._line([next(translated) for _ in line]) for line in split]

    def _line(self, translated: Iterable[Translated]) -> TranslatedLine:
        sentences, found = zip(*translated, strict=True)
        return TranslatedLine(sentences, found, self.target_lang)


class Plain:
    """Translates sentences unchanged.

    Args:
        translator: translates the sentences.

    Call arguments:
        sentences: the sentences.
        numbers: the line number of each sentence, for warnings.
        options: {name: value} of `search` and `batch_size` of `Translator.translate`.

    Returns:
        For each sentence, the text that the network read, and the `Translation`s, best first.
    """

    def __init__(self, translator: SentenceTranslator) -> None:
        self.translator = translator

    def __call__(
        self, sentences: Sequence[str], numbers: Sequence[int], options: Mapping[str, object]
    ) -> list[Translated]:
        found = self.translator.translate(sentences, numbers=numbers, **options)
        return list(zip(sentences, found, strict=True))


class Copying(Plain):
    """Translates sentences so that names and numbers are copied.

    Args:
        translator: translates the sentences.
        copier: the `Copier`.
    """

    def __init__(self, translator: SentenceTranslator, copier: Copier) -> None:
        super().__init__(translator)
        self.copier = copier

    def __call__(
        self, sentences: Sequence[str], numbers: Sequence[int], options: Mapping[str, object]
    ) -> list[Translated]:
        masked = [self.copier.masked(sentence) for sentence in sentences]
        pairs = super().__call__([text for text, _ in masked], numbers, options)
        originals = [names for _, names in masked]
        # A sentence whose translation lost a known name is translated again without masking.
        lost = [i for i, (_, found) in enumerate(pairs) if _loses(found[0], originals[i])]
        again = [sentences[i] for i in lost], [numbers[i] for i in lost]
        for i, pair in zip(lost, super().__call__(*again, options), strict=True):
            pairs[i], originals[i] = pair, {}
        rows = zip(sentences, pairs, originals, strict=True)
        return [
            (read, self._restored(sentence, found, names))
            for sentence, (read, found), names in rows
        ]

    def _restored(
        self, sentence: str, found: Sequence[Translation], originals: Mapping[str, str]
    ) -> list[Translation]:
        """Return the `Translation`s of a sentence with its own names and numbers."""
        texts = [self.copier.restored(sentence, each.text, originals) for each in found]
        return [replace(each, text=text) for each, text in zip(found, texts, strict=True)]


def _loses(translation: Translation, names: Iterable[str]) -> bool:
    """Return whether a translation lacks one of the names in the text that the network read."""
    return any(name not in translation.text for name in names)

"""The probability of each word of a translation: the product of those of its subwords.

Each probability is conditional on the source and on the words before. Words are separated by white
space, so punctuation belongs to the word that it follows, and a sentence in a language without
spaces is one word.
"""

import difflib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from keras_transformer.text.sentences import sentence_separator
from keras_transformer.text.subword_words import word_numbers
from keras_transformer.text.subwords import Subwords
from keras_transformer.text.words import without_outer_marks
from keras_transformer.translation.forced import ForcedDecoding
from keras_transformer.translation.translated_line import (
    TranslatedLine,
    TranslatedSentence,
    by_line,
    combinations,
)
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator


class Word(NamedTuple):
    """A word of a translation.

    Attributes:
        text: the word, without white space.
        probability: from 0 to 1; None if the word was put in after the search: a corrected name or
            number, a digit from the source, or a word of a part whose own translation replaced what
            the network wrote there.
    """

    text: str
    probability: float | None


class WordProbabilities:
    """Computes the probabilities of the words of translated lines.

    Args:
        translator: the `Translator` whose network made the translations.
        temperature: the temperature of the calibration.
    """

    def __init__(self, translator: Translator, temperature: float = 1.0) -> None:
        self.subwords = translator.target_subwords
        self.forced = ForcedDecoding(translator, temperature)

    def of(self, lines: Sequence[TranslatedLine]) -> list[list[list[Word]]]:
        """Return the `Word`s of each translation of each line.

        The words of a translation are its text, split at white space. The translations of all lines
        share batches.

        Args:
            lines: the lines with their translations.
        """
        rows = by_line(self._of_sentences, lines)
        return [
            [joined(parts, line.lang) for parts in combinations(row)]
            for line, row in zip(lines, rows, strict=True)
        ]

    def _of_sentences(self, sentences: Sequence[TranslatedSentence]) -> list[list[list[Word]]]:
        """Return the words of each translation of each sentence."""
        pairs = [[_written_parts(each, one) for one in each.found] for each in sentences]
        flat = [pair for each in pairs for parts in each for pair in parts]
        columns = [read for read, _ in flat], [translation for _, translation in flat]
        logs = iter(self.forced.log_probabilities(*columns))
        return [
            [
                words_written(one.text, [(part, next(logs)) for _, part in parts], self.subwords)
                for one, parts in zip(sentence.found, each, strict=True)
            ]
            for sentence, each in zip(sentences, pairs, strict=True)
        ]


def _written_parts(
    sentence: TranslatedSentence, translation: Translation
) -> list[tuple[str, Translation]]:
    """Return the sentence and its parts as they were read, each with what the network wrote.

    A text without ids was copied from the line, such as an emoji, and is left out.
    """
    pairs = sentence.read_and_written(translation)
    return [(part.read, one) for part, one in pairs if one.ids]


def words_written(
    text: str, parts: Iterable[tuple[Translation, ArrayLike]], subwords: Subwords
) -> list[Word]:
    """Return the words of a translation, which may have been corrected.

    Args:
        text: the translation.
        parts: for each part that the network wrote, a translation with ids, and the log
            probability of each of its ids except the start token.
        subwords: the `Subwords` of the target language.
    """
    words: list[Word] = []
    for part, logs in parts:
        ids = [i for i in part.ids[1:] if i != subwords.end]  # "<end>" belongs to no word
        words += words_of(ids, np.asarray(logs)[: len(ids)], subwords)
    return corrected(words, text)


def words_of(ids: Sequence[int], logs: ArrayLike, subwords: Subwords) -> list[Word]:
    """Return the words of a target. The product of their probabilities is that of its subwords.

    Args:
        ids: the ids (T,) of the target, without start and end tokens.
        logs: log probability of each id (T,).
        subwords: the `Subwords` of the target language.
    """
    if not ids:
        return []
    numbers = np.array(word_numbers(subwords.labels(ids)))
    sums = np.bincount(numbers, np.asarray(logs, np.float64))
    texts = [
        subwords.decode(np.array(ids)[numbers == number]).strip() for number in range(len(sums))
    ]
    return [Word(text, float(np.exp(log))) for text, log in zip(texts, sums, strict=True)]


def corrected(words: Sequence[Word], text: str) -> list[Word]:
    """Return the words of a corrected translation.

    Words that were not corrected keep their probabilities. The others have none. Marks around a
    word and capitals do not matter: the final mark and quotation marks may be removed, or added
    again, and letters may change their case.

    Args:
        words: the words that the network wrote.
        text: the translation after names and numbers were corrected.
    """
    texts = text.split()
    found = [Word(each, None) for each in texts]
    written = [_key(each.text) for each in words]
    kept = list(map(_key, texts))
    matcher = difflib.SequenceMatcher(None, written, kept, autojunk=False)
    for before, after, size in matcher.get_matching_blocks():
        for i in range(size):
            found[after + i] = Word(texts[after + i], words[before + i].probability)
    return found


def _key(word: str) -> str:
    """Return the form in which a word is compared."""
    return without_outer_marks(word).lower()


def joined(sentences: Iterable[Sequence[Word]], lang: str) -> list[Word]:
    """Return the words of several sentences, as `join_sentences` joins their text.

    Args:
        sentences: the words of each sentence.
        lang: the language. If it has no space between sentences, the last word of a sentence and
            the first word of the next become one.
    """
    words: list[Word] = []
    for sentence in sentences:
        if words and sentence and not sentence_separator(lang):
            words[-1:] = [_concatenated(words[-1], sentence[0])]
            sentence = sentence[1:]
        words += sentence
    return words


def _concatenated(one: Word, other: Word) -> Word:
    text = one.text + other.text
    if one.probability is None or other.probability is None:
        return Word(text, None)
    return Word(text, one.probability * other.probability)

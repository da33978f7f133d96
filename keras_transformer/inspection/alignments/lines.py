"""Word alignments between lines of text and their translations, as they are printed.

The network reads sentences in which names may be replaced, and the names and numbers that it writes
may be corrected. The words that it read and wrote are therefore matched with those of the line and
of the printed translation.
"""

import difflib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from keras_transformer.inspection.alignments.cross_attention import CrossAttention
from keras_transformer.inspection.alignments.errors import Link
from keras_transformer.inspection.alignments.links import (
    WordAttention,
    balanced,
    between_words,
    head_weights,
    strongest_links,
)
from keras_transformer.text.normalization import with_straight_apostrophes
from keras_transformer.translation.translated_line import (
    TranslatedLine,
    TranslatedSentence,
    by_line,
    combinations,
)
from keras_transformer.translation.translation import Translation

NOTHING = WordAttention([], [], np.zeros((0, 0)))  # of an empty translation
GROUP_SIZE = 512  # pairs; the attention of all layers and heads takes up to 0.2 MB for each


class LineAligner:
    """Aligns translated lines.

    Args:
        attend: computes the cross-attention.
        layer: number of the layer, from 1; the last by default.
        head: number of the head, from 1; the mean of all by default.
    """

    def __init__(
        self, attend: CrossAttention, layer: int | None = None, head: int | None = None
    ) -> None:
        self.attend = attend
        self.layer = layer
        self.head = head

    def of(self, lines: Sequence[TranslatedLine]) -> list[list[list[Link]]]:
        """Return the links of each translation of each line.

        A link is the index of a word of the line and that of a word of the translation. Words are
        what white space separates.

        Args:
            lines: the lines with their translations.

        Raises:
            UserError: If there is no such layer or head.
        """
        rows = by_line(self._of_sentences, lines)
        return [
            [
                self._links(line.text, translation.text, parts)
                for translation, parts in zip(line.translations(), combinations(row), strict=True)
            ]
            for line, row in zip(lines, rows, strict=True)
        ]

    def _of_sentences(self, sentences: Sequence[TranslatedSentence]) -> list[list[WordAttention]]:
        """Return the attention between the words of each sentence and of each translation."""
        found = self._of_pairs(
            [(each.read, one) for each in sentences for one in each.found if _is_written(each, one)]
        )
        return [
            [next(found) if _is_written(each, one) else NOTHING for one in each.found]
            for each in sentences
        ]

    def _of_pairs(self, pairs: Sequence[tuple[str, Translation]]) -> Iterator[WordAttention]:
        """Yield the attention (N, M) between the words of each pair, of the chosen head."""
        for begin in range(0, len(pairs), GROUP_SIZE):
            sentences, translations = zip(*pairs[begin : begin + GROUP_SIZE], strict=True)
            for each in self.attend(sentences, translations):
                weights = head_weights(each.weights, self.layer, self.head)
                yield between_words(each._replace(weights=weights))

    def _links(self, line: str, translation: str, parts: Iterable[WordAttention]) -> list[Link]:
        """Return the links of a line, given the attention within each of its sentences."""
        read, written = list[str](), list[str]()
        links = list[Link]()
        for part in parts:
            if part is NOTHING:
                continue
            found = strongest_links(balanced(part.weights))
            links += [(len(read) + i, len(written) + j) for i, j in found]
            read += part.source
            written += part.target
        rows = counterparts(read, line.split())
        columns = counterparts(written, translation.split())
        return sorted({(i, j) for a, b in links for i in rows[a] for j in columns[b]})


def _is_written(sentence: TranslatedSentence, translation: Translation) -> bool:
    """Return whether the network wrote a translation: not an empty one, or a copy of emoji."""
    # Translations of a server have no ids.
    return bool(translation.text and (translation.ids or sentence.best_of_read.text))


def counterparts(words: Sequence[str], shown: Sequence[str]) -> list[list[int]]:
    """Return for each word the indices of the same words in another version of the text.

    Args:
        words: the words that the network read or wrote.
        shown: the words of the text that users see.

    Returns:
        For each word a list of indices of `shown`. Words that differ are matched in their order
        with the words in the same place. A word that was removed has none.
    """
    found: list[list[int]] = [[] for _ in words]
    keys = list(map(_key, words)), list(map(_key, shown))
    matcher = difflib.SequenceMatcher(None, *keys, autojunk=False)
    for _, start, end, first, last in matcher.get_opcodes():
        count, others = end - start, last - first
        for i in range(count if others else 0):
            begin = i * others // count
            found[start + i] = list(
                range(first + begin, first + max(begin + 1, (i + 1) * others // count))
            )
    return found


def _key(word: str) -> str:
    """Return a word as it is compared: without differences that normalization makes."""
    return with_straight_apostrophes(word).casefold()

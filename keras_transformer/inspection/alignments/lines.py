"""Word alignments between lines of text and their translations, as they are printed.

The network reads sentences in which names may be replaced, and the names and numbers that it writes
may be corrected. The words that it read and wrote are therefore matched with those of the line and
of the printed translation.
"""

import difflib
import itertools
from collections.abc import Iterable, Iterator, Sequence

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
from keras_transformer.text.words import without_outer_marks
from keras_transformer.translation.translated_line import (
    TranslatedLine,
    TranslatedSentence,
    by_line,
    combinations,
)
from keras_transformer.translation.translation import Translation

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
                self._links(line.text, translation.text, itertools.chain.from_iterable(parts))
                for translation, parts in zip(line.translations(), combinations(row), strict=True)
            ]
            for line, row in zip(lines, rows, strict=True)
        ]

    def _of_sentences(
        self, sentences: Sequence[TranslatedSentence]
    ) -> list[list[list[WordAttention]]]:
        """Return the attention between the words of each sentence and of each translation.

        It is a list: that of the sentence, and those of the parts that were read on their own.
        """
        pairs = [[_written_parts(each, one) for one in each.found] for each in sentences]
        found = self._of_pairs([part for each in pairs for parts in each for part in parts])
        return [[[next(found) for _ in parts] for parts in each] for each in pairs]

    def _of_pairs(self, pairs: Sequence[tuple[str, Translation]]) -> Iterator[WordAttention]:
        """Yield the attention (N, M) between the words of each pair, of the chosen head."""
        for begin in range(0, len(pairs), GROUP_SIZE):
            sentences, translations = zip(*pairs[begin : begin + GROUP_SIZE], strict=True)
            for each in self.attend(sentences, translations):
                weights = head_weights(each.weights, self.layer, self.head)
                yield between_words(each._replace(weights=weights))

    def _links(self, line: str, translation: str, parts: Iterable[WordAttention]) -> list[Link]:
        """Return the links of a line, given the attention within each of its parts."""
        read, written = list[str](), list[str]()
        links = list[Link]()
        for part in parts:
            found = strongest_links(balanced(part.weights))
            links += [(len(read) + i, len(written) + j) for i, j in found]
            read += part.source
            written += part.target
        rows = counterparts(read, line.split())
        columns = counterparts(written, translation.split())
        return sorted({(i, j) for a, b in links for i in rows[a] for j in columns[b]})


def _written_parts(
    sentence: TranslatedSentence, translation: Translation
) -> list[tuple[str, Translation]]:
    """Return the sentence and its parts as they were read, each with what the network wrote.

    An empty translation, or a copy of emoji, is left out.
    """
    return [
        (part.read, one)
        for part, one in sentence.read_and_written(translation)
        # Translations of a server have no ids.
        if one.text and (one.ids or part.best_of_read.text)
    ]


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
    """Return a word as it is compared: without what normalization and corrections change."""
    return without_outer_marks(with_straight_apostrophes(word)).casefold()

"""Statistics of sentence pairs: words, scripts and lengths, from which settings are chosen."""

import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from keras_transformer.text.pairs import Pair, evenly_spaced_and_counted
from keras_transformer.text.scripts import common_share, script_of, script_shares
from keras_transformer.text.subwords import Subwords

UNSPACED_SCRIPTS = {
    *("CJK", "HIRAGANA", "IDEOGRAPHIC", "KATAKANA", "KATAKANA-HIRAGANA"),
    *("KHMER", "LAO", "MYANMAR", "THAI", "TIBETAN"),
}
MAX_SAMPLE = 50_000  # pairs from which statistics of a corpus are computed


class TextStatistics(NamedTuple):
    """Statistics of the text of sentence pairs.

    Attributes:
        pairs: number of pairs.
        source_words, target_words: number of words of all pairs: parts between white space, and one
            more for each two letters of a script without spaces.
        characters: number of different characters of both sides of the sample.
        most_characters: the same of the side that has more.
        common_script: overlap of the scripts of both sides, from 0 (no common script) to 1.
    """

    pairs: int
    source_words: int
    target_words: int
    common_script: float
    characters: int = 0
    most_characters: int = 0


def sample_pairs(pairs: Iterable[Pair]) -> tuple[list[Pair], int]:
    """Return at most `MAX_SAMPLE` evenly spaced pairs, and the number of all pairs.

    Args:
        pairs: (source, target) strings, which are read twice.
    """
    return evenly_spaced_and_counted(pairs, MAX_SAMPLE)


def text_statistics(sample: list[Pair], count: int) -> TextStatistics:
    """Return the `TextStatistics` of a corpus.

    Args:
        sample: evenly spaced pairs.
        count: number of pairs of the corpus.
    """
    sources, targets = zip(*sample, strict=True)
    scale = count / len(sample)
    source_words, target_words = (round(scale * _num_words(side)) for side in (sources, targets))
    common = common_share(script_shares(sources), script_shares(targets))
    characters = [set(itertools.chain.from_iterable(side)) for side in (sources, targets)]
    numbers = len(set.union(*characters)), max(map(len, characters))
    return TextStatistics(count, source_words, target_words, common, *numbers)


def _num_words(sentences: Sequence[str]) -> float:
    letters = Counter(itertools.chain.from_iterable(sentences))
    unspaced = sum(number for letter, number in letters.items() if _is_unspaced(letter))
    return sum(len(text.split()) for text in sentences) + unspaced / 2


def _is_unspaced(char: str) -> bool:
    """Return whether a character is a letter or a mark of a script without spaces."""
    return script_of(char) in UNSPACED_SCRIPTS and unicodedata.category(char)[0] != "P"


class LengthStatistics(NamedTuple):
    """Lengths of sentences in subwords, start and end included.

    Attributes:
        mean: the mean length.
        most: 99 % of the sentences are no longer.
        longest: the largest length.
        unknown: characters that are not in the vocabulary, by decreasing frequency.
    """

    mean: float
    most: int
    longest: int
    unknown: str

    @classmethod
    def of(cls, sentences: Iterable[str], subwords: Subwords) -> "LengthStatistics":
        """Return the statistics of sentences, of which there is at least one."""
        sentences = list(sentences)
        lengths = np.array([len(subwords.encode(sentence)) for sentence in sentences])
        unknown = Counter(
            c for sentence in sentences for c in subwords.unknown_characters(sentence)
        )
        most = int(np.quantile(lengths, 0.99, method="higher"))
        characters = "".join(c for c, _ in unknown.most_common())
        return cls(float(lengths.mean()), most, int(lengths.max()), characters)

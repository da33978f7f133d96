"""Statistics of sentence pairs: words, scripts and lengths, from which settings are chosen."""

import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np

from keras_transformer.text.corpus import Pair
from keras_transformer.text.subwords import Subwords

MAX_SAMPLE = 50_000  # pairs from which statistics of a corpus are computed


class TextStatistics(NamedTuple):
    """Statistics of the text of sentence pairs.

    Attributes:
        pairs: number of pairs.
        source_words, target_words: number of words of all pairs, separated by white space.
        common_script: overlap of the scripts of both sides, from 0 (no common script) to 1.
    """

    pairs: int
    source_words: int
    target_words: int
    common_script: float


def sample_pairs(pairs: Iterable[Pair]) -> tuple[list[Pair], int]:
    """Return at most `MAX_SAMPLE` evenly spaced pairs, and the number of all pairs.

    Args:
        pairs: (source, target) strings, which are read twice.
    """
    count = sum(1 for _ in pairs)
    step = -(-count // MAX_SAMPLE) or 1
    return list(itertools.islice(pairs, 0, None, step)), count


def text_statistics(sample: list[Pair], count: int) -> TextStatistics:
    """Return the `TextStatistics` of a corpus.

    Args:
        sample: evenly spaced pairs.
        count: number of pairs of the corpus.
    """
    sources, targets = zip(*sample, strict=True)
    scale = count / len(sample)
    words = [sum(len(text.split()) for text in side) for side in (sources, targets)]
    source_words, target_words = (round(scale * number) for number in words)
    common = common_share(script_shares(sources), script_shares(targets))
    return TextStatistics(count, source_words, target_words, common)


def script_shares(sentences: Iterable[str]) -> dict[str, float]:
    """Return {script: share of the letters}, for example {"LATIN": 1.0}.

    The script of a letter is the first word of its Unicode name.
    """
    letters = Counter(itertools.chain.from_iterable(sentences))
    scripts: Counter[str] = Counter()
    for letter, number in letters.items():
        if letter.isalpha():
            scripts[_script(letter)] += number
    return {script: number / scripts.total() for script, number in scripts.items()}


@cache
def _script(letter: str) -> str:
    return unicodedata.name(letter, "UNKNOWN").split()[0]


def common_share(one: dict[str, float], other: dict[str, float]) -> float:
    """Return the overlap of two distributions {name: share}, from 0 to 1."""
    return sum(min(share, other.get(name, 0.0)) for name, share in one.items())


class LengthStatistics(NamedTuple):
    """Lengths of sentences in subwords, start and end included.

    Attributes:
        mean: the mean length.
        most: 99 % of the sentences are no longer.
        longest: the largest length.
        unknown: characters that the subwords cannot represent, by decreasing frequency.
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

"""Words, and their frequencies in a corpus."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from keras_transformer.text.normalization import composed

WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
TOKEN = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
MAX_WORDS = 200_000  # `count_words` keeps this many words, the most frequent ones


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without numbers and punctuation."""
    return [word.lower() for word in WORD.findall(composed(text))]


def tokens(text: str) -> list[str]:
    """Return the words, numbers and punctuation marks of a text."""
    return TOKEN.findall(composed(text))


def count_words(sentences: Iterable[str]) -> dict[str, int]:
    """Return {word: number of occurrences} for the most frequent words, case-sensitive."""
    counts = Counter(word for sentence in sentences for word in WORD.findall(composed(sentence)))
    return dict(counts.most_common(MAX_WORDS))


def fold_case(counts: Mapping[str, int]) -> dict[str, int]:
    """Return word counts summed over words that differ only in case, with words in lower case."""
    folded: Counter[str] = Counter()
    for word, count in counts.items():
        folded[word.lower()] += count
    return dict(folded)


def touches_digit(text: str, match: re.Match[str]) -> bool:
    """Return whether a digit is within two characters of a match of `WORD`, as in "A-12"."""
    around = text[max(match.start() - 2, 0) : match.start()] + text[match.end() : match.end() + 2]
    return any(char.isdigit() for char in around)

"""Words and how often a corpus has them."""

import re
from collections import Counter

WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
TOKEN = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
MOST_WORDS = 200_000  # kept of a corpus, the most frequent ones


def words(text):
    """Return the words of a text in lower case, without numbers and punctuation."""
    return [word.lower() for word in WORD.findall(text)]


def tokens(text):
    """Return the words, numbers and punctuation marks of a text."""
    return TOKEN.findall(text)


def count_words(sentences):
    """Return {word: number of occurrences} of the most frequent words, with case."""
    counts = Counter(word for sentence in sentences for word in WORD.findall(sentence))
    return dict(counts.most_common(MOST_WORDS))


def fold_case(counts):
    """Return the counts of words in lower case."""
    folded = Counter()
    for word, count in counts.items():
        folded[word.lower()] += count
    return dict(folded)


def touches_digit(text, match):
    """Return whether a match of `WORD` is next to a digit, as the letters of a code are."""
    around = text[max(match.start() - 2, 0) : match.start()] + text[match.end() : match.end() + 2]
    return any(char.isdigit() for char in around)

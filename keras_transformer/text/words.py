"""Words, and their frequencies in a corpus."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

from keras_transformer.text.normalization import composed, with_straight_apostrophes

# Combining marks, such as the vowel signs of Hindi. Those of symbols and emoji are left out.
SYMBOL_MARKS = frozenset((*range(0x20D0, 0x2100), 0xFE0E, 0xFE0F))
CODES_WITH_MARKS = (*range(0x300, 0x20000), *range(0xE0100, 0xE01F0))
MARKS = "".join(
    char
    for char in map(chr, CODES_WITH_MARKS)
    if unicodedata.category(char)[0] == "M" and ord(char) not in SYMBOL_MARKS
)
# The lookahead makes Latin text fast, for which the long list of marks need not be searched.
MARK = rf"(?![\x00-\u02ff])[{MARKS}]"
# A mark, or a character that joins or separates two letters: Persian and Sinhala words have it.
INNER = rf"(?:{MARK}|[\u200c\u200d](?=\w))"
# Possessive quantifiers: a part of a word is no word, and several marks are matched in one way.
LETTERS = rf"[^\W\d_]++(?:{INNER}++[^\W\d_]*+)*+"
LETTERS_AND_DIGITS = rf"\w++(?:{INNER}++\w*+)*+"
WORD = re.compile(rf"{LETTERS}(?:['-]{LETTERS})*")
TOKEN = re.compile(rf"{LETTERS_AND_DIGITS}(?:['’]{LETTERS_AND_DIGITS})?|[^\w\s]")
PUNCTUATION = frozenset("\"'.,;:!?…¿¡،؛؟।۔。、，；：！？")
QUOTES_AND_BRACKETS = frozenset(("Pi", "Pf", "Ps", "Pe"))  # categories of Unicode
MAX_WORDS = 200_000  # `count_words` keeps this many words, the most frequent ones


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without numbers and punctuation."""
    return [word.lower() for word in cased_words(text)]


def cased_words(text: str) -> list[str]:
    """Return the words of a text as they are written, without numbers and punctuation."""
    return WORD.findall(_normalized(text))


def tokens(text: str) -> list[str]:
    """Return the words, numbers and punctuation marks of a text."""
    return TOKEN.findall(_normalized(text))


def count_words(sentences: Iterable[str]) -> dict[str, int]:
    """Return {word: number of occurrences} for the most frequent words, case-sensitive."""
    counts = Counter(word for sentence in sentences for word in cased_words(sentence))
    return dict(counts.most_common(MAX_WORDS))


def _normalized(text: str) -> str:
    """Return a text with composed letters and straight apostrophes, as the network reads it."""
    return with_straight_apostrophes(composed(text))


def fold_case(counts: Mapping[str, int]) -> dict[str, int]:
    """Return word counts summed over words that differ only in case, with words in lower case."""
    folded: Counter[str] = Counter()
    for word, count in counts.items():
        folded[word.lower()] += count
    return dict(folded)


def has_letter(text: str) -> bool:
    """Return whether a text has a letter, or a mark such as a vowel sign, which is part of one."""
    return any(char.isalpha() or char in MARKS for char in text)


def without_outer_marks(word: str) -> str:
    """Return a word without quotation marks, brackets and punctuation around it.

    A word that consists only of such marks is returned unchanged.
    """
    begin, end = 0, len(word)
    while begin < end and _is_outer_mark(word[begin]):
        begin += 1
    while begin < end and _is_outer_mark(word[end - 1]):
        end -= 1
    return word[begin:end] or word


def _is_outer_mark(char: str) -> bool:
    """Return whether a character is a quotation mark, a bracket or a mark such as a period."""
    return char in PUNCTUATION or unicodedata.category(char) in QUOTES_AND_BRACKETS


def touches_digit(text: str, match: re.Match[str]) -> bool:
    """Return whether a digit is within two characters of a match of `WORD`, as in "A-12"."""
    around = text[max(match.start() - 2, 0) : match.start()] + text[match.end() : match.end() + 2]
    return any(char.isdigit() for char in around)

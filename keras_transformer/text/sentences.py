"""Splitting lines into sentences, for translators that are trained on single sentences."""

import re
from collections.abc import Iterable, Iterator

import sentencex

from keras_transformer.text.addresses import addresses
from keras_transformer.text.inner_periods import is_within_sentence
from keras_transformer.text.missed_ends import missed_ends
from keras_transformer.text.normalization import SPACES, without_surrogates

# Languages written without spaces between words. "wuu" and "gan" are Wu and Gan Chinese, "bo"
# and "dz" are Tibetan and Dzongkha.
UNSPACED = frozenset(("ja", "th", "zh", "km", "lo", "my", "wuu", "gan", "bo", "dz"))
# Of these, the languages in which only words are written without spaces.
SPACED_SENTENCES = frozenset(("th", "km", "lo", "my", "bo", "dz"))
CHINESE = frozenset(("zh", "wuu", "gan"))
# sentencex panics if such a space is between a capital and a period.
PLAIN_SPACES = str.maketrans({space: " " for space in SPACES if not space.isascii()})
# The end of direct speech, and the beginning of what may follow it: – asked he.
CLOSING_MARK = re.compile(r"[\"'”“’»«」』]\s*\Z")
FIRST_LETTER = re.compile(r"\s*(?:[-–—―]\s*)?([^\W\d_])")
JAPANESE_QUOTATIVE = re.compile("と|って")


def split_sentences(line: str, lang: str) -> list[str]:
    """Return the sentences of a line, stripped of surrounding whitespace.

    Abbreviations ("Mr. Smith", "3 p.m.") do not end a sentence in languages that sentencex knows,
    nor do the marks in an e-mail address or web address, or after an ordinal number ("3. Mai"), nor
    an ellipsis within a sentence ("Er war... äh, krank."), nor direct speech before its verb
    («Ты идёшь?» — спросил он).

    Args:
        line: the text to split.
        lang: an ISO 639-1 language code, as used by BPEmb.
    """
    line = without_surrogates(line)
    sentences = (sentence.strip() for sentence in _with_speech(_segments(line, lang), lang))
    return [sentence for sentence in sentences if sentence]


def _with_speech(segments: Iterable[str], lang: str) -> Iterator[str]:
    """Yield segments, joined where direct speech is divided from the rest of its sentence."""
    parts: list[str] = []
    for segment in segments:
        if parts and not (CLOSING_MARK.search(parts[-1]) and _continues_speech(segment, lang)):
            yield "".join(parts)
            parts.clear()
        parts.append(segment)
    yield "".join(parts)


def _continues_speech(segment: str, lang: str) -> bool:
    """Return whether a segment after direct speech does not begin a sentence.

    In languages that have capitals, it begins with a small letter, perhaps after a dash. A capital
    after a dash is the answer of another speaker. Georgian letters are small ones, but have no
    capitals with which sentences begin.
    """
    if lang == "ja":
        return JAPANESE_QUOTATIVE.match(segment) is not None
    first = FIRST_LETTER.match(segment)
    return first is not None and first[1].islower() and first[1].title() != first[1]


def _segments(line: str, lang: str) -> Iterator[str]:
    """Yield the segments of a line, joined where `_ends` divides an address or a sentence."""
    spans = list(addresses(line))
    begin = 0
    for end in _ends(line, lang):
        is_in_address = any(first < end < last for first, last in spans)
        if not is_in_address and not is_within_sentence(line, begin, end, lang):
            yield line[begin:end]
            begin = end
    yield line[begin:]


def _ends(line: str, lang: str) -> Iterator[int]:
    """Yield the ends of the segments that sentencex finds, and those that it misses."""
    begin = 0
    for segment in sentencex.segment(lang, line.translate(PLAIN_SPACES)):
        end = begin + len(segment)
        yield from missed_ends(line, begin, end, lang)
        yield end
        begin = end


def sentence_separator(lang: str) -> str:
    """Return the text between two sentences of a language: a space, or nothing."""
    return "" if lang in UNSPACED - SPACED_SENTENCES else " "


def join_sentences(sentences: Iterable[str], lang: str) -> str:
    """Join the sentences of a language into one line, skipping empty ones."""
    return sentence_separator(lang).join(sentence for sentence in sentences if sentence)

"""Splitting lines into sentences, for translators that are trained on single sentences."""

from collections.abc import Iterable, Iterator

import sentencex

from keras_transformer.text.addresses import addresses
from keras_transformer.text.inner_periods import is_within_sentence
from keras_transformer.text.missed_ends import missed_ends
from keras_transformer.text.normalization import SPACES, without_surrogates

# Languages written without spaces between words. "wuu" and "gan" are Wu and Gan Chinese, "bo"
# and "dz" are Tibetan and Dzongkha.
UNSPACED = frozenset(("ja", "th", "zh", "km", "lo", "my", "wuu", "gan", "bo", "dz"))
SPACED_SENTENCES = frozenset(("th", "km", "lo", "my"))  # only words are written without spaces
CHINESE = frozenset(("zh", "wuu", "gan"))
# sentencex panics if such a space is between a capital and a period.
PLAIN_SPACES = str.maketrans({space: " " for space in SPACES if not space.isascii()})


def split_sentences(line: str, lang: str) -> list[str]:
    """Return the sentences of a line, stripped of surrounding whitespace.

    Abbreviations ("Mr. Smith", "3 p.m.") do not end a sentence in languages that sentencex knows,
    nor do the marks in an e-mail address or web address, or after an ordinal number ("3. Mai"), nor
    an ellipsis within a sentence ("Er war... äh, krank.").

    Args:
        line: the text to split.
        lang: an ISO 639-1 language code, as used by BPEmb.
    """
    line = without_surrogates(line)
    sentences = (sentence.strip() for sentence in _segments(line, lang))
    return [sentence for sentence in sentences if sentence]


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

"""Splitting lines into sentences, for translators that are trained on single sentences."""

from collections.abc import Iterable, Iterator

import sentencex

from keras_transformer.text.addresses import addresses
from keras_transformer.text.normalization import without_surrogates

# Languages written without spaces between sentences. "wuu" and "gan" are Wu and Gan Chinese, "bo"
# and "dz" are Tibetan and Dzongkha.
UNSPACED = frozenset(("ja", "th", "zh", "km", "lo", "my", "wuu", "gan", "bo", "dz"))
CHINESE = frozenset(("zh", "wuu", "gan"))


def split_sentences(line: str, lang: str) -> list[str]:
    """Return the sentences of a line, stripped of surrounding whitespace.

    Abbreviations ("Mr. Smith", "3 p.m.") do not end a sentence in languages that sentencex knows,
    nor do the marks in an e-mail address or web address.

    Args:
        line: the text to split.
        lang: an ISO 639-1 language code, as used by BPEmb.
    """
    line = without_surrogates(line)
    sentences = (sentence.strip() for sentence in _with_whole_addresses(line, lang))
    return [sentence for sentence in sentences if sentence]


def _with_whole_addresses(line: str, lang: str) -> Iterator[str]:
    """Yield the segments of a line, joined where sentencex divides an address."""
    spans = list(addresses(line))
    begin = end = 0
    for segment in sentencex.segment(lang, line):
        end += len(segment)
        if not any(first < end < last for first, last in spans):
            yield line[begin:end]
            begin = end
    yield line[begin:]


def join_sentences(sentences: Iterable[str], lang: str) -> str:
    """Join the sentences of a language into one line, skipping empty ones."""
    return ("" if lang in UNSPACED else " ").join(sentence for sentence in sentences if sentence)

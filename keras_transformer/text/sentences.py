"""Splitting lines into sentences, for translators that are trained on single sentences."""

from collections.abc import Iterable

import sentencex

# Languages written without spaces between sentences.
UNSPACED = frozenset(("ja", "th", "zh", "km", "lo", "my"))


def split_sentences(line: str, lang: str) -> list[str]:
    """Return the sentences of a line, stripped of surrounding whitespace.

    Abbreviations ("Mr. Smith", "3 p.m.") do not end a sentence in languages that sentencex knows.

    Args:
        line: the text to split.
        lang: an ISO 639-1 language code, as used by BPEmb.
    """
    line = line.encode("utf-8", "replace").decode("utf-8")  # replaces lone surrogates with "?"
    sentences = (sentence.strip() for sentence in sentencex.segment(lang, line))
    return [sentence for sentence in sentences if sentence]


def join_sentences(sentences: Iterable[str], lang: str) -> str:
    """Join the sentences of a language into one line, skipping empty ones."""
    return ("" if lang in UNSPACED else " ").join(sentence for sentence in sentences if sentence)

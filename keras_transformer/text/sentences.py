"""Lines into sentences: a translator trained on single sentences reads one at a time."""

import sentencex

# Languages that are written without spaces between sentences.
UNSPACED = frozenset(("ja", "th", "zh", "km", "lo", "my"))


def split_sentences(line, lang):
    """Return the sentences of a line, without white space around them.

    Abbreviations ("Mr. Smith", "3 p.m.") do not end a sentence in languages that sentencex knows.

    Args:
        line: a string.
        lang: the language as BPEmb names it, an ISO 639-1 code.
    """
    line = line.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate is a question mark
    sentences = (sentence.strip() for sentence in sentencex.segment(lang, line))
    return [sentence for sentence in sentences if sentence]


def join_sentences(sentences, lang):
    """Return a line of sentences in a language."""
    return ("" if lang in UNSPACED else " ").join(sentence for sentence in sentences if sentence)

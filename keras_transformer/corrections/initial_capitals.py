"""The capital letter at the beginning of a sentence."""

import re
from collections.abc import Mapping

from keras_transformer.text.words import WORD

MIN_CAPITALIZED = 0.05  # share of the words of a language that begins sentences with capitals
FIRST_WORD = re.compile(rf"[\"'(¿¡]*({WORD.pattern})")


def has_capitals(counts: Mapping[str, int]) -> bool:
    """Return whether words begin with capital letters in a text: in cased text, not in Arabic.

    Args:
        counts: {word: occurrences}, case-sensitive.
    """
    capitalized = sum(count for word, count in counts.items() if word[0].isupper())
    return capitalized > MIN_CAPITALIZED * sum(counts.values())


def with_initial_capital(source: str, translation: str) -> str:
    """Return a translation that begins with a capital letter if its source does.

    A first word that is copied from within the source, such as iPhone, stays as it is.
    """
    read, written = FIRST_WORD.match(source), FIRST_WORD.match(translation)
    if not read or not written or not read[1][0].isupper() or not written[1][0].islower():
        return translation
    if written[1] in WORD.findall(source):
        return translation
    start = written.start(1)
    return translation[:start] + translation[start].upper() + translation[start + 1 :]

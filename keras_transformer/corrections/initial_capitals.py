"""The capital letter at the beginning of a sentence."""

import re
from collections.abc import Mapping

from keras_transformer.text.casing import upper_case
from keras_transformer.text.words import WORD

MIN_CAPITALIZED = 0.05  # of the words, in a language whose sentences begin with capitals
MARKS = r"\"“”„«»(¿¡"
FIRST_WORD = re.compile(rf"['{MARKS}]*({WORD.pattern})")
# Not after an apostrophe: 's ist schade. Not in an address: max-muster@example.com.
CHANGEABLE_WORD = re.compile(rf"[{MARKS}]*((?>{WORD.pattern}))(?![@+\d_]|[./:][\w/])")
ONE_LETTER = {"nl": "ij"}  # {language: two letters of which a capital changes both: IJs}


def has_capitals(counts: Mapping[str, int]) -> bool:
    """Return whether words begin with capital letters in a text: in cased text, not in Arabic.

    Args:
        counts: {word: occurrences}, case-sensitive.
    """
    capitalized = sum(count for word, count in counts.items() if word[0].isupper())
    return capitalized > MIN_CAPITALIZED * sum(counts.values())


def with_initial_capital(
    source: str, translation: str, counts: Mapping[str, int], lang: str = ""
) -> str:
    """Return a translation that begins with a capital letter if its source does.

    A first word such as iPhone stays as it is, and so does one that is copied from the source.

    Args:
        source: the source.
        translation: the translation.
        counts: {word: occurrences in the target language}, case-sensitive. Such words are not
            taken for copied ones.
        lang: the target language.
    """
    read, written = FIRST_WORD.match(source), CHANGEABLE_WORD.match(translation)
    if not read or not written or not read[1][0].isupper():
        return translation
    word, start = written[1], written.start(1)
    is_copied = word in WORD.findall(source) and word not in counts
    if is_copied or not re.split("['-]", word)[0].islower():
        return translation
    letters = ONE_LETTER.get(lang, word[0])
    end = start + (len(letters) if word.startswith(letters) else 1)
    return translation[:start] + upper_case(translation[start:end], lang) + translation[end:]

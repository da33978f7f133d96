"""Sentences typed in capitals, which training corpora hardly contain."""

import re

from keras_transformer.text.addresses import addresses

MIN_LETTERS = 5  # a shorter text in capitals may be an abbreviation: OK, USA
WITH_DIGIT = re.compile(r"\w*\d\w*")


def without_capitals(sentence: str) -> str:
    """Convert a sentence typed in capitals to sentence case; return any other unchanged.

    E-mail addresses, web addresses and words with digits keep their capitals.
    """
    letters = [char for char in sentence if char.isalpha()]
    in_capitals = len(letters) >= MIN_LETTERS and " " in sentence.strip() and sentence.isupper()
    return _in_sentence_case(sentence) if in_capitals else sentence


def _in_sentence_case(sentence: str) -> str:
    text = sentence.capitalize()
    if len(text) != len(sentence):  # the lower case of some letters has two characters
        return text
    kept = [*addresses(sentence), *(match.span() for match in WITH_DIGIT.finditer(sentence))]
    for start, end in kept:
        text = text[:start] + sentence[start:end] + text[end:]
    return text

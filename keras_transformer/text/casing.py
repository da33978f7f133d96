"""Sentences typed in capitals, which training corpora hardly contain."""

import re
from collections.abc import Iterator

from keras_transformer.text.addresses import addresses

MIN_LETTERS = 5  # a shorter text in capitals may be an abbreviation: OK, USA
MOST = 0.9  # of the letters have case. Otherwise only an acronym may be in capitals.
# Letters of a code before its number: B-17. Other words before a number are longer, mostly.
CODE_LETTERS = r"(?!(?:TOP|MID|PRE|SUB)-)[^\W\d_]{1,3}-(?=\d)"
# The group is a word. Of words with hyphens, only the first may be the letters of a code.
WORD = re.compile(rf"(?:-|{CODE_LETTERS})?(\w+)")
# Numbers with an ending that has small letters in sentence case: 2nd, 5pm, 1990s, 5km.
NUMBER = re.compile(r"[0-9]+(?:ST|ND|RD|TH|[AP]M|[CKM]M|KG)|[0-9]*0S")
ENDINGS = {"de": r"ERN?|S?TE[MNRS]?", "fr": r"ER|RE|E|[ÈE]ME|H[0-9]*"}  # 80er, 1er, 14h30
# Letters that have no capital, or a rare one. `str.isupper` takes them for small letters.
WITHOUT_CAPITAL = str.maketrans("", "", "ßªº")
# Languages in which ı, the capital of which is I, is another letter than i.
DOTLESS = frozenset(("az", "crh", "gag", "tr"))
SMALL_I = str.maketrans("İI", "iı")
CAPITAL_I = str.maketrans("iı", "İI")
# Cherokee is written in what Unicode calls capitals; hardly anybody writes its small letters.
CHEROKEE = re.compile("[\u13a0-\u13ff]")
# Capitals with which no Georgian sentence begins.
GEORGIAN_CAPITAL = re.compile("[\u1c90-\u1cbf]")
# Marks, and the number of a list or a note: "[1] ".
BEFORE_FIRST_LETTER = re.compile(r"(?:[\W_]|\d+[.)\]]+(?=\s))*")
PRONOUN = re.compile(r"(?<![\w.])I(?!\w|\.\w)")
# Units that have capitals in sentence case.
UNITS = ("kWh", "kW", "kHz", "MHz", "GHz", "Hz", "KB", "MB", "GB", "TB", "°C", "°F")
SPELLINGS = {unit.upper(): unit for unit in UNITS}
UNIT = re.compile(rf"(?<=\d)(?:[ \u00a0\u202f]|(?=°))({'|'.join(SPELLINGS)})(?!\w)")


def lower_case(text: str, lang: str) -> str:
    """Return a text of a language in lower case."""
    return (text.translate(SMALL_I) if lang in DOTLESS else text).lower()


def upper_case(text: str, lang: str) -> str:
    """Return a text of a language in capitals."""
    return (text.translate(CAPITAL_I) if lang in DOTLESS else text).upper()


def is_in_capitals(text: str) -> bool:
    """Return whether the letters of a text are capitals, in a script that has capitals."""
    letters = list(filter(str.isalpha, text))
    with_case = sum(map(_has_case, letters))
    return text.translate(WITHOUT_CAPITAL).isupper() and with_case >= MOST * len(letters)


def _has_case(letter: str) -> bool:
    return letter.lower() != letter.upper() and not CHEROKEE.match(letter)


def without_capitals(sentence: str, lang: str = "") -> str:
    """Convert a sentence typed in capitals to sentence case; return any other unchanged.

    E-mail addresses, web addresses, codes, units and the English pronoun "I" keep their capitals.
    The endings of English, German and French numbers do not: 2nd, 5pm, 80er, 14h30.

    Args:
        sentence: the sentence.
        lang: its language.
    """
    is_long = sum(map(str.isalpha, sentence)) >= MIN_LETTERS and " " in sentence.strip()
    return _in_sentence_case(sentence, lang) if is_long and is_in_capitals(sentence) else sentence


def _in_sentence_case(sentence: str, lang: str) -> str:
    text = lower_case(sentence, lang)
    if len(text) != len(sentence):  # the lower case of some letters has two characters
        return sentence.capitalize()
    for start, kept in _kept(sentence, lang):
        text = text[:start] + kept + text[start + len(kept) :]
    return text


def _kept(sentence: str, lang: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a sentence in capitals that sentence case has too, and their places."""
    first = BEFORE_FIRST_LETTER.match(sentence)
    start = first.end() if first else 0
    if not GEORGIAN_CAPITAL.match(sentence, start):
        yield start, sentence[start : start + 1]
    for start, end in addresses(sentence):
        yield start, sentence[start:end]
    for match in WORD.finditer(sentence):
        if any(map(str.isdecimal, match[1])) and not _is_number(match[1], lang):
            yield match.start(), match[0]
    for match in UNIT.finditer(sentence):
        yield match.start(1), SPELLINGS[match[1]]
    for match in PRONOUN.finditer(sentence) if lang == "en" else ():
        yield match.start(), match[0]


def _is_number(word: str, lang: str) -> bool:
    """Return whether a word in capitals is a number with an ending, and not a code."""
    endings = ENDINGS.get(lang, "(?!)")
    return bool(NUMBER.fullmatch(word) or re.fullmatch(rf"[0-9]+(?:{endings})", word))

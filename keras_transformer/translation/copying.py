"""Copies of what no corpus contains: names, numbers and codes that a translation garbled.

A network learns to copy names and numbers subword by subword, and a small one sometimes drops or
changes a piece. The result is a word that neither language has. Such a word stands where the copy
should be, so it is replaced by the word of the source that is missing in the translation.
"""

import difflib
import re
from typing import NamedTuple

from keras_transformer.text.words import WORD, touches_digit
from keras_transformer.translation.formats import formats
from keras_transformer.translation.names import Names

# A token, after the capitals of a code (LH 400), or with a sign of a currency. Whether it has a
# digit is checked afterwards: an expression that demands one takes cubic time for a long word.
CODE_LETTERS = r"(?:\b[A-Z]{1,3}(?:-[A-Z]{1,3})? (?=\w*\d))?"
TOKEN = re.compile(CODE_LETTERS + r"[€$£]?\w+(?:[-./:,']\w+)*(?:(?<=\d) ?[€$£])?")
NAMED_CURRENCY = re.compile(r"\s*(?:Euro|Dollar|Pfund)")
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
CODE = re.compile(r"(?=.*\d)(?=.*[A-Z#/]).+")
SHORT_NUMBERS = ("12", "15", "18")  # which a network copies better than codes
ALIKE = 0.3  # least similarity of a word and its garbled copy, if there are several
WORD_BEFORE = re.compile(rf"({WORD.pattern}) $")
GAP = re.compile(r"[\s-]*")  # between the words of a name


class Unit(NamedTuple):
    """Something to copy: its text and its place in the sentence."""

    text: str
    start: int
    end: int


class Copier:
    """Repairs the copies in translations.

    Args:
        source_counts, target_counts: {word: number of occurrences} of the training, with case.
        formats: the `Formats` of numbers and dates.
    """

    def __init__(self, source_counts, target_counts, formats):
        self.source_words = frozenset(map(str.lower, source_counts))
        self.target_words = frozenset(map(str.lower, target_counts))
        self.names = Names(source_counts, target_counts)
        self.formats = formats

    @classmethod
    def of(cls, run):
        """Return the copier of a `Run`, or None where it has no words.

        Raises:
            UserError: they are damaged.
        """
        words, text = run.words(), run.config.text
        return words and cls(*words, formats(text.source_lang, text.target_lang))

    def masked(self, source):
        """Return what the network reads for a sentence, and what `restored` needs."""
        source, dates = self.formats.masked(source)
        source, codes = _with_numbers_for_codes(source)
        source, names = self.names.masked(source)
        return source, dates | codes | names

    def restored(self, source, translation, originals):
        """Return a translation with the names and numbers of the source.

        Args:
            source: the sentence.
            translation: what the network wrote for the masked sentence.
            originals: the second result of `masked`.
        """
        return self.repaired(source, self.names.restored(translation, originals))

    def repaired(self, source, translation):
        """Return a translation in which garbled names and numbers are those of the source."""
        translation = _replaced(translation, self._names(source, translation))
        translation = _replaced(translation, self._completions(source, translation))
        translation = _replaced(translation, self._numbers(source, translation))
        return self.formats.corrected(source, translation)

    def _names(self, source, translation):
        """Return [(garbled unit of the translation, text that replaces it)] for words."""
        there, here = _bare_words(source), _bare_words(translation)
        missing = _runs(source, lambda word: word in self.source_words or _bare(word) in here)
        garbled = _runs(translation, lambda word: word in self.target_words or _bare(word) in there)
        return _matched([_without_genitive(unit.text) for unit in missing], garbled)

    def _completions(self, source, translation):
        """Return [(place after a first name, the rest of the name)] where the rest is missing.

        A capitalized word that stands there instead is replaced.
        """
        there, here = _bare_words(source), _bare_words(translation)
        found = []
        for unit in _runs(source, lambda word: word in self.source_words or _bare(word) in here):
            before = WORD_BEFORE.search(source, 0, unit.start)
            if before and unit.text[0].isupper():
                found += _after(before[1], _without_genitive(unit.text), translation, there)
        return found

    def _numbers(self, source, translation):
        """Return [(garbled unit of the translation, text that replaces it)] for numbers."""
        wanted = [self.formats.number(unit.text, source[unit.end :]) for unit in _numbers(source)]
        found = _numbers(translation)
        for text in list(wanted):
            copies = [unit for unit in found if unit.text == text]
            if copies:
                wanted.remove(text)
                found.remove(copies[0])
        return [
            (unit, text.rstrip(" €$£") if NAMED_CURRENCY.match(translation, unit.end) else text)
            for unit, text in _matched(wanted, found)
        ]


def _after(first, rest, translation, source_words):
    """Return [(unit, text)] that puts the rest of a name after its first word, if that is there.

    Args:
        first, rest: of the name.
        translation: the text to be changed.
        source_words: words that are not replaced, in lower case.
    """
    match = re.search(rf"(?<!\w){re.escape(first)}(?: ({WORD.pattern}))?(?![\w'-])", translation)
    if not match or not first[0].isupper():
        return []
    follower = match[1] or ""
    if follower[:1].isupper() and _bare(follower.lower()) not in source_words:
        return [(Unit(follower, match.start(1), match.end(1)), rest)]
    end = match.start() + len(first)
    return [(Unit("", end, end), f" {rest}")]


def _runs(text, is_fine):
    """Return the `Unit`s of words that are not fine, adjacent ones together.

    Args:
        text: a sentence.
        is_fine: a function of a word in lower case.
    """
    units = []
    for match in WORD.finditer(text):
        if is_fine(match[0].lower()) or touches_digit(text, match):
            continue
        if units and GAP.fullmatch(text, units[-1].end, match.start()):
            first = units.pop()
            units.append(Unit(text[first.start : match.end()], first.start, match.end()))
        else:
            units.append(Unit(match[0], match.start(), match.end()))
    return units


def _bare_words(text):
    """Return the words of a text in lower case, with and without the ending of a genitive."""
    found = [match.lower() for match in WORD.findall(text)]
    return {*found, *map(_bare, found)}


def _bare(word):
    """Return a word without the ending of an English or a German genitive."""
    return word.removesuffix("'s").removesuffix("s")


def _numbers(text):
    """Return the `Unit`s with digits, without ordinals."""
    text = text.lower() if text.isupper() else text  # no word before a number is a code
    return [
        Unit(match[0], match.start(), match.end())
        for match in TOKEN.finditer(text)
        if any(map(str.isdigit, match[0])) and not ORDINAL.fullmatch(match[0])
    ]


def _with_numbers_for_codes(sentence):
    """Return a sentence with short numbers in place of codes, and {short number: code}."""
    originals = {}
    free = [number for number in SHORT_NUMBERS if number not in sentence]
    codes = [unit for unit in _numbers(sentence) if CODE.fullmatch(unit.text)]
    replacements = list(zip(codes, free, strict=False))
    for unit, number in replacements:
        originals[number] = unit.text
    return _replaced(sentence, replacements), originals


def _without_genitive(text):
    return text.removesuffix("'s").removesuffix("'S")


def _matched(missing, garbled):
    """Return [(unit, text)]: for each missing text the unit that is most like it."""
    if len(missing) == len(garbled) == 1:
        return [(garbled[0], missing[0])]
    pairs = sorted(
        (
            (_likeness(text, unit.text), i, j)
            for i, text in enumerate(missing)
            for j, unit in enumerate(garbled)
        ),
        reverse=True,
    )
    chosen, used = {}, set()
    for likeness, i, j in pairs:
        if likeness >= ALIKE and i not in chosen and j not in used:
            chosen[i] = j
            used.add(j)
    return [(garbled[j], missing[i]) for i, j in chosen.items()]


def _likeness(one, other):
    """Return how alike two strings are, from 0 to 1."""
    return difflib.SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


def _replaced(text, replacements):
    """Return a text with [(unit, replacement)] carried out."""
    for unit, replacement in sorted(replacements, key=lambda each: -each[0].start):
        text = text[: unit.start] + replacement + text[unit.end :]
    return text

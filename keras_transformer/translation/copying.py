"""Repair of names, numbers and codes that are garbled in a translation.

A network copies names and numbers subword by subword, and a small network sometimes drops or
changes a subword. The result is a word that exists in neither language. Such a word is replaced by
the word of the source that is missing from the translation.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias

from keras_transformer.text.words import WORD, touches_digit
from keras_transformer.translation.formats import Formats, formats
from keras_transformer.translation.names import Names

if TYPE_CHECKING:  # imports TensorFlow, which a client of a server does not need
    from keras_transformer.runs.run import Run

# A token, optionally after the capitals of a code (LH 400) or with a currency sign. Whether it has
# a digit is checked afterwards: a pattern that requires a digit would be slow for a long word.
CODE_LETTERS = r"(?:\b[A-Z]{1,3}(?:-[A-Z]{1,3})? (?=\w*\d))?"
TOKEN = re.compile(CODE_LETTERS + r"[€$£]?\w+(?:[-./:,']\w+)*(?:(?<=\d) ?[€$£])?")
NAMED_CURRENCY = re.compile(r"\s*(?:Euro|Dollar|Pfund)")
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
CODE = re.compile(r"(?=.*\d)(?=.*[A-Z#/]).+")
SHORT_NUMBERS = ("12", "15", "18")  # a network copies them better than codes
MIN_SIMILARITY = 0.3  # between a word and its garbled copy, if there are several candidates
WORD_BEFORE = re.compile(rf"({WORD.pattern}) $")
GAP = re.compile(r"[\s-]*")  # between the words of a name


class Unit(NamedTuple):
    """A name or number and its place in a sentence."""

    text: str
    start: int
    end: int


Replacement: TypeAlias = tuple[Unit, str]  # replaced unit, new text


class Copier:
    """Repairs the names, numbers and codes that a network copied into translations.

    Args:
        source_counts: {word: occurrences in the training sources}, case-sensitive.
        target_counts: {word: occurrences in the training targets}, case-sensitive.
        formats: the `Formats` of numbers and dates.
    """

    def __init__(
        self, source_counts: Mapping[str, int], target_counts: Mapping[str, int], formats: Formats
    ) -> None:
        self.source_words = frozenset(map(str.lower, source_counts))
        self.target_words = frozenset(map(str.lower, target_counts))
        self.names = Names(source_counts, target_counts)
        self.formats = formats

    @classmethod
    def of(cls, run: "Run") -> Self | None:
        """Load the copier of a run, or return None if the run contains no word counts.

        Raises:
            UserError: If a file is damaged.
        """
        words, text = run.words(), run.config.text
        if words is None:
            return None
        source_counts, target_counts = words
        return cls(source_counts, target_counts, formats(text.source_lang, text.target_lang))

    def masked(self, source: str) -> tuple[str, dict[str, str]]:
        """Replace unknown names and dates by frequent ones, and codes by short numbers.

        Returns:
            The masked sentence, and {replacement in the translation: original text}.
        """
        source, dates = self.formats.masked(source)
        source, codes = _with_numbers_for_codes(source)
        source, names = self.names.masked(source)
        return source, dates | codes | names

    def restored(self, source: str, translation: str, originals: Mapping[str, str]) -> str:
        """Return a translation with the names and numbers of the source.

        Args:
            source: the sentence.
            translation: translation of the masked sentence.
            originals: the mapping that `masked` returned.
        """
        return self.repaired(source, self.names.restored(translation, originals))

    def repaired(self, source: str, translation: str) -> str:
        """Return a translation with garbled names and numbers replaced by those of the source."""
        translation = _replaced(translation, self._names(source, translation))
        translation = _replaced(translation, self._completions(source, translation))
        translation = _replaced(translation, self._numbers(source, translation))
        return self.formats.corrected(source, translation)

    def _names(self, source: str, translation: str) -> list[Replacement]:
        """Return the replacements of garbled words in a translation."""
        there, here = _bare_words(source), _bare_words(translation)
        missing = _runs(source, lambda word: word in self.source_words or _bare(word) in here)
        garbled = _runs(translation, lambda word: word in self.target_words or _bare(word) in there)
        return _matched([_without_genitive(unit.text) for unit in missing], garbled)

    def _completions(self, source: str, translation: str) -> list[Replacement]:
        """Return the replacements that complete names of which only the first word was copied.

        The rest of the name is inserted, or replaces a capitalized word after the first.
        """
        there, here = _bare_words(source), _bare_words(translation)
        found: list[Replacement] = []
        for unit in _runs(source, lambda word: word in self.source_words or _bare(word) in here):
            before = WORD_BEFORE.search(source, 0, unit.start)
            if before and unit.text[0].isupper():
                found += _after(before[1], _without_genitive(unit.text), translation, there)
        return found

    def _numbers(self, source: str, translation: str) -> list[Replacement]:
        """Return the replacements of garbled numbers in a translation."""
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


def _after(first: str, rest: str, translation: str, source_words: Set[str]) -> list[Replacement]:
    """Return the replacement that puts the rest of a name after its first word, if any.

    Args:
        first: first word of the name.
        rest: the other words of the name.
        translation: the text to change.
        source_words: words in lower case that are not replaced.
    """
    match = re.search(rf"(?<!\w){re.escape(first)}(?: ({WORD.pattern}))?(?![\w'-])", translation)
    if not match or not first[0].isupper():
        return []
    follower = match[1] or ""
    if follower[:1].isupper() and _bare(follower.lower()) not in source_words:
        return [(Unit(follower, match.start(1), match.end(1)), rest)]
    end = match.start() + len(first)
    return [(Unit("", end, end), f" {rest}")]


def _runs(text: str, is_known: Callable[[str], bool]) -> list[Unit]:
    """Return the unknown words of a sentence. Adjacent words form one `Unit`.

    Args:
        text: the sentence.
        is_known: whether a word in lower case is known.
    """
    units: list[Unit] = []
    for match in WORD.finditer(text):
        if is_known(match[0].lower()) or touches_digit(text, match):
            continue
        if units and GAP.fullmatch(text, units[-1].end, match.start()):
            first = units.pop()
            units.append(Unit(text[first.start : match.end()], first.start, match.end()))
        else:
            units.append(Unit(match[0], match.start(), match.end()))
    return units


def _bare_words(text: str) -> set[str]:
    """Return the words of a text in lower case, both with and without a genitive ending."""
    found = [match.lower() for match in WORD.findall(text)]
    return {*found, *map(_bare, found)}


def _bare(word: str) -> str:
    """Return a word without an English or German genitive ending."""
    return word.removesuffix("'s").removesuffix("s")


def _numbers(text: str) -> list[Unit]:
    """Return the units of a text that contain digits, except ordinals."""
    # If the text is all capitals, a word before a number does not belong to a code.
    text = text.lower() if text.isupper() else text
    return [
        Unit(match[0], match.start(), match.end())
        for match in TOKEN.finditer(text)
        if any(map(str.isdigit, match[0])) and not ORDINAL.fullmatch(match[0])
    ]


def _with_numbers_for_codes(sentence: str) -> tuple[str, dict[str, str]]:
    """Return a sentence with codes replaced by short numbers, and {short number: code}."""
    free = [number for number in SHORT_NUMBERS if number not in sentence]
    codes = [unit for unit in _numbers(sentence) if CODE.fullmatch(unit.text)]
    replacements = list(zip(codes, free, strict=False))
    originals = {number: code.text for code, number in replacements}
    return _replaced(sentence, replacements), originals


def _without_genitive(text: str) -> str:
    return text.removesuffix("'s").removesuffix("'S")


def _matched(missing: Sequence[str], garbled: Sequence[Unit]) -> list[Replacement]:
    """Return replacements of garbled units, each by the missing text that is most similar."""
    if len(missing) == len(garbled) == 1:
        return [(garbled[0], missing[0])]
    pairs = sorted(
        (
            (_similarity(text, unit.text), i, j)
            for i, text in enumerate(missing)
            for j, unit in enumerate(garbled)
        ),
        reverse=True,
    )
    chosen: dict[int, int] = {}
    used: set[int] = set()
    for similarity, i, j in pairs:
        if similarity >= MIN_SIMILARITY and i not in chosen and j not in used:
            chosen[i] = j
            used.add(j)
    return [(garbled[j], missing[i]) for i, j in chosen.items()]


def _similarity(one: str, other: str) -> float:
    """Return the similarity of two strings, from 0 to 1, ignoring case."""
    return difflib.SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


def _replaced(text: str, replacements: Iterable[Replacement]) -> str:
    """Return a text with some of its units replaced."""
    for unit, replacement in sorted(replacements, key=lambda each: -each[0].start):
        text = text[: unit.start] + replacement + text[unit.end :]
    return text

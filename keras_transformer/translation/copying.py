"""Repair of names and values that are garbled in a translation or missing from it.

A network copies names and numbers subword by subword, and a small network sometimes drops or
changes a subword. The result is a word that exists in neither language. Such a word is replaced by
the word of the source that is missing from the translation. Missing values are inserted, and
numbers that the source does not contain are removed.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Self, TypeAlias

from keras_transformer.text.words import WORD, touches_digit
from keras_transformer.translation.clock_times import UHR
from keras_transformer.translation.extra_numbers import without_extra_numbers
from keras_transformer.translation.formats import Formats, formats
from keras_transformer.translation.names import Names
from keras_transformer.translation.placing import place_of, placed, without_period
from keras_transformer.translation.stand_ins import restored, stand_ins, with_stand_ins
from keras_transformer.translation.values import (
    Unit,
    address_units,
    blanked,
    expressions,
    is_code,
    is_small,
    located,
    numbers,
    phone_units,
    values,
    without_addresses,
)

if TYPE_CHECKING:  # imports TensorFlow or NumPy, which a client of a server does not need
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.lexicon import Lexicon


NAMED_SIGN = re.compile(r"\s*(?:Euro|Dollar|Pfund|Prozent)")
MIN_SIMILARITY = 0.3  # between a word and its garbled copy, if there are several candidates
WORD_BEFORE = re.compile(rf"({WORD.pattern}) $")
MIN_PERIODS = 0.1  # probability of a period given a period
MAX_ALIGNED = 20  # missing values
GAP = re.compile(r"[\s-]*")  # between the words of a name

Replacement: TypeAlias = tuple[Unit, str]  # replaced unit, new text


class Copier:
    """Repairs the names and values that a network copied into translations.

    Args:
        source_counts: {word: occurrences in the training sources}, case-sensitive.
        target_counts: {word: occurrences in the training targets}, case-sensitive.
        formats: the `Formats` of numbers and dates.
        target_lang: the target language.
        lexicon: the `Lexicon` that aligns words, or None.
        source_lang: the source language.
    """

    def __init__(
        self,
        source_counts: Mapping[str, int],
        target_counts: Mapping[str, int],
        formats: Formats,
        target_lang: str = "",
        lexicon: "Lexicon | None" = None,
        source_lang: str = "",
    ) -> None:
        self.source_words = frozenset(map(str.lower, source_counts))
        self.target_words = frozenset(map(str.lower, target_counts))
        self.names = Names(source_counts, target_counts)
        self.formats = formats
        self.source_lang = source_lang
        self.target_lang = target_lang
        self.lexicon = lexicon
        self.stand_ins = stand_ins(lexicon)
        # Whether sentences of both languages end with periods in the training data.
        self.knows_periods = bool(lexicon and lexicon.probability(".", ".") > MIN_PERIODS)

    @classmethod
    def of(cls, run: "Run") -> Self | None:
        """Load the copier of a run, or return None if the run contains no word counts.

        Raises:
            UserError: If a file is damaged.
        """
        from keras_transformer.runs.run import LEXICON
        from keras_transformer.translation.lexicon import Lexicon

        words, text = run.words(), run.config.text
        if words is None:
            return None
        lexicon = Lexicon.load(run.lexicon_file()) if run.has(LEXICON) else None
        languages = formats(text.source_lang, text.target_lang)
        return cls(*words, languages, text.target_lang, lexicon, text.source_lang)

    def masked(self, source: str) -> tuple[str, dict[str, str]]:
        """Replace unknown names and dates by frequent ones, and codes and addresses by numbers.

        Returns:
            The masked sentence, and {replacement in the translation: original text}.
        """
        fixed = [*address_units(source), *phone_units(without_addresses(source))]
        rest = blanked(source, ((unit.start, unit.end) for unit in fixed))
        codes = list(filter(is_code, numbers(rest)))
        spans = [(unit.start, unit.end, unit.text) for unit in (*fixed, *codes)]
        source, originals = with_stand_ins(source, spans, self.stand_ins)
        source, dates = self.formats.masked(source)
        source, names = self.names.masked(source)
        return source, originals | dates | names

    def with_values_masked(self, source: str) -> tuple[str, dict[str, str]]:
        """Replace all values except small integers by numbers; return the same as `masked`."""
        found = [each for each in values(source, self.formats) if not is_small(each)]
        spans = [(each.start, each.end, each.text) for each in found]
        return with_stand_ins(source, spans, self.stand_ins)

    def restored(
        self, source: str, read: str, translation: str, originals: Mapping[str, str]
    ) -> str:
        """Return a translation with the names and values of the source.

        Args:
            source: the sentence.
            read: the masked sentence, which `masked` or `with_values_masked` returned.
            translation: translation of the masked sentence.
            originals: the mapping that was returned with it.
        """
        return self.completed(source, self.corrected(source, read, translation, originals))

    def corrected(
        self, source: str, read: str, translation: str, originals: Mapping[str, str]
    ) -> str:
        """Return what `restored` returns, without the values that are missing from it."""
        if originals:
            translation = _replaced(translation, self._numbers(read, translation))
        return self.repaired(source, restored(translation, originals))

    def repaired(self, source: str, translation: str) -> str:
        """Return a translation with garbled names and numbers replaced by those of the source."""
        source = without_addresses(source)
        for find in (self._names, self._completions, self._numbers):
            replacements = find(source, without_addresses(translation))
            translation = _replaced(translation, replacements)
        return self.formats.corrected(source, translation)

    def is_complete(self, source: str, translation: str) -> bool:
        """Return whether a translation has all values of the source."""
        return not located(values(source, self.formats), translation, self.target_lang)[1]

    def completed(self, source: str, translation: str) -> str:
        """Return a translation with the missing values of the source, without other numbers.

        The lexicon determines the places of missing values.
        """
        found = values(source, self.formats)
        kept, missing = located(found, translation, self.target_lang)
        # The alignment takes time proportional to the square of the length of the line.
        lexicon = self.lexicon if len(missing) <= MAX_ALIGNED else None
        undivided = [(each.start, each.end) for each in numbers(translation)]
        undivided += self.formats.undivided(translation)
        spans = [*kept, *undivided]
        for value in reversed(missing):
            place = place_of((value.start, value.end), source, translation, lexicon, spans)
            translation, spans = placed(value.text, place, translation, spans)
        kept = [*spans[: len(kept)], *spans[len(kept) + len(undivided) :]]
        translation = without_extra_numbers(source, found, translation, kept, self.source_lang)
        return self.formats.tidied(translation)

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
        rest = translation  # without the completed names
        for unit in _runs(source, lambda word: word in self.source_words or _bare(word) in here):
            before = WORD_BEFORE.search(source, 0, unit.start)
            if before and unit.text[0].isupper():
                new = _after(before[1], _without_genitive(unit.text), rest, there)
                rest = blanked(rest, ((each.start - len(before[1]), each.end) for each, _ in new))
                found += new
        return found

    def _numbers(self, source: str, translation: str) -> list[Replacement]:
        """Return the replacements of garbled numbers in a translation."""
        found = numbers(translation)
        wanted = []
        dates = [(start, end) for start, end, _ in self.formats.dates(source)]
        for unit in numbers(source):
            rest = source[unit.end :]
            forms = expressions(unit, rest, self.formats)
            copies = [each for each in found if _expresses(each, translation, forms)]
            if copies:
                found.remove(copies[0])
            elif not any(start <= unit.start < end for start, end in dates):
                wanted.append(self.formats.inserted(unit.text, rest))
        return [
            (unit, _without_repetition(text, translation[unit.end :]))
            for unit, text in _matched(wanted, found)
        ]


def _without_repetition(text: str, after: str) -> str:
    """Return a value without the sign or the word that the text after it repeats."""
    if NAMED_SIGN.match(after):
        return text.rstrip(" €$£%")
    return text.removesuffix(" Uhr") if UHR.match(after) else text


def _expresses(number: Unit, translation: str, forms: Iterable[str]) -> bool:
    """Return whether a number of a translation, with the words after it, is one of some forms."""
    return any(
        number.text == form
        or (len(form) > len(number.text) and translation.startswith(form, number.start))
        for form in forms
    )


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
        after = text[unit.end :]
        text = text[: unit.start] + without_period(replacement, after) + after
    return text

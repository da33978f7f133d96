"""The words of the phrasebook, read from the ``.tsv`` files next to this module.

The files list only forms that no rule can derive. Each file explains its columns at the top. The
inflection rules are in :mod:`.english` and :mod:`.german`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TypeVar, cast


@dataclass(frozen=True)
class Lexeme:
    """A word of the lexicon: its English and German base forms."""

    en: str
    de: str


LexemeT = TypeVar("LexemeT", bound=Lexeme)


@dataclass(frozen=True)
class Noun(Lexeme):
    """A common noun. A form is empty if the noun lacks the singular or the plural."""

    en_plural: str
    de_plural: str
    gender: str
    declension: str
    classes: tuple[str, ...]
    place: PlacePrepositions | None

    @property
    def countable(self) -> bool:
        """Return whether the noun has both a singular and a plural."""
        return bool(self.en and self.en_plural)


@dataclass(frozen=True)
class PlacePrepositions:
    """The (English, German) prepositions of a place; an empty string stands for none."""

    location: tuple[str, str]
    direction: tuple[str, str]
    bare: bool  # no article in English: "at school"


@dataclass(frozen=True)
class Name(Lexeme):
    """A proper name: a first name, a city or a country.

    ``gender`` is empty unless the name takes an article in German.
    """

    classes: tuple[str, ...]
    gender: str


@dataclass(frozen=True)
class Adjective(Lexeme):
    """An adjective with its German stem and comparatives, which are empty if it has none."""

    stem: str
    de_comparative: str
    en_comparative: str
    classes: tuple[str, ...]


@dataclass(frozen=True)
class Adverbial(Lexeme):
    """A word or fixed phrase that expresses time, manner or place."""

    classes: tuple[str, ...]


@dataclass(frozen=True)
class Number(Lexeme):
    """A cardinal number and the numbers it is composed of."""

    value: int
    parts: tuple[Number, ...] = ()


@dataclass(frozen=True)
class Frame:
    """A complement of a verb: its marking in both languages, and the noun classes it accepts.

    ``marking`` is a German case, a preposition and a case ("auf+acc"), or "loc", "dir" or "act".
    """

    marking: str
    en_preposition: str
    classes: tuple[str, ...]
    optional: bool


@dataclass(frozen=True)
class Verb(Lexeme):
    """A verb; ``de`` is the infinitive without separable prefix and "sich"."""

    en_past: str
    en_done: str
    en_ing: str
    prefix: str
    reflexive: bool
    du_er: tuple[str, ...]
    participle: str
    auxiliary: str
    kind: str
    subject: tuple[str, ...]
    frames: tuple[Frame, ...]
    adverbs: tuple[str, ...]


def _rows(file: str) -> Iterator[dict[str, str]]:
    text = (Path(__file__).parent / f"{file}.tsv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return csv.DictReader(lines, delimiter="\t", restval="", quoting=csv.QUOTE_NONE)


def _listed(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(",")) if cell else ()


def _form(cell: str, regular: str) -> str:
    return "" if cell == "-" else cell or regular


def _english_plural(singular: str) -> str:
    if singular.endswith("y") and singular[-2] not in "aeiou":
        return singular[:-1] + "ies"
    return singular + ("es" if singular.endswith(("s", "sh", "ch", "x")) else "s")


def _noun(row: dict[str, str]) -> Noun:
    return Noun(
        en=_form(row["en"], ""),
        de=_form(row["de"], ""),
        en_plural=_form(row["en_plural"], _english_plural(row["en"])),
        de_plural=_form(row["de_plural"], ""),
        gender=row["gender"],
        declension=row["declension"],
        classes=_listed(row["classes"]),
        place=_place(row["place"]) if row["place"] else None,
    )


def _place(cell: str) -> PlacePrepositions:
    bare = "*" in cell
    pairs = [_preposition_pair(pair) for pair in cell.replace("*", "").split(", ")]
    location, direction = pairs if len(pairs) == 2 else (pairs[0], ("", ""))
    return PlacePrepositions(location, direction, bare)


def _preposition_pair(cell: str) -> tuple[str, str]:
    english, german = cell.split()
    return english, german


def _verb(row: dict[str, str]) -> Verb:
    reflexive = row["de"].startswith("sich ")
    prefix, _, infinitive = row["de"].removeprefix("sich ").rpartition("|")
    return Verb(
        en=row["en"],
        de=infinitive,
        en_past=row["past"],
        en_done=row["done"],
        en_ing=row["ing"],
        prefix=prefix,
        reflexive=reflexive,
        du_er=tuple(row["du_er"].split()),
        participle=row["participle"],
        auxiliary=row["auxiliary"] or "haben",
        kind=row["kind"],
        subject=_listed(row["subject"]),
        frames=tuple(_frame(spec) for spec in row["frame"].split()),
        adverbs=_listed(row["adverbs"]),
    )


def _frame(spec: str) -> Frame:
    left, _, classes = spec.partition("=")
    marking, _, preposition = left.rstrip("?").partition("/")
    return Frame(marking, preposition, _listed(classes), optional=left.endswith("?"))


class Lexicon:
    """All lexemes, listed by part of speech in file order and indexed by German base form."""

    def __init__(self) -> None:
        self.nouns = [_noun(row) for row in _rows("nouns")]
        self.verbs = [_verb(row) for row in _rows("verbs")]
        self.adjectives = [
            Adjective(
                row["en"],
                row["de"],
                row["stem"] or row["de"],
                row["de_comparative"],
                row["en_comparative"],
                _listed(row["classes"]),
            )
            for row in _rows("adjectives")
        ]
        self.names = [
            Name(row["en"], row["de"], (row["kind"],), row["gender"]) for row in _rows("names")
        ]
        self.adverbials = [
            Adverbial(_form(row["en"], ""), row["de"], _listed(row["classes"]))
            for row in _rows("adverbials")
        ]
        self.numbers = [Number(row["en"], row["de"], int(row["value"])) for row in _rows("numbers")]

    def __iter__(self) -> Iterator[Lexeme]:
        yield from self.nouns
        yield from self.verbs
        yield from self.adjectives
        yield from self.names
        yield from self.adverbials
        yield from self.numbers

    @cached_property
    def _index(self) -> dict[tuple[type, str], Lexeme]:
        return {(type(lexeme), lemma(lexeme)): lexeme for lexeme in self}

    def find(self, part: type[LexemeT], german: str) -> LexemeT:
        """Return the lexeme with a part of speech and a German form: ``find(Verb, "aufstehen")``.

        Raises:
            KeyError: If there is no such lexeme.
        """
        return cast(LexemeT, self._index[part, german])

    def number(self, value: int) -> Number:
        """Return the number with a value from 1 to 100, composed if it is not listed.

        Raises:
            KeyError: If the value is not between 1 and 100.
        """
        listed = {number.value: number for number in self.numbers}
        if value in listed or not 1 <= value <= 100:
            return listed[value]
        tens, unit = listed[value - value % 10], listed[value % 10]
        german_unit = unit.de.removesuffix("s") if unit.value == 1 else unit.de
        english, german = f"{tens.en}-{unit.en}", f"{german_unit}und{tens.de}"
        return Number(english, german, value, parts=(unit, tens))


def lemma(lexeme: Lexeme) -> str:
    """Return the German form under which a dictionary lists a lexeme."""
    if isinstance(lexeme, Verb):
        return ("sich " if lexeme.reflexive else "") + lexeme.prefix + lexeme.de
    if isinstance(lexeme, Noun):
        return lexeme.de or lexeme.de_plural
    return lexeme.de


@cache
def lexicon() -> Lexicon:
    """Return the lexicon, which is read once and cached."""
    return Lexicon()

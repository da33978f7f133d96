"""Everyday sentences, generated from the patterns of ``patterns.tsv``.

A pattern is a pair of sentences with slots for nouns and for values such as names and prices. The
notation is explained at the top of the file. :mod:`.slots` and :mod:`.values` fill the slots.

``python -m keras_transformer.phrasebook.patterns --number 50 --seed 1`` prints examples.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

from keras_transformer.phrasebook import slots, values
from keras_transformer.phrasebook.contractions import expanded
from keras_transformer.phrasebook.lexicon import Adjective, LexemeT, Noun, lexicon
from keras_transformer.phrasebook.slots import (
    NounSlot,
    PatternError,
    PronounSlot,
    Slot,
    ValueSlot,
)
from keras_transformer.phrasebook.values import Value

FILE = Path(__file__).parent / "patterns.tsv"
MANY = 400  # A pattern with values can be filled in at least this many ways.

Side = tuple[str | Slot, ...]  # one side of a pattern: literal texts and slots
SlotT = TypeVar("SlotT", NounSlot, PronounSlot, ValueSlot)


@dataclass(frozen=True)
class Pattern:
    """A pair of sentences with slots, and the nouns that fit each key."""

    english: Side
    full: Side  # the English sentence with its contractions expanded
    german: Side
    nouns: dict[str, tuple[Noun, ...]]
    numbers: dict[str, str]
    adjectives: dict[str, str]  # by key: "ADJ", "predicate" or "ADJER"
    values: tuple[str, ...]

    @property
    def weight(self) -> float:
        """Return the sampling weight: the square root of the number of fillings, up to a limit."""
        size = MANY if self.values else 1
        for fitting in self.nouns.values():
            size = min(size * len(fitting), MANY)
        return size**0.5


@dataclass
class PatternFile:
    """The content of a pattern file: noun classes by name, and patterns."""

    classes: dict[str, tuple[Noun, ...]]
    patterns: list[Pattern]


@dataclass
class Filling:
    """The words and values chosen for the slots of a pattern, by key."""

    nouns: dict[str, Noun]
    values: dict[str, Value] = field(default_factory=dict)
    adjectives: dict[str, Adjective] = field(default_factory=dict)


# Reading


@cache
def load() -> PatternFile:
    """Return the content of ``patterns.tsv``, which is read once and cached."""
    return read(FILE.read_text(encoding="utf-8").splitlines(), FILE.name)


def read(lines: Iterable[str], name: str = "patterns") -> PatternFile:
    """Return the classes and patterns of a file.

    Args:
        lines: the lines of the file.
        name: the file name in error messages.

    Raises:
        PatternError: If a line is invalid; the message begins with the file name and line number.
    """
    content = PatternFile(lexicon_classes(), [])
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            try:
                _read_line(line, content)
            except PatternError as error:
                raise PatternError(f"{name}:{number}: {error}: {line!r}") from None
    return content


def lexicon_classes() -> dict[str, tuple[Noun, ...]]:
    """Return the nouns of each class of ``nouns.tsv``."""
    classes: dict[str, list[Noun]] = {}
    for noun in lexicon().nouns:
        for name in noun.classes:
            classes.setdefault(name, []).append(noun)
    return {name: tuple(members) for name, members in classes.items()}


def _read_line(line: str, content: PatternFile) -> None:
    if line.startswith("@"):
        name, members = read_group(line, content.classes)
        content.classes[name] = members
    else:
        content.patterns.append(read_pattern(line, content.classes))


def read_group(line: str, classes: dict[str, tuple[Noun, ...]]) -> tuple[str, tuple[Noun, ...]]:
    """Return the name and nouns of a group, defined as ``@ ware = tool, device, -hammer``."""
    name, equals, listed = line.removeprefix("@").partition("=")
    name, items = name.strip(), [item.strip() for item in listed.split(",")]
    if not equals or not name.isidentifier() or name in classes or name in values.GENERATORS:
        raise PatternError("expected '@ new_name = class, class, -noun'")
    excluded = {item[1:] for item in items if item.startswith("-")}
    members: dict[int, Noun] = {}
    for item in items:
        if not item.startswith("-"):
            members |= {id(noun): noun for noun in _members(item, classes)}
    if unknown := excluded - {noun.en or noun.en_plural for noun in members.values()}:
        raise PatternError(f"excluded nouns not in the group: {', '.join(sorted(unknown))}")
    kept = (noun for noun in members.values() if (noun.en or noun.en_plural) not in excluded)
    return name, tuple(kept)


def _members(name: str, classes: dict[str, tuple[Noun, ...]]) -> tuple[Noun, ...]:
    if name not in classes:
        raise PatternError(f"no class {name!r}")
    return classes[name]


def read_pattern(line: str, classes: dict[str, tuple[Noun, ...]]) -> Pattern:
    """Return the pattern defined by a line.

    Raises:
        PatternError: If the line is invalid, or if no noun fits one of its slots.
    """
    sides = line.split("\t")
    if len(sides) != 2 or not all(side.strip() == side and side for side in sides):
        raise PatternError("expected English, one tab, German")
    english, german = (
        slots.read_text(side, language, classes)
        for side, language in zip(sides, ("en", "de"), strict=True)
    )
    _check_agreement(english, german)
    numbers = {slot.key: slot.number for slot in _slots(english, NounSlot)}
    described = _described(english)
    if unknown := set(described) - set(numbers):
        raise PatternError(f"no noun slot for {', '.join(sorted(unknown))}")
    fitting = {key: _fitting(key, english, described.get(key), classes) for key in numbers}
    copied = dict.fromkeys(slot.key for slot in _slots(english, ValueSlot))
    full = slots.read_text(expanded(sides[0]), "en", classes)
    return Pattern(english, full, german, fitting, numbers, described, tuple(copied))


def _slots(side: Side, kind: type[SlotT]) -> list[SlotT]:
    return [piece for piece in side if isinstance(piece, kind)]


def _keys(side: Side, kind: type[SlotT]) -> set[str]:
    return {slot.key for slot in _slots(side, kind)}


def _check_agreement(english: Side, german: Side) -> None:
    """Check that both sides have the same slots."""
    for difference in (
        _keys(english, NounSlot) ^ _keys(german, NounSlot),
        _keys(english, ValueSlot) ^ _keys(german, ValueSlot),
    ):
        if difference:
            raise PatternError(f"only one side has {', '.join(sorted(difference))}")
    numbers = [{(s.key, s.number) for s in _slots(side, NounSlot)} for side in (english, german)]
    if numbers[0] != numbers[1] or len(numbers[0]) > len({key for key, _ in numbers[0]}):
        raise PatternError("a noun has different numbers in different slots")
    if _described(english) != _described(german):
        raise PatternError("only one side has an adjective")
    known = {key for key, _ in numbers[0]}
    if unknown := _keys(german, PronounSlot) - known:
        raise PatternError(f"no noun slot for {', '.join(sorted(unknown))}")


def _described(side: Side) -> dict[str, str]:
    """Return the use of the adjective for each noun that has one, by key."""
    described = {slot.key: "ADJ" for slot in _slots(side, NounSlot) if slot.adjective}
    for slot in _slots(side, PronounSlot):
        if slot.form in ("ADJ", "ADJER"):
            described.setdefault(slot.key, "predicate" if slot.form == "ADJ" else "ADJER")
    return described


def _fitting(
    key: str, side: Side, use: str | None, classes: dict[str, tuple[Noun, ...]]
) -> tuple[Noun, ...]:
    """Return the nouns of a class that fit all slots with a key."""
    same = [slot for slot in _slots(side, NounSlot) if slot.key == key]
    fitting = [
        noun
        for noun in classes[same[0].noun_class]
        if all(slots.fits(noun, slot) for slot in same) and (not use or _adjectives(noun, use))
    ]
    if len(fitting) < 1 + ("#" in key):
        raise PatternError(f"no noun fits {key!r}")
    return tuple(fitting)


def _adjectives(noun: Noun, use: str) -> tuple[Adjective, ...]:
    if use == "ADJER":
        return slots.compared(noun)
    return slots.describing(noun, predicative=use == "predicate")


# Filling


class Patterns:
    """A generator of random sentence pairs from the patterns.

    Args:
        seed: seed of the random choices.
        with_values: whether to include patterns with copied values.
    """

    def __init__(self, seed: int, with_values: bool = True) -> None:
        self.random = random.Random(seed)
        patterns = load().patterns
        self.patterns = [each for each in patterns if with_values or not each.values]
        self._bounds = list(accumulate(pattern.weight for pattern in self.patterns))
        self._uses: Counter[int] = Counter()

    def pair(self) -> tuple[str, str]:
        """Return an English sentence and its German translation."""
        return self.fill(self.random.choices(self.patterns, cum_weights=self._bounds)[0])

    def fill(self, pattern: Pattern) -> tuple[str, str]:
        """Return a sentence pair with random nouns and values in the slots of a pattern."""
        filling = Filling({})
        for key, candidates in pattern.nouns.items():
            used = filling.nouns.values()
            filling.nouns[key] = self._pick([noun for noun in candidates if noun not in used])
        for key in pattern.values:
            filling.values[key] = self._value(key, filling)
        for key, use in pattern.adjectives.items():
            filling.adjectives[key] = self._pick(_adjectives(filling.nouns[key], use))
        source = pattern.full if self.random.random() < 0.5 else pattern.english
        english = side_text(source, "en", pattern, filling)
        return english, side_text(pattern.german, "de", pattern, filling)

    def _pick(self, candidates: Sequence[LexemeT]) -> LexemeT:
        """Return the least used of a few random candidates."""
        few = self.random.choices(candidates, k=3)
        choice = min(few, key=lambda lexeme: self._uses[id(lexeme)])
        self._uses[id(choice)] += 1
        return choice

    def _value(self, key: str, filling: Filling) -> Value:
        """Return a value that does not occur in the sentence yet."""
        generator = values.GENERATORS[key.partition("#")[0]]
        while (value := generator(self.random)) in filling.values.values():
            pass
        return value


def side_text(side: Side, language: str, pattern: Pattern, filling: Filling) -> str:
    """Return the text of one side of a filled pattern; ``language`` is "en" or "de"."""
    slot_text = _english if language == "en" else _german
    text = "".join(
        piece if isinstance(piece, str) else slot_text(piece, pattern, filling) for piece in side
    )
    text = text.replace(".m..", ".m.")  # no second period after "6 p.m."
    # A name keeps its first letter: "iKora".
    return text if isinstance(side[0], ValueSlot) else text[0].upper() + text[1:]


def _english(slot: Slot, pattern: Pattern, filling: Filling) -> str:
    if isinstance(slot, ValueSlot):
        return _copied(slot, filling)[0]
    if isinstance(slot, NounSlot):
        adjective = filling.adjectives[slot.key] if slot.adjective else None
        return slots.english_noun(slot, filling.nouns[slot.key], adjective)
    word = filling.adjectives[slot.key]
    return word.en_comparative if slot.form == "ADJER" else word.en


def _german(slot: Slot, pattern: Pattern, filling: Filling) -> str:
    if isinstance(slot, ValueSlot):
        return _copied(slot, filling)[1]
    if isinstance(slot, NounSlot):
        adjective = filling.adjectives[slot.key] if slot.adjective else None
        return slots.german_noun(slot, filling.nouns[slot.key], adjective)
    if slot.form in ("ADJ", "ADJER"):
        word = filling.adjectives[slot.key]
        return word.de_comparative if slot.form == "ADJER" else word.de
    return slots.pronoun(slot, filling.nouns[slot.key], pattern.numbers[slot.key])


def _copied(slot: ValueSlot, filling: Filling) -> Value:
    value = filling.values[slot.key]
    return values.genitive(value) if slot.genitive else value


def examples(seed: int) -> Iterator[tuple[str, str]]:
    """Yield random pairs indefinitely."""
    patterns = Patterns(seed)
    while True:
        yield patterns.pair()


def main() -> None:
    """Print examples, one per line, English and German separated by a tab."""
    parser = argparse.ArgumentParser(
        prog="python -m keras_transformer.phrasebook.patterns",
        description="Print random sentence pairs generated from the patterns, one per line, "
        "English and German separated by a tab.",
    )
    parser.add_argument(
        "--number", type=int, default=50, help="number of pairs (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: %(default)s)")
    arguments = parser.parse_args()
    try:
        for _, pair in zip(range(arguments.number), examples(arguments.seed), strict=False):
            print(*pair, sep="\t")
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()

"""Everyday sentences, made of the hand-written patterns of ``patterns.tsv``.

A pattern is a pair of sentences with slots for nouns and for values such as names and prices. The
notation is explained at the top of the file; :mod:`.slots` and :mod:`.values` fill the slots.

``python -m keras_transformer.phrasebook.patterns --number 50 --seed 1`` prints examples.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

from keras_transformer.phrasebook import slots, values
from keras_transformer.phrasebook.contractions import expanded
from keras_transformer.phrasebook.lexicon import Adjective, Lexeme, Noun, lexicon
from keras_transformer.phrasebook.slots import NounSlot, PatternError, PronounSlot, ValueSlot

FILE = Path(__file__).parent / "patterns.tsv"
MANY = 400  # A pattern with values can be filled in at least so many ways.


@dataclass(frozen=True)
class Pattern:
    """A pair of sentences with slots, and the nouns that fit each key."""

    english: tuple
    full: tuple  # the English sentence with its contractions written out
    german: tuple
    nouns: dict[str, tuple[Noun, ...]]
    numbers: dict[str, str]
    adjectives: dict[str, str]  # by key: "ADJ", "predicate" or "ADJER"
    values: tuple[str, ...]

    @property
    def weight(self) -> float:
        """How often it is used: patterns with many fillings more often, but not in proportion."""
        size = MANY if self.values else 1
        for fitting in self.nouns.values():
            size = min(size * len(fitting), MANY)
        return size**0.5


@dataclass
class PatternFile:
    """The content of a pattern file: classes by name, and patterns."""

    classes: dict[str, tuple[Noun, ...]]
    patterns: list[Pattern]


# Reading


@cache
def load() -> PatternFile:
    """Return the patterns of ``patterns.tsv``, read once."""
    return read(FILE.read_text(encoding="utf-8").splitlines(), FILE.name)


def read(lines: Iterable[str], name: str = "patterns") -> PatternFile:
    """Return the classes and patterns of a file.

    Args:
        lines: Its lines.
        name: Its name in messages.

    Raises:
        PatternError: If a line is wrong; the message begins with the name and the line's number.
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
    """Return the name and the nouns of a line such as ``@ ware = tool, device, -hammer``."""
    name, equals, listed = line.removeprefix("@").partition("=")
    name, items = name.strip(), [item.strip() for item in listed.split(",")]
    if not equals or not name.isidentifier() or name in classes or name in values.GENERATORS:
        raise PatternError("a group is '@ new_name = class, class, -noun'")
    excluded = {item[1:] for item in items if item.startswith("-")}
    members = {}
    for item in items:
        if not item.startswith("-"):
            members |= {id(noun): noun for noun in _members(item, classes)}
    if unknown := excluded - {noun.en or noun.en_plural for noun in members.values()}:
        raise PatternError(f"the group does not have {', '.join(sorted(unknown))}")
    kept = (noun for noun in members.values() if (noun.en or noun.en_plural) not in excluded)
    return name, tuple(kept)


def _members(name: str, classes: dict[str, tuple[Noun, ...]]) -> tuple[Noun, ...]:
    if name not in classes:
        raise PatternError(f"there is no class {name!r}")
    return classes[name]


def read_pattern(line: str, classes: dict[str, tuple[Noun, ...]]) -> Pattern:
    """Return the pattern of a line.

    Raises:
        PatternError: If it is wrong, or if no noun fits one of its slots.
    """
    sides = line.split("\t")
    if len(sides) != 2 or not all(side.strip() == side and side for side in sides):
        raise PatternError("a pattern is English, one tab, German")
    english, german = (
        slots.read_text(side, language, classes)
        for side, language in zip(sides, ("en", "de"), strict=True)
    )
    _check_agreement(english, german)
    numbers = {slot.key: slot.number for slot in _slots(english, NounSlot)}
    described = _described(english)
    if unknown := set(described) - set(numbers):
        raise PatternError(f"no slot is there for {', '.join(sorted(unknown))}")
    fitting = {key: _fitting(key, english, described.get(key), classes) for key in numbers}
    copied = dict.fromkeys(slot.key for slot in _slots(english, ValueSlot))
    full = slots.read_text(expanded(sides[0]), "en", classes)
    return Pattern(english, full, german, fitting, numbers, described, tuple(copied))


def _slots(side: Sequence, kind: type) -> list:
    return [piece for piece in side if isinstance(piece, kind)]


def _check_agreement(english: Sequence, german: Sequence) -> None:
    """Checks that both sides have the same slots."""
    for kind in (NounSlot, ValueSlot):
        keys = [{slot.key for slot in _slots(side, kind)} for side in (english, german)]
        if difference := keys[0] ^ keys[1]:
            raise PatternError(f"only one side has {', '.join(sorted(difference))}")
    numbers = [{(s.key, s.number) for s in _slots(side, NounSlot)} for side in (english, german)]
    if numbers[0] != numbers[1] or len(numbers[0]) > len({key for key, _ in numbers[0]}):
        raise PatternError("the number of a noun differs")
    if _described(english) != _described(german):
        raise PatternError("only one side has an adjective")
    known = {key for key, _ in numbers[0]}
    if unknown := {slot.key for slot in _slots(german, PronounSlot)} - known:
        raise PatternError(f"no slot is there for {', '.join(sorted(unknown))}")


def _described(side: Sequence) -> dict[str, str]:
    """The key of each noun with an adjective, and how the adjective is used."""
    described = {slot.key: "ADJ" for slot in _slots(side, NounSlot) if slot.adjective}
    for slot in _slots(side, PronounSlot):
        if slot.form in ("ADJ", "ADJER"):
            described.setdefault(slot.key, "predicate" if slot.form == "ADJ" else "ADJER")
    return described


def _fitting(
    key: str, side: Sequence, use: str | None, classes: dict[str, tuple[Noun, ...]]
) -> tuple[Noun, ...]:
    """The nouns of a class that fit all slots with a key."""
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
    """Make random sentence pairs of the patterns.

    Args:
        seed: of the random choices.
        with_values: whether patterns with copied values are used, too.
    """

    def __init__(self, seed: int, with_values: bool = True):
        self.random = random.Random(seed)
        patterns = load().patterns
        self.patterns = [each for each in patterns if with_values or not each.values]
        self._bounds = list(accumulate(pattern.weight for pattern in self.patterns))
        self._uses: Counter[int] = Counter()

    def pair(self) -> tuple[str, str]:
        """Return an English sentence and its German translation."""
        return self.fill(self.random.choices(self.patterns, cum_weights=self._bounds)[0])

    def fill(self, pattern: Pattern) -> tuple[str, str]:
        """Return a pattern with random nouns and values in its slots."""
        filling: dict[str, object] = {}
        for key, candidates in pattern.nouns.items():
            filling[key] = self._pick([n for n in candidates if n not in filling.values()])
        for key in pattern.values:
            filling[key] = self._value(key, filling)
        words = {
            key: self._pick(_adjectives(filling[key], use))
            for key, use in pattern.adjectives.items()
        }
        source = pattern.full if self.random.random() < 0.5 else pattern.english
        sides = zip((source, pattern.german), ("en", "de"), strict=True)
        return tuple(_text(side, at, pattern, filling, words) for side, at in sides)

    def _pick(self, candidates: Sequence[Lexeme]) -> Lexeme:
        """The least used of a few random candidates."""
        few = self.random.choices(candidates, k=3)
        choice = min(few, key=lambda lexeme: self._uses[id(lexeme)])
        self._uses[id(choice)] += 1
        return choice

    def _value(self, key: str, filling: dict[str, object]) -> tuple[str, str]:
        """A value that the sentence does not have yet."""
        generator = values.GENERATORS[key.partition("#")[0]]
        while (value := generator(self.random)) in filling.values():
            pass
        return value


def _text(side: Sequence, language: str, pattern: Pattern, filling: dict, words: dict) -> str:
    wording = _english if language == "en" else _german
    text = "".join(
        piece if isinstance(piece, str) else wording(piece, pattern, filling, words)
        for piece in side
    )
    text = text.replace(".m..", ".m.")  # one full stop is enough after "6 p.m."
    # A name keeps its first letter: "iKora".
    return text if isinstance(side[0], ValueSlot) else text[0].upper() + text[1:]


def _english(slot: slots.Slot, pattern: Pattern, filling: dict, words: dict) -> str:
    if isinstance(slot, ValueSlot):
        return _copied(slot, filling)[0]
    adjective = words.get(slot.key)
    if isinstance(slot, NounSlot):
        return slots.english_noun(slot, filling[slot.key], adjective if slot.adjective else None)
    return adjective.en_comparative if slot.form == "ADJER" else adjective.en


def _german(slot: slots.Slot, pattern: Pattern, filling: dict, words: dict) -> str:
    if isinstance(slot, ValueSlot):
        return _copied(slot, filling)[1]
    adjective = words.get(slot.key)
    if isinstance(slot, NounSlot):
        return slots.german_noun(slot, filling[slot.key], adjective if slot.adjective else None)
    if slot.form in ("ADJ", "ADJER"):
        return adjective.de_comparative if slot.form == "ADJER" else adjective.de
    return slots.pronoun(slot, filling[slot.key], pattern.numbers[slot.key])


def _copied(slot: ValueSlot, filling: dict) -> tuple[str, str]:
    value = filling[slot.key]
    return values.genitive(value) if slot.genitive else value


def examples(seed: int) -> Iterator[tuple[str, str]]:
    """Yield pairs without end."""
    patterns = Patterns(seed)
    while True:
        yield patterns.pair()


def main() -> None:
    """Prints examples, one a line, English and German separated by a tab."""
    parser = argparse.ArgumentParser(
        prog="python -m keras_transformer.phrasebook.patterns",
        description="Print random sentence pairs made of the patterns, English and German "
        "separated by a tab.",
    )
    parser.add_argument("--number", type=int, default=50, help="pairs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed (default: %(default)s)")
    arguments = parser.parse_args()
    try:
        for _, pair in zip(range(arguments.number), examples(arguments.seed), strict=False):
            print(*pair, sep="\t")
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, as "head" does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()

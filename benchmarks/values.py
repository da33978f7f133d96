"""Measure how many numbers, dates, times, prices, e-mail addresses and URLs a run copies.

    python benchmarks/values.py --checkpoint checkpoints/phrasebook-en-de

The script translates 1,000 English lines like `translate.py`. Each is a template with one to three
random values. A value is kept if the translation contains it as often as the line: unchanged, or in
the German form that docs/corrections.md describes. A translation may write integers below 13 in
words. A line is right if its translation keeps every value and contains no other number.
"""

import argparse
import random
import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.threads import one_thread_per_operation
    from keras_transformer.translation.line_translator import LineTranslator

TEMPLATES = """
A man is holding a sign with the {integer|decimal|price} written on it.
A woman in a red shirt is reading {email|url} on a screen.
Two people are standing in front of a poster that says {email|url|date}.
A boy wearing a jersey with the number {integer} is running.
The photo of the dog was taken on {date}.
On {date}, {integer} people were standing in the street.
A girl sells apples for {price} at the market.
The bike costs {price} and the helmet costs {price}.
Write to {email} for more information.
Please send the photos to {email} before {date}.
You can find the pictures at {url}.
Visit {url} or write to {email}.
{url} is the website of the team.
The team won {integer} games and lost {integer}.
The runner finished in {decimal} seconds.
There are {integer} people in the room.
Is {email} your address?
We paid {price} for {integer} tickets on {date}.
The mountain is {integer} meters high.
The old man, who was born on {date}, has {integer} books.
Call me when you have {price}!
The number is {integer}, not {integer}.
It is {measure} today and was {measure} yesterday.
The box on the table is {measure} heavier than the other one.
Everything in the shop is {measure} cheaper.
The game begins at {time} in the park.
""".strip().splitlines()
SLOT = re.compile(r"\{([a-z|]+)\}")
MONTHS = {
    "January": "Januar", "February": "Februar", "March": "März", "April": "April", "May": "Mai",
    "June": "Juni", "July": "Juli", "August": "August", "September": "September",
    "October": "Oktober", "November": "November", "December": "Dezember",
}  # fmt: skip
IN_WORDS = "null ein|eins|eine|einen|einem|einer|eines zwei drei vier fünf sechs sieben acht neun "
IN_WORDS = (IN_WORDS + "zehn elf zwölf").split()
TO_GERMAN = str.maketrans(".,", ",.")


class Value(NamedTuple):
    """A value as English writes it, and the ways in which a German translation may."""

    text: str
    accepted: tuple[str, ...]


def integer(chance: random.Random) -> Value:
    number = chance.choice([chance.randint(2, 99), chance.randint(100, 9_999), 12_450])
    if number < len(IN_WORDS):
        return Value(str(number), (str(number), IN_WORDS[number]))
    text = f"{number:,}" if number >= 10_000 or chance.random() < 0.3 else str(number)
    return Value(text, (text.translate(TO_GERMAN),))


def decimal(chance: random.Random) -> Value:
    text = f"{chance.uniform(1, 300):.{chance.randint(1, 2)}f}"
    return Value(text, (text.translate(TO_GERMAN),))


def price(chance: random.Random) -> Value:
    amount = chance.choice([f"{chance.uniform(1, 90):.2f}", f"{chance.randint(2, 4_000):,}"])
    sign, german = chance.choice("€$£"), amount.translate(TO_GERMAN)
    names = {"€": "Euro", "$": "Dollar", "£": "Pfund"}
    return Value(f"{sign}{amount}", (f"{german} {sign}", f"{german} {names[sign]}"))


def measure(chance: random.Random) -> Value:
    """A negative number, a percentage or a number with a unit."""
    amount = chance.choice([str(chance.randint(13, 99)), f"{chance.uniform(1, 90):.1f}"])
    german = amount.translate(TO_GERMAN)
    if chance.random() < 1 / 3:
        return Value(f"-{amount}", (f"-{german}", f"minus {german}"))
    unit, *names = chance.choice([("%", "Prozent"), ("kg", "Kilo", "Kilogramm"), ("m", "Meter")])
    space = chance.choice(["", " "])
    return Value(f"{amount}{space}{unit}", tuple(f"{german} {name}" for name in (unit, *names)))


def time(chance: random.Random) -> Value:
    hour, minute = chance.randint(1, 12), f"{chance.randint(0, 59):02}"
    half = chance.choice(["", " a.m.", " p.m."])
    german = hour if not half else hour % 12 + 12 * (half == " p.m.")
    return Value(f"{hour}:{minute}{half}", (f"{german}.{minute} Uhr", f"{german}.{minute}"))


def date(chance: random.Random) -> Value:
    day, month, year = chance.randint(1, 28), chance.randint(1, 12), chance.randint(1950, 2030)
    name = list(MONTHS)[month - 1]
    numeric = chance.choice(
        [
            f"{year}-{month:02}-{day:02}",
            f"{month:02}/{day:02}/{year}",
            f"{day:02}.{month:02}.{year}",
        ]
    )
    named = [f"{name} {day}, {year}", f"{day} {name} {year}", f"{name} {day}"]
    text = chance.choice([numeric, *named])
    german = f"{day}. {MONTHS[name]}" + (f" {year}" if str(year) in text else "")
    accepted = (german,) if text in named else (text,)
    return Value(text, (*accepted, f"{day}.{month}.{year}") if "/" in text else accepted)


def word(chance: random.Random) -> str:
    return "".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 9)))


def host(chance: random.Random) -> str:
    return f"{word(chance)}.{chance.choice(['com', 'org', 'de', 'example', 'co.uk'])}"


def email(chance: random.Random) -> Value:
    name = chance.choice([word(chance), f"{word(chance)}.{word(chance)}", f"{word(chance)}_7"])
    text = f"{name}@{host(chance)}"
    return Value(text, (text,))


def url(chance: random.Random) -> Value:
    path = chance.choice(["", f"/{word(chance)}", f"/{word(chance)}/{word(chance)}.html?id=42&b=x"])
    text = f"{chance.choice(['https://', 'http://', 'www.'])}{host(chance)}{path}"
    return Value(text, (text,))


KINDS: dict[str, Callable[[random.Random], Value]] = {
    "integer": integer, "decimal": decimal, "price": price, "date": date, "email": email,
    "url": url, "measure": measure, "time": time,
}  # fmt: skip


class Line(NamedTuple):
    """A line and its values, each with its kind."""

    text: str
    values: list[tuple[str, Value]]


def make_line(chance: random.Random) -> Line:
    """Return a random template with random values."""
    values: list[tuple[str, Value]] = []

    def filled(slot: re.Match[str]) -> str:
        kind = chance.choice(slot[1].split("|"))
        values.append((kind, KINDS[kind](chance)))
        return values[-1][1].text

    return Line(SLOT.sub(filled, chance.choice(TEMPLATES)), values)


def pattern(value: Value) -> re.Pattern[str]:
    """Return a pattern of the accepted forms of a value, not within another value."""
    forms = "|".join(re.escape(form).replace(r"\|", "|") for form in value.accepted)
    return re.compile(rf"(?<![\w@])(?<!\d[.,])(?:{forms})(?![\w@]|[.,]\d)", re.IGNORECASE)


class Result(NamedTuple):
    """Which values of a line a translation keeps, and whether it contains other numbers."""

    kept: list[bool]
    has_others: bool

    @property
    def is_right(self) -> bool:
        return all(self.kept) and not self.has_others


def result(line: Line, translation: str) -> Result:
    """Return the `Result` of a translation: each value must occur as often as in the line."""
    wanted = Counter(value for _, value in line.values)
    counts = {}
    for value in sorted(wanted, key=lambda each: -len(each.text)):  # a date may contain a number
        translation, counts[value] = pattern(value).subn("|", translation)
    kept = [counts[value] == wanted[value] for _, value in line.values]
    return Result(kept, any(map(str.isdigit, translation)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de")
    parser.add_argument("--lines", type=int, default=1_000, help="number of lines (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong", action="store_true", help="print the wrong translations")
    arguments = parser.parse_args()
    one_thread_per_operation()
    chance = random.Random(arguments.seed)
    lines = [make_line(chance) for _ in range(arguments.lines)]
    translator = LineTranslator.load(arguments.checkpoint)
    found = [
        line.translations()[0].text for line in translator.translate([line.text for line in lines])
    ]
    report(lines, found)
    for line, text in zip(lines, found, strict=True):
        if arguments.wrong and not result(line, text).is_right:
            print(f"{line.text} | {text}")


def report(lines: Sequence[Line], found: Sequence[str]) -> None:
    """Print the share of the values of each kind that are kept, and that of the lines."""
    results = [result(line, text) for line, text in zip(lines, found, strict=True)]
    for kind in KINDS:
        print_share(
            kind,
            [
                is_kept
                for line, each in zip(lines, results, strict=True)
                for (other, _), is_kept in zip(line.values, each.kept, strict=True)
                if other == kind
            ],
        )
    print_share("lines that keep every value", [all(each.kept) for each in results])
    print_share("lines without other numbers", [not each.has_others for each in results])
    print_share("right lines", [each.is_right for each in results])


def print_share(name: str, right: Sequence[bool]) -> None:
    print(f"{name:27} {len(right):5} {sum(right) / len(right):.1%}")


if __name__ == "__main__":
    main()

"""Values that are copied from a sentence to its translation: names, numbers, prices, times, codes.

No corpus can contain all of them, so they are generated at random, most names from invented
syllables. A model that has seen thousands of them learns to copy words it does not know. Each
generator takes a ``random.Random`` and returns the English and the German form.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from keras_transformer.phrasebook.lexicon import lexicon

Value = tuple[str, str]

# The syllables of invented names: onsets, vowels, codas, and the endings of male first names,
# female first names and surnames. Repeated entries are chosen more often.
STYLES = {
    "english": (
        "b br c ch d f g gr h j k l m n p r s sh st t th tr w wh",
        "a e i o u ea ee ai oo",
        "- - n r l rd ck nd ll m s t x",
        "on er in ton ley den win",
        "a ie lyn elle ina y",
        "son ton ley worth field wood er man well ford",
    ),
    "german": (
        "b br d f g gr h k kl l m n p r s sch st t tr w z",
        "a e i o u ei au ä ö ü ie",
        "- - n r l rt ch nd ll m s tz ck",
        "o mar fried hard bert win",
        "a e hild gard lind ike",
        "mann er berg bach stein feld meier hof mayer ner hausen",
    ),
    "slavic": (
        "b br d dr g k kr l m mir n p r s st sl t v vl z zd",
        "a e i o u a o",
        "- - - n r l k v sh j",
        "ko an mir slav ek il",
        "a ka ena ina ja ika",
        "ić ova ski ska ek enko ov ak ová ý",
    ),
    "romance": (
        "b c d f g gi l m n p r s t v qu tr fl",
        "a e i o u ia io",
        "- - - n r l s z",
        "o io el ino ard é",
        "a ia ella ine ita ée",
        "ez ini etti ard eau aldi es oni ão ard",
    ),
    "asian": (
        "k t s sh n h m y r w j z ch x l ng d ph",
        "a i u e o ao ai uo",
        "- - - - n ng",
        "o ro ki to shi hiro",
        "ko mi na ka yo ri",
        "moto yama saki ta mura ng nh wa da to",
    ),
    "african": (
        "ch d f k l m mb n nd ng nk o s t w y z",
        "a e i o u a a",
        "- - - -",
        "u e di we ba",
        "a ya ndi ka isha",
        "we ba dju ka ele nga wu",
    ),
}
LISTED = {
    name: tuple(tuple(part.replace("-", "").split(" ")) for part in parts)
    for name, parts in STYLES.items()
}
MEN = """
    Alexander Andreas Anton Ben Carlos Christian Felix Frank Fritz George Hans Harry Henry Jack
    James Jens John Jonas Jürgen Karl Klaus Leon Liam Lucas Luis Mark Markus Max Mehmet Moritz
    Noah Oliver Oskar Pierre Ralf Sam Thomas Tim Tobias Tom Uwe Wolfgang Yusuf William
"""
WOMEN = """
    Alice Amelia Birgit Carmen Charlotte Chloe Eva Fatima Franziska Grace Hannah Heike Helga Ines
    Ingrid Iris Johanna Kate Katrin Lea Leonie Linda Lisa Lucy Mary Mia Monika Olivia Petra
    Rachel Sabine Sandra Susanne Ursula Yuki Zoe
"""
SURNAMES = """
    Adams Anderson Bauer Becker Brown Clark Davies Evans Fischer Fuchs Garcia Hoffmann Jackson
    Johnson Jones Keller Klein König Krause Lehmann Lewis Martinez Maier Meyer Miller Möller
    Müller Neumann Nguyen Novak Peters Richter Robinson Rossi Schäfer Schmidt Schneider Schröder
    Schulz Schwarz Smith Taylor Thompson Wagner Walker Weber Weiß White Wilson Wolf Wright Yilmaz
"""
MEN_TWICE = ("Hans-Peter", "Jean-Luc", "Karl-Heinz")
WOMEN_TWICE = ("Anna-Lena", "Marie-Luise", "Mary-Ann")
# Words that are not allowed as invented names.
WORDS = "Die Do Du He Me Sie So To We Wie Wo Ya Nie Hi Da Die Das Dies Man Was Who Why She The Zu"
MONTHS = (
    ("January", "Januar"),
    ("February", "Februar"),
    ("March", "März"),
    ("April", "April"),
    ("May", "Mai"),
    ("June", "Juni"),
    ("July", "Juli"),
    ("August", "August"),
    ("September", "September"),
    ("October", "Oktober"),
    ("November", "November"),
    ("December", "Dezember"),
)
WEEKDAYS = (
    ("Monday", "Montag"),
    ("Tuesday", "Dienstag"),
    ("Wednesday", "Mittwoch"),
    ("Thursday", "Donnerstag"),
    ("Friday", "Freitag"),
    ("Saturday", "Samstag"),
    ("Sunday", "Sonntag"),
)
# English, German, whether the German names the next hour
SPOKEN = (
    ("a quarter past", "Viertel nach", False),
    ("a quarter to", "Viertel vor", False),
    ("half past", "halb", True),
    ("five past", "fünf nach", False),
    ("five to", "fünf vor", False),
    ("ten past", "zehn nach", False),
    ("ten to", "zehn vor", False),
    ("twenty past", "zwanzig nach", False),
    ("twenty to", "zwanzig vor", False),
)
CUT_NAMES = 0.35  # fraction of the invented names that are made of pieces of words
UNITS = ("km", "m", "cm", "mm", "kg", "g", "l", "ml", "GB", "MB")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"


# Names


@cache
def _listed(names: str) -> tuple[str, ...]:
    return tuple(names.split())


def _syllable(rand: random.Random, style: tuple[tuple[str, ...], ...]) -> str:
    return rand.choice(style[0]) + rand.choice(style[1]) + rand.choice(style[2])


@cache
def _stems() -> tuple[str, ...]:
    """Return the words of the lexicon from which pieces of names are cut."""
    words = {word.lower() for noun in lexicon().nouns for word in (noun.en, noun.de)}
    return tuple(sorted(word for word in words if word.isalpha() and len(word) > 4))


def _cut(rand: random.Random) -> str:
    """Return a name made of pieces of two words, since real names often look like that."""
    first, second = rand.choice(_stems()), rand.choice(_stems())
    return (first[: rand.randint(2, 5)] + second[-rand.randint(2, 4) :]).capitalize()


def invented(rand: random.Random, ending: int, most: int = 2) -> str:
    """Return an invented name: up to ``most`` syllables and an ending (index ``ending``)."""
    if rand.random() < CUT_NAMES:
        return _cut(rand)
    style = LISTED[rand.choice(tuple(LISTED))]
    stem = "".join(_syllable(rand, style) for _ in range(rand.randint(1, most)))
    name = (stem + rand.choice(style[ending])).capitalize()
    return invented(rand, ending, most) if name in _listed(WORDS) else name


def _given(rand: random.Random, known: tuple[str, ...], twice: tuple[str, ...], ending: int) -> str:
    kind = rand.random()
    if kind < 0.3:
        return rand.choice(known)
    if kind < 0.33:
        return rand.choice(twice)
    return invented(rand, ending, 1 if kind < 0.75 else 2)


def _surname(rand: random.Random) -> str:
    kind = rand.random()
    if kind < 0.25:
        return rand.choice(_listed(SURNAMES))
    name = invented(rand, 5)
    if kind < 0.3:
        return f"{rand.choice(_listed(SURNAMES))}-{name}"
    if kind < 0.38:
        return rand.choice(("O'", "Mc", "D'", "von ", "van ", "de ", "Di ")) + name
    return name


def _full(rand: random.Random, given: str) -> str:
    kind = rand.random()
    if kind < 0.08:
        given = f"{given} {rand.choice(LETTERS)}."
    elif kind < 0.13:
        given = f"{rand.choice(LETTERS)}. {rand.choice(LETTERS)}."
    elif kind < 0.18:
        given = f"{given} {invented(rand, rand.choice((3, 4)), 1)}"
    return f"{given} {_surname(rand)}"


def man(rand: random.Random) -> Value:
    """Return the first name of a man."""
    name = _given(rand, _listed(MEN), MEN_TWICE, 3)
    return name, name


def woman(rand: random.Random) -> Value:
    """Return the first name of a woman."""
    name = _given(rand, _listed(WOMEN), WOMEN_TWICE, 4)
    return name, name


def first(rand: random.Random) -> Value:
    """Return a first name."""
    return rand.choice((man, woman))(rand)


def last(rand: random.Random) -> Value:
    """Return a surname."""
    name = _surname(rand)
    return name, name


def fullman(rand: random.Random) -> Value:
    """Return the first name and the surname of a man."""
    name = _full(rand, man(rand)[0])
    return name, name


def fullwoman(rand: random.Random) -> Value:
    """Return the first name and the surname of a woman."""
    name = _full(rand, woman(rand)[0])
    return name, name


def full(rand: random.Random) -> Value:
    """Return a first name and a surname."""
    return rand.choice((fullman, fullwoman))(rand)


def town(rand: random.Random) -> Value:
    """Return the name of a town; some real towns have a different German name."""
    kind = rand.random()
    if kind < 0.25:
        city = rand.choice([name for name in lexicon().names if name.classes[0] == "city"])
        return city.en, city.de
    ending = rand.choice(
        ("burg", "dorf", "stadt", "ton", "ville", "grad", "polis", "heim", "bridge", "ow", "ia")
    )
    prefix = rand.choice(("Bad ", "St. ", "San ", "New ")) if kind > 0.93 else ""
    name = prefix + (invented(rand, 5) if kind < 0.5 else _stem(rand) + ending)
    return name, name


def _stem(rand: random.Random) -> str:
    style = LISTED[rand.choice(tuple(LISTED))]
    return "".join(_syllable(rand, style) for _ in range(rand.randint(1, 2))).capitalize()


def country(rand: random.Random) -> Value:
    """Return the name of a country that takes no article in German."""
    kinds = ("country", "overseas")
    fitting = [item for item in lexicon().names if item.classes[0] in kinds and not item.gender]
    name = rand.choice(fitting)
    return name.en, name.de


def brand(rand: random.Random) -> Value:
    """Return the name of a company or product, sometimes in capitals or camel case."""
    name, kind = _stem(rand), rand.random()
    if kind < 0.2:
        name = name.upper() if len(name) < 8 else name[:4].upper()
    elif kind < 0.4:
        name += _stem(rand)
    elif kind < 0.5:
        name = rand.choice("ei") + name
    elif kind < 0.6:
        name += rand.choice(("tec", "soft", "net", "pay", "chat", "box", "ly"))
    elif kind < 0.7:
        name = "".join(rand.choices(LETTERS, k=rand.randint(2, 4)))
    elif kind < 0.75:
        name = f"{name} & {_stem(rand)}"
    return name, name


def product(rand: random.Random) -> Value:
    """Return a brand with a model number."""
    name = f"{brand(rand)[0]} {rand.choice((code, small, small))(rand)[0]}"
    return name, name


def street(rand: random.Random) -> Value:
    """Return a street and house number, which are the same in both languages."""
    ending = rand.choice(("straße", "weg", "allee", "gasse", "platz"))
    house = f"{rand.randint(1, 199)}{rand.choice(('', '', '', 'a', 'b'))}"
    name = f"{_stem(rand)}{ending} {house}"
    return name, name


# Numbers


def grouped(number: str) -> Value:
    """Return the digits of an integer in groups of three: ``1,234`` and ``1.234``."""
    start = len(number) % 3
    groups = [number[:start]] if start else []
    groups += [number[at : at + 3] for at in range(start, len(number), 3)]
    return ",".join(groups), ".".join(groups)


def _digits(rand: random.Random, count: int) -> str:
    return rand.choice(DIGITS[1:]) + "".join(rand.choices(DIGITS, k=count - 1))


def number(rand: random.Random) -> Value:
    """Return an integer other than 1 with 1 to 12 digits; longer ones are usually grouped."""
    count = min(rand.randint(1, 12), rand.randint(1, 12))
    digits = _digits(rand, count)
    if digits == "1":
        digits = "2"
    if count > 3 and rand.random() < (0.5 if count == 4 else 0.85):
        return grouped(digits)
    return digits, digits


def small(rand: random.Random) -> Value:
    """Return a number from 2 to 99 in digits."""
    value = str(rand.randint(2, 99))
    return value, value


def count(rand: random.Random) -> Value:
    """Return a number from two to twelve, usually as a word."""
    value = lexicon().numbers[rand.randint(1, 11)]
    if rand.random() < 0.3:
        return str(value.value), str(value.value)
    return value.en, value.de


def ordinal(rand: random.Random) -> Value:
    """Return an ordinal number from 2 to 31 in digits: ``3rd`` and ``3.``."""
    value = rand.randint(2, 31)
    endings = {} if value in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}
    return f"{value}{endings.get(value % 10, 'th')}", f"{value}."


def decimal(rand: random.Random) -> Value:
    """Return a decimal fraction: ``3.5`` and ``3,5``."""
    places = rand.choice((1, 1, 2, 2, 3))
    whole, fraction = str(rand.randint(0, 200)), "".join(rand.choices(DIGITS, k=places))
    return f"{whole}.{fraction}", f"{whole},{fraction}"


def percent(rand: random.Random) -> Value:
    """Return a percentage: ``5%`` and ``5 %``."""
    english, german = decimal(rand) if rand.random() < 0.3 else small(rand)
    return f"{english}%", f"{german} %"


def measure(rand: random.Random) -> Value:
    """Return a number with a unit."""
    english, german = decimal(rand) if rand.random() < 0.5 else small(rand)
    unit = rand.choice(UNITS)
    return f"{english} {unit}", f"{german} {unit}"


def distance(rand: random.Random) -> Value:
    """Return a distance: ``3.5 kilometres``, ``3.5 km``."""
    english, german = decimal(rand) if rand.random() < 0.5 else small(rand)
    if rand.random() < 0.5:
        return f"{english} km", f"{german} km"
    return f"{english} kilometres", f"{german} Kilometer"


def weight(rand: random.Random) -> Value:
    """Return a weight in kilograms or grams."""
    if rand.random() < 0.3:
        value = str(rand.randint(1, 19) * 50)
        return f"{value} g", f"{value} g"
    english, german = decimal(rand) if rand.random() < 0.5 else small(rand)
    word = ("kg", "kg") if rand.random() < 0.5 else ("kilos", "Kilo")
    return f"{english} {word[0]}", f"{german} {word[1]}"


def degrees(rand: random.Random) -> Value:
    """Return a temperature: ``23 °C``, ``-3 degrees``."""
    value = str(rand.choice((-1, 1, 1, 1)) * rand.randint(2, 40))
    if rand.random() < 0.5:
        return f"{value} °C", f"{value} °C"
    return f"{value} degrees", f"{value} Grad"


def amount(cents: int, form: str) -> Value:
    """Return a sum of money.

    Args:
        cents: the sum; whole euros are written without decimals.
        form: "€", "$", "£" or "euros".
    """
    english, german = grouped(str(cents // 100))
    if cents % 100:
        english, german = f"{english}.{cents % 100:02}", f"{german},{cents % 100:02}"
    if form == "euros":
        return f"{english} euros", f"{german} Euro"
    return form + english, f"{german} {form}"


def price(rand: random.Random) -> Value:
    """Return a sum of money: ``€3.50`` and ``3,50 €``, ``$20`` and ``20 $``."""
    cents = rand.randint(2, 10 ** rand.randint(1, 5)) * 100
    if rand.random() < 0.5:
        cents = rand.randint(201, 99_999)
    return amount(cents, rand.choice(("€", "€", "€", "euros", "euros", "$", "£")))


# Times and dates


def clock(hour: int, minute: int, form: str) -> Value:
    """Return a time of day: ``6:45 p.m.`` and ``18.45 Uhr``, ``6 o'clock`` and ``6 Uhr``.

    Args:
        hour: from 0 to 23, or from 1 to 12 for "o'clock".
        minute: from 0 to 59; ignored for "o'clock".
        form: "a.m." for the 12-hour clock with a.m. and p.m., "24" for the 24-hour clock, or
            "o'clock".
    """
    if form == "o'clock":
        return f"{hour} o'clock", f"{hour} Uhr"
    german = f"{hour}.{minute:02} Uhr"
    if form == "24":
        return f"{hour}:{minute:02}", german
    half = "a.m." if hour < 12 else "p.m."
    return f"{hour % 12 or 12}:{minute:02} {half}", german if minute else f"{hour} Uhr"


def time(rand: random.Random) -> Value:
    """Return a time of day."""
    form = rand.choice(("o'clock", "24", "24", "a.m.", "a.m."))
    minute = rand.choice((0, 15, 30, 45, rand.randrange(60)))
    if form == "o'clock":
        return clock(rand.randint(1, 12), 0, form)
    hour = rand.randrange(24) if rand.random() < 0.15 else rand.randint(6, 22)
    return clock(hour, minute or (5 if form == "24" else 0), form)


def spoken(rand: random.Random) -> Value:
    """Return a time as people say it: ``a quarter to 8`` and ``Viertel vor 8``."""
    english, german, is_half = rand.choice(SPOKEN)
    hour = rand.randint(1, 12)
    german_hour = hour % 12 + 1 if is_half else hour  # half past two is halb drei
    if rand.random() < 0.5:
        return f"{english} {hour}", f"{german} {german_hour}"
    numbers = lexicon().numbers
    return f"{english} {numbers[hour - 1].en}", f"{german} {numbers[german_hour - 1].de}"


def calendar_date(day: int, month: int, year: int | None, form: str) -> Value:
    """Return a date: ``May 3, 2024``, ``3 May 2024`` or ``2024-05-03``, and ``3. Mai 2024``.

    Args:
        day: from 1 to 31.
        month: from 1 to 12.
        year: None for a date without a year; "iso" requires one.
        form: "us", "uk" or "iso".
    """
    english, german = MONTHS[month - 1]
    if form == "iso":
        return (f"{year}-{month:02}-{day:02}",) * 2
    last = f" {year}" if year else ""
    german = f"{day}. {german}{last}"
    if form == "uk":
        return f"{day} {english}{last}", german
    return f"{english} {day}{',' if year else ''}{last}", german


def date(rand: random.Random) -> Value:
    """Return a date."""
    form = rand.choice(("us", "us", "uk", "uk", "iso"))
    with_year = form == "iso" or rand.random() < 0.5
    year_ = int(year(rand)[0]) if with_year else None
    return calendar_date(rand.randint(1, 28), rand.randint(1, 12), year_, form)


def yearday(rand: random.Random) -> Value:
    """Return a date without a year, such as a birthday."""
    form = rand.choice(("us", "uk"))
    return calendar_date(rand.randint(1, 28), rand.randint(1, 12), None, form)


def year(rand: random.Random) -> Value:
    """Return a recent year, from 1950 to 2025."""
    value = str(rand.randint(1950, 2025))
    return value, value


def longago(rand: random.Random) -> Value:
    """Return a year from 1100 to 1949."""
    value = str(rand.randint(1100, 1949))
    return value, value


def month(rand: random.Random) -> Value:
    """Return a month."""
    return rand.choice(MONTHS)


def weekday(rand: random.Random) -> Value:
    """Return a day of the week."""
    return rand.choice(WEEKDAYS)


# Codes and addresses


def code(rand: random.Random) -> Value:
    """Return a code of letters and digits: ``AB-123``, ``X7``, ``4711-AZ``."""
    letters = "".join(rand.choices(LETTERS, k=rand.randint(1, 3)))
    digits = _digits(rand, rand.randint(1, 5))
    form = rand.choice(("{0}-{1}", "{0}{1}", "{1}-{0}", "{0}{1}{0}", "{0}/{1}", "{1}{0}"))
    text = form.format(letters, digits)
    return text, text


def flight(rand: random.Random) -> Value:
    """Return a flight or train number: ``LH 400``."""
    text = f"{''.join(rand.choices(LETTERS, k=2))} {_digits(rand, rand.randint(2, 4))}"
    return text, text


def plate(rand: random.Random) -> Value:
    """Return a licence plate: ``B-XY 123``."""
    place = "".join(rand.choices(LETTERS, k=rand.randint(1, 3)))
    text = f"{place}-{''.join(rand.choices(LETTERS, k=2))} {_digits(rand, rand.randint(1, 4))}"
    return text, text


def room(rand: random.Random) -> Value:
    """Return a room, platform or house number: ``204``, ``B12``."""
    text = rand.choice(("", "", "", *"ABCDE")) + _digits(rand, rand.randint(1, 3))
    return text, text


def phone(rand: random.Random) -> Value:
    """Return a telephone number."""
    start = rand.choice(("+49 ", "+44 ", "0", "0", ""))
    groups = [_digits(rand, rand.randint(2, 5)) for _ in range(rand.randint(1, 2))]
    text = start + rand.choice((" ", "-", "/")).join([*groups, _digits(rand, 4)])
    return text, text


def _plain(text: str) -> str:
    return "".join(char for char in text.lower() if char.isascii() and char.isalnum()) or "info"


def web(rand: random.Random) -> Value:
    """Return a web address."""
    host = f"{_plain(_stem(rand))}.{rand.choice(('com', 'de', 'org', 'net', 'co.uk', 'at'))}"
    path = rand.choice(("", "", "/" + _plain(_stem(rand))))
    text = rand.choice(("www.", "", "https://")) + host + path
    return text, text


def email(rand: random.Random) -> Value:
    """Return an e-mail address."""
    given, family = _plain(first(rand)[0]), _plain(_surname(rand))
    user = rand.choice((f"{given}.{family}", given, f"{given[0]}{family}", f"{family}_{given}"))
    tail = rand.choice(("", "", str(rand.randint(1, 99))))
    domain = f"{_plain(_stem(rand))}.{rand.choice(('com', 'de', 'org', 'net', 'io'))}"
    return (f"{user}{tail}@{domain}",) * 2


def file(rand: random.Random) -> Value:
    """Return a file name: ``report_2.pdf``."""
    tail = rand.choice(("", "_2", "-final", f"_{rand.randint(1, 999)}"))
    ending = rand.choice(("pdf", "txt", "docx", "jpg", "png", "csv", "py", "mp3"))
    text = f"{_plain(_stem(rand))}{tail}.{ending}"
    return text, text


def version(rand: random.Random) -> Value:
    """Return a software version: ``2.4.1``."""
    text = ".".join(str(rand.randint(0, 20)) for _ in range(rand.choice((2, 3))))
    return text, text


def score(rand: random.Random) -> Value:
    """Return the score of a match that was won: ``3-1`` and ``3:1``."""
    theirs = rand.randint(0, 5)
    ours = theirs + rand.randint(1, 5)
    return f"{ours}-{theirs}", f"{ours}:{theirs}"


GENERATORS: dict[str, Callable[[random.Random], Value]] = {
    function.__name__: function
    for function in (
        *(first, man, woman, last, full, fullman, fullwoman, town, country, brand, product),
        *(
            street,
            number,
            small,
            count,
            ordinal,
            decimal,
            percent,
            measure,
            distance,
            weight,
            degrees,
        ),
        *(
            price,
            time,
            spoken,
            date,
            yearday,
            year,
            longago,
            month,
            weekday,
            code,
            flight,
            plate,
            room,
        ),
        *(phone, web, email, file, version, score),
    )
}
# Values that may occur on their own, as in a heading or a list; repeated ones are more frequent.
ALONE = (
    *("full", "full", "full", "last", "first", "town", "brand", "product", "street"),
    *("number", "number", "number", "decimal", "price", "price", "time", "date", "date"),
    *("code", "code", "flight", "plate", "room", "phone", "email"),
)
PEOPLE = ("first", "man", "woman", "last", "full", "fullman", "fullwoman")


def alone(rand: random.Random) -> Value:
    """Return one or two values outside a sentence."""
    values = [GENERATORS[rand.choice(ALONE)](rand) for _ in range(rand.randint(1, 2))]
    separator = rand.choice((" ", ", ", ", ", " - "))
    english, german = zip(*values, strict=True)
    return separator.join(english), separator.join(german)


def genitive(value: Value) -> Value:
    """Return the genitive of a name: ``Anna's`` and ``Annas``, ``Hans's`` and ``Hans'``."""
    english, german = value
    hissing = german.lower().endswith(("s", "ß", "x", "z", "ce"))
    return f"{english}'s", german + ("'" if hissing else "s")

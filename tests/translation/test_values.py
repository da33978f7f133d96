from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.translation.copying import Copier
from keras_transformer.translation.formats import EnglishToGerman, Formats, GermanToEnglish
from keras_transformer.translation.values import formatted, located, numbers, values

WORDS = st.text(alphabet="abcxyzäöß", min_size=1, max_size=6)
NAMES = st.text(alphabet="abcxyz", min_size=2, max_size=6)
ADDRESSES = st.one_of(
    st.builds("{}.{}@{}.example".format, NAMES, NAMES, NAMES),
    st.builds("https://{}.org/{}?id={}".format, NAMES, NAMES, st.integers(1, 99)),
    st.builds("www.{}.com".format, NAMES),
)
DATES = st.dates().map(lambda date: date.strftime("%d/%m/%Y"))
INTEGERS = st.integers(13, 99_999).map(str)
GROUPS = st.lists(st.integers(10, 99_999).map(str), min_size=2, max_size=4)
PHONES = st.one_of(
    st.builds("{}{}".format, st.sampled_from(["+49 3", "0171 ", "(030) "]), GROUPS.map(" ".join)),
    st.from_regex(r"\([2-9]\d\d\) [2-9]\d\d-\d{4}", fullmatch=True),
)
CODES = st.builds("{}{}".format, st.sampled_from(["LH", "B", "X-"]), st.integers(100, 999))
VALUES = st.lists(st.one_of(ADDRESSES, DATES, INTEGERS, CODES), max_size=4, unique=True)


@st.composite
def mixed(draw):
    """Return a sentence of words and values, and the values."""
    chosen = draw(VALUES)
    parts = draw(st.permutations([*chosen, *draw(st.lists(WORDS, max_size=6))]))
    return " ".join(parts), chosen


class SameFormats(Formats):
    """The formats of two languages that are known to be the same."""

    knows_all_forms = True


def copier():
    return Copier({}, {}, SameFormats())


@given(mixed(), st.lists(WORDS, max_size=8), st.sampled_from(["", ".", "!", " ?"]))
def test_every_value_is_once_in_any_translation(source, words, mark):
    text, chosen = source
    found = copier().restored(text, text, " ".join(words) + mark, {})
    counts = Counter(found.removesuffix(mark).split())
    assert {value: counts[value] for value in chosen} == dict.fromkeys(chosen, 1)


@given(PHONES.filter(lambda phone: sum(map(str.isdigit, phone)) >= 7), st.lists(WORDS, max_size=8))
def test_a_phone_number_is_one_value(phone, words):
    text = f"Call {phone} now."
    assert phone not in copier().masked(text)[0]
    assert f" {phone} " in f" {copier().restored(text, text, ' '.join(words), {})} "


@given(mixed(), st.randoms())
def test_a_translation_with_all_values_is_unchanged(source, chance):
    words = source[0].split()
    chance.shuffle(words)
    translation = " ".join(words)
    assert copier().completed(source[0], translation) == translation


@given(mixed(), st.randoms(), st.data())
def test_values_are_restored_from_their_stand_ins(source, chance, data):
    """A translator that shuffles the words, and drops and repeats some."""
    text, chosen = source
    read, originals = copier().with_values_masked(text)
    assert not set(chosen) & set(read.split())
    words = [word for word in read.split() for _ in range(data.draw(st.integers(0, 2)))]
    chance.shuffle(words)
    found = copier().restored(text, read, " ".join(words), originals).split()
    assert {value: found.count(value) for value in chosen} == dict.fromkeys(chosen, 1)


@given(st.text(), st.text())
def test_completing_a_translation_twice_changes_nothing(source, translation):
    once = copier().completed(source, translation)
    assert copier().completed(source, once) == once


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("TAKE BUS 7B AT 16", ["7B", "16"]),
        ("It costs €3.50 or $1,200.", ["3,50 €", "1.200 $"]),
        ("On May 3, 2021 and 12 March.", ["3. Mai 2021", "12. März"]),
        ("At 6:45 p.m. and at 7:05.", ["18.45 Uhr", "7.05 Uhr"]),
        ("Version 2.4.1 of 2021-05-03, 03.05.2021 and 05/03/2021",
         ["2.4.1", "2021-05-03", "03.05.2021", "05/03/2021"]),
        ("Mail a.b@c.example, see https://d.org/e?f=1,5!", ["a.b@c.example",
         "https://d.org/e?f=1,5"]),
        ("Flight LH 400, seat 7B", ["LH 400", "7B"]),
        ("Call +49 30 1234567 or (030) 12 34-56.", ["+49 30 1234567", "(030) 12 34-56"]),
        ("+49 (0)171/123456, 0171-1234567", ["+49 (0)171/123456", "0171-1234567"]),
        ("In 2010 1500 came, 007 2 times, +1 point", ["2010", "1500", "007", "2", "1"]),
        ("On 03/05/2021 14 and 03-5-21 1234 came", ["03/05/2021", "14", "03-5-21", "1234"]),
        ("the 5th of the 1980s for a 2-year-old", []),
        ("5kg at 80 km/h, 2.5 m and 90s", ["5 kg", "80 km/h", "2,5 m"]),
        ("It is -5, −2.5 °C or 90°, not 3-5.", ["-5", "−2,5 °C", "90°", "3-5"]),  # noqa: RUF001
        ("50% of 7.5 %, 3 per cent", ["50 %", "7,5 %", "3"]),
        ("", []),
    ],
)  # fmt: skip
def test_values_have_the_german_format(source, expected):
    assert [value.text for value in values(source, EnglishToGerman())] == expected


@pytest.mark.parametrize(
    ("source", "translation", "missing"),
    [
        ("It costs €3.50.", "Es kostet 3,50 Euro.", []),
        ("It costs €3.50.", "Es kostet 13,50 €.", ["3,50 €"]),
        ("It costs 3.", "Es kostet drei.", []),
        ("I won 2 or 12 games.", "Ich gewann zweimal oder zwölf Mal.", []),
        ("I won 2 or 11 games.", "Ich gewann ein Spiel.", ["2", "11"]),
        ("I won 14 games.", "Ich gewann vierzehn Spiele.", []),
        ("I won 14 games.", "Ich gewann vier Spiele.", ["14"]),
        ("It costs €50,000.", "Es kostet fünfzigtausend Euro.", []),
        ("About 100 in 1800", "Etwa hundert, achtzehnhundert", []),
        ("2,000 of 3000 for 4.00", "2000 von 3.000 für 4", []),
        ("It costs €20.", "Es kostet 20 $.", ["20 €"]),
        ("It is -5 degrees.", "Es sind minus fünf Grad.", []),
        ("Pages 10-20", "Seite 10 bis 20", []),
        ("A 50% discount", "50 Prozent Rabatt", []),
        ("USD 50 at 7 o'clock", "50 US-Dollar um 19 Uhr", []),
        ("It is 99% done.", "Es ist zu 99\u00a0% fertig.", []),
        ("the 100m dash", "der 100-Meter-Lauf", []),
        ("At 2:30 p.m.", "Um halb drei", []),
        ("At 2:30 p.m.", "Um 2.30 Uhr", ["14.30 Uhr"]),
        ("At 3:00 p.m. and 6:30", "Um 15 Uhr und 18.30 Uhr", []),
        ("At 12:45 and 8:15", "Um Viertel vor eins und acht Uhr fünfzehn", []),
        ("14 and 14", "14 Mal", ["14"]),
        ("It is 5 kg or 1.5 m.", "Es sind fünf Kilo oder 1,5 Meter.", []),
        ("It is 5% or 20%.", "Es sind fünf Prozent oder 20 Prozent.", []),
        ("It is 20 % more.", "Es sind 20 mehr.", ["20 %"]),
        ("It is 20m or 20 GB.", "Es sind 20 oder 20.", ["20 m"]),
        ("It is -5.", "Es ist 5.", ["-5"]),
        ("It is -5 °C.", "Es sind minus 5 Grad.", []),
        ("It is at 6:45.", "Es ist um 6.45.", []),
        ("On May 14 I won 14 games.", "Am 14. Mai gewann ich.", ["14"]),
        ("Mail ba@c.example.", "Schreib an a@c.example.", ["ba@c.example"]),
    ],
)
def test_values_are_found_in_a_german_translation(source, translation, missing):
    found = located(values(source, EnglishToGerman()), translation, "de")[1]
    assert [value.text for value in found] == missing


@pytest.mark.parametrize(
    ("source", "translation", "missing"),
    [
        ("Um 2.30 Uhr", "At half past two", []),
        ("Um 14.30 Uhr und um 15 Uhr", "At 2:30 and at 3 o'clock", []),
        ("Um 14.30 Uhr", "At the station", ["2:30 p.m."]),
        ("Es kostet 10,00 $ oder 1.000 €.", "It costs $10 or one thousand euros.", []),
        ("Es kostet 3,50 €.", "It costs a lot.", ["€3.50"]),
        ("Er ist 18 und hat 96 Bälle.", "He is eighteen and has ninety-six balls.", []),
    ],
)
def test_values_are_found_in_an_english_translation(source, translation, missing):
    found = located(values(source, GermanToEnglish()), translation, "en")[1]
    assert [value.text for value in found] == missing


def test_small_integers_may_be_words_that_are_unknown():
    found = values("2 of 14", Formats())
    assert [value.text for value in located(found, "deux", "fr")[1]] == ["14"]


def test_numbers_are_tokens_with_digits():
    text = "The 3rd LH 400 costs €5, not 5kg."
    units = numbers(text)
    assert [unit.text for unit in units] == ["LH 400", "€5", "5kg"]
    assert [text[unit.start : unit.end] for unit in units] == [unit.text for unit in units]


@pytest.mark.parametrize(
    ("formats", "source", "translation", "expected"),
    [
        (EnglishToGerman(), "It is 19m away.", "Es ist 19m weit.", "Es ist 19 m weit."),
        (EnglishToGerman(), "It is 68.4m.", "Es sind 68,4m.", "Es sind 68,4 m."),
        (EnglishToGerman(), "It is 68.4m.", "Es sind 68.4m.", "Es sind 68,4 m."),
        (EnglishToGerman(), "It is -5\u00b0C.", "Es ist -5\u00b0C.", "Es ist -5 \u00b0C."),
        (EnglishToGerman(), "It was \u20ac3.50.", "Es war \u20ac3.50.", "Es war 3,50 \u20ac."),
        (EnglishToGerman(), "50%, 9 m, 150%", "50 %, 9m, 150%", "50 %, 9 m, 150 %"),
        (EnglishToGerman(), "It is 50%.", "50%ig, x-50%, 1,50%.", "50%ig, x-50%, 1,50%."),
        (EnglishToGerman(), "It is 5 or A5m.", "5 oder A5m.", "5 oder A5m."),
        (EnglishToGerman(), "It is 10 kg.", "Es sind 10 Kg.", "Es sind 10 kg."),
        (EnglishToGerman(), "It is 2,962 m.", "Es sind 2.962 M hoch.", "Es sind 2.962 m hoch."),
        (EnglishToGerman(), "At 50 km/h.", "Mit 50 km/.", "Mit 50 km/h."),
        (EnglishToGerman(), "At 50 km/h.", "50 km/h, 50km/h.", "50 km/h, 50 km/h."),
        (EnglishToGerman(), "It fell to -5 \u00b0C.", "Auf - 5 \u00b0C.", "Auf -5 \u00b0C."),
        (EnglishToGerman(), "From 3 to -1.5.", "Von 3 auf - 1,5.", "Von 3 auf -1,5."),
        (EnglishToGerman(), "It is 5 kg.", "Es sind - 5 kg.", "Es sind - 5 kg."),
        (GermanToEnglish(), "Es sind 2,5 %.", "It is 2,5 %.", "It is 2.5%."),
        (Formats(), "Es 50% de 3 kg.", "C'est 50% de 3kg.", "C'est 50% de 3 kg."),
    ],
)
def test_copied_prices_and_measures_get_the_target_format(formats, source, translation, expected):
    assert formatted(source, values(source, formats), translation) == expected

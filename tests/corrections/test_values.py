from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.formats import (
    EnglishToGerman,
    Formats,
    GermanToEnglish,
)
from keras_transformer.corrections.values import formatted, numbers, phone_spans, values

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
        ("At half past 2, from 2-4pm", ["2.30 Uhr", "14-16 Uhr"]),
        ("May 3-5, 2021", ["3. Mai", "5. Mai 2021"]),
        ("Version 2.0 of Python 3.11 is 2.0 MB.", ["2.0", "3.11", "2,0 MB"]),
        ("In the US 50, in the EU 27, AD 50", ["50", "27", "50"]),
        ("", []),
    ],
)  # fmt: skip
def test_values_have_the_german_format(source, expected):
    assert [value.text for value in values(source, EnglishToGerman())] == expected


def test_numbers_are_tokens_with_digits():
    text = "The 3rd LH 400 costs €5, not 5kg."
    found = numbers(text)
    assert [each.text for each in found] == ["LH 400", "€5", "5kg"]
    assert [text[slice(*each.span)] for each in found] == [each.text for each in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("我坐CA123航班去北京。", ["CA123"]),
        ("坐LH 400航班", ["LH 400"]),
        ("他在2020年买了MP3播放器。", ["2020", "MP3"]),
        ("我买了iPhone15手机。", ["iPhone15"]),
        ("今天是2021/5/3。", ["2021/5/3"]),
        ("MP3を聞きます。", ["MP3"]),
        ("B1階にあります。", ["B1"]),
        ("ห้องA12อยู่", ["A12"]),
        ("50%です、5 kmを", ["50%", "5 km"]),
        ("有150万人", ["150万"]),
        ("В доме12б", ["доме12б"]),
        ("ＣＡ１２３便", ["ＣＡ１２３"]),  # noqa: RUF001, full-width letters
    ],
)
def test_letters_of_scripts_without_spaces_do_not_belong_to_a_number(text, found):
    assert [each.text for each in numbers(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("请打010-12345678。", ["010-12345678"]),
        ("+86 10 1234 5678に電話", ["+86 10 1234 5678"]),
        ("请打(555) 123-4567吧", ["(555) 123-4567"]),
        ("A010-12345678", []),
        ("010-12345678B", []),
    ],
)
def test_letters_of_scripts_without_spaces_may_touch_a_phone_number(text, found):
    assert [each.text for each in phone_spans(text)] == found


@given(st.text(st.sampled_from("我号でくア로의กກကក"), min_size=1), CODES)
def test_only_the_code_of_a_clause_without_spaces_is_masked(clause, code):
    number, original = copier().masked(f"{clause}{code}{clause}")[1].popitem()
    assert original == code
    assert copier().masked(f"{clause}{code}{clause}")[0] == f"{clause}{number}{clause}"


@pytest.mark.parametrize("text", ["有150万人", "1980年代的唱片", "3천 명", "1990년대 음악"])
def test_a_number_before_a_power_of_ten_or_a_decade_is_left_to_the_network(text):
    assert values(text, Formats()) == []


def test_an_acronym_in_a_clause_without_case_is_no_sentence_in_capitals():
    assert [each.text for each in numbers("我 坐 LH 400 去 北京。")] == ["LH 400"]


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
        (EnglishToGerman(), "It has 3,211 books.", "3,211 B\u00fccher.", "3.211 B\u00fccher."),
        (EnglishToGerman(), "It costs 4.99 euros.", "4.99 Euro, 4,99.", "4,99 Euro, 4,99."),
        (EnglishToGerman(), "It has 3,211 books.", "3,211.5; A3,211", "3,211.5; A3,211"),
        (EnglishToGerman(), "At 127.0.0.1, at 8:15.", "127.0.0.1, 8:15", "127.0.0.1, 8:15"),
        (GermanToEnglish(), "Es sind 1.234,5.", "It is 1.234,5.", "It is 1,234.5."),
        (EnglishToGerman(), "1,000-2,000, 1.5-2", "1,000-2,000, 1.5-2", "1.000-2.000, 1,5-2"),
        (EnglishToGerman(), "2019-20, 9.30-10.30", "2019-20, 9.30-10.30", "2019-20, 9.30-10.30"),
        (EnglishToGerman(), "At 6.30.", "Um 6.30, 6.30 Uhr, 6.30.", "Um 6.30, 6.30 Uhr, 6,30."),
        (EnglishToGerman(), "In 6.30 seconds.", "6.30 Uhr", "6,30 Uhr"),
        (EnglishToGerman(), "9.30 to 5.30", "9.30 bis 17.30 Uhr", "9.30 bis 17.30 Uhr"),
        (EnglishToGerman(), "9.30 to 5.30", "Von 9.30 bis 5.30.", "Von 9.30 bis 5.30."),
        (EnglishToGerman(), "9.30 to 5.30", "Von 9.30 auf 5.30.", "Von 9,30 auf 5,30."),
        (EnglishToGerman(), "6.30, 7.30, 8.30", "6.30, 7.30, 8.30 Uhr", "6.30, 7.30, 8.30 Uhr"),
        (EnglishToGerman(), "It costs 4,99 euros.", "4,99 Euro", "4,99 Euro"),
        (EnglishToGerman(), "It is version 2.0.", "Version 2.0.", "Version 2.0."),
        (Formats(), "Es 50% de 3 kg.", "C'est 50% de 3kg.", "C'est 50% de 3 kg."),
    ],
)
def test_copied_numbers_get_the_target_format(formats, source, translation, expected):
    assert formatted(source, values(source, formats), translation) == expected

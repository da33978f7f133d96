import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.digit_dates import (
    DigitDate,
    digit_dates,
    slashed_dates,
    with_german_dates,
)


@pytest.mark.parametrize(
    ("number", "rest", "dates"),
    [
        ("2021-05-03", "", [DigitDate(3, 5, "2021")]),
        ("03.05.2021", "", [DigitDate(3, 5, "2021")]),
        ("03/05/2021", "", [DigitDate(3, 5, "2021"), DigitDate(5, 3, "2021")]),
        ("31/12/2021", "", [DigitDate(31, 12, "2021")]),
        ("03.05.24", "", [DigitDate(3, 5, year) for year in ("24", "2024", "1924")]),
        ("31.12", ".", [DigitDate(31, 12, "")]),
        ("31.12", " Euro", []),
        ("2021-13-03", "", []),
        ("1.2.3", "", []),
    ],
)
def test_dates_are_recognized(number, rest, dates):
    assert [*digit_dates(number, rest)] == dates


def test_german_forms():
    forms = {*DigitDate(3, 5, "2021").german_forms()}
    assert {"3. Mai 2021", "03. Mai 2021", "3.5.2021", "03.05.2021", "2021-05-03"} <= forms
    assert {"31. Dezember", "31.12."} <= {*DigitDate(31, 12, "").german_forms()}


def test_english_forms():
    forms = {*DigitDate(3, 5, "2021").english_forms()}
    assert {"May 3, 2021", "May 3rd, 2021", "3 May 2021", "3rd of May 2021"} <= forms
    assert {"05/03/2021", "5/3/2021", "2021-05-03"} <= forms
    assert {"December 31", "31st of December", "12/31"} <= {*DigitDate(31, 12, "").english_forms()}


@given(st.dates(min_value=datetime.date(1000, 1, 1)))
def test_every_date_has_its_usual_forms(date):
    [found] = digit_dates(date.strftime("%d.%m.%Y"), "")
    assert date.strftime("%m/%d/%Y") in found.english_forms()
    assert date.isoformat() in found.german_forms()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("On 3/14/1985.", ["14.3.1985"]),
        ("On 14/3/85.", ["14.3.85"]),
        ("On 3/4/1985.", ["3/4/1985"]),
        ("On 10/10/2024.", ["10.10.2024"]),
        ("The 5/13/2024 plan", ["13.5.2024"]),
        ("From 12/24/2024 to 1/2/2025.", ["24.12.2024", "2.1.2025"]),
        ("From 24/12/2024 to 1/2/2025.", ["24.12.2024", "1.2.2025"]),
        ("13/5/1999, 5/13/1999 and 3/4/1999", ["13.5.1999", "13.5.1999", "3/4/1999"]),
        ("15/20/2024, 3/14, 3/14/1985/2, a3/14/1985 and 24/7", []),
        ("For 12/24/36 months, 5/10/15 km, 10/20/30%, the 10/20/30 rule", []),
        ("Account 11/22/3344, from 3/14 - 3/16/2024 or 3/14 to 3/16/2024", []),
    ],
)
def test_a_date_with_slashes_is_german_if_its_order_is_known(source, expected):
    assert [date.forms[0] for date in slashed_dates(source)] == expected


def test_a_translation_may_write_a_date_with_slashes_in_other_ways():
    [(start, end, forms)] = slashed_dates("On 3/14/1985.")
    assert (start, end) == (3, 12)
    assert {"3/14/1985", "14. M\u00e4rz 1985", "14.03.1985"} <= {*forms}


def test_a_copied_date_becomes_german():
    source = "5/13/2024 and 5/14/2024, see a.example/5/13/2024."
    text = "5/13/2024 und 5/14/2024, siehe a.example/5/13/2024."
    assert with_german_dates(source, text) == "13.5.2024 und 14.5.2024, siehe a.example/5/13/2024."


@given(
    st.dates(datetime.date(1000, 1, 1), datetime.date(2099, 12, 31)),
    st.sampled_from(["%m/%d/%Y", "%d/%m/%Y"]),
)
def test_the_best_form_of_an_unambiguous_date_is_the_date(date, style):
    text = date.strftime(style)
    best = slashed_dates(text)[0].forms[0]
    if date.day > 12 or date.day == date.month:
        assert best == f"{date.day}.{date.month}.{date.year}"
    else:
        assert best == text

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.digit_dates import DigitDate, digit_dates


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

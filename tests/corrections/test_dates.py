import pytest

from keras_transformer.corrections.dates import (
    german_days,
    translated_dates,
    with_dates,
    without_extra_months,
)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("On May 3, 2021 and 12 March.", ["3. Mai 2021", "12. M\u00e4rz"]),
        ("The 5th of April in October 2021", ["5. April", "Oktober 2021"]),
        ("May I go in August?", []),
        ("In May 3 people came, and on May 4 nobody.", ["4. Mai"]),
        ("In May, 2000 people came.", []),
        ("In May, 2000, people came in May 2001.", ["Mai 2000", "Mai 2001"]),
    ],
)
def test_english_dates_are_translated(source, expected):
    assert [date.forms[0] for date in translated_dates(source)] == expected


def test_the_place_of_a_date_includes_its_year():
    [(start, end, forms)] = translated_dates("On May 3, 2021 we met.")
    assert "On May 3, 2021 we met."[start:end] == "May 3, 2021"
    assert forms[:4] == ("3. Mai 2021", "3. bis", "3. und", "3. oder")
    assert forms[4:] == ("dritten Mai", "dritte Mai", "dritter Mai")


def test_a_german_date_may_not_be_divided():
    text = "Am 3. Mai 2021 oder im Juni."
    assert [text[start:end] for start, end in german_days(text)] == ["3. Mai"]


@pytest.mark.parametrize(
    ("source", "translation", "corrected"),
    [
        ("It is on May 3.", "Es ist am 23. Mai.", "Es ist am 3. Mai."),
        ("May 13 and May 3.", "13. Mai und 13. Mai.", "13. Mai und 3. Mai."),
        ("On May 5 and on May 7.", "Am 5. Mai und am 6. Mai.", "Am 5. Mai und am 7. Mai."),
        ("On May 7 and on May 5.", "Am 6. Mai und am 5. Mai.", "Am 7. Mai und am 5. Mai."),
        ("From May 3 to May 5.", "Vom 3. bis 5. Mai.", "Vom 3. bis 5. Mai."),
        ("On May 3 and May 5.", "Am 3. und 5. Mai.", "Am 3. und 5. Mai."),
        ("On May 3, 2021.", "Es war 2021 am 3. Mai.", "Es war am 3. Mai 2021."),
        ("On May 23, 2021.", "Am 23. Mai.", "Am 23. Mai 2021."),
        ("On May 3, 2021, not 2021.", "Am 3. Mai, nicht 2021.", "Am 3. Mai 2021, nicht 2021."),
        ("On May 3 2021 and May 23.", "Am 23. Mai und 3. Mai.", "Am 23. Mai und 3. Mai 2021."),
    ],
)
def test_only_wrong_dates_and_missing_years_are_corrected(source, translation, corrected):
    assert with_dates(source, translation) == corrected


@pytest.mark.parametrize(
    ("translation", "tidied"),
    [
        ("Ich komme am 3. Mai. Juli.", "Ich komme am 3. Mai."),
        ("Am 3. Mai. Mai. Juli ist es.", "Am 3. Mai ist es."),
        ("Am 3. Mai und 4. Juni.", "Am 3. Mai und 4. Juni."),
        ("Das war 2018. Mai ist kalt.", "Das war 2018. Mai ist kalt."),
        ("Am Dienstag, Juli 5. M\u00e4rz.", "Am Dienstag, 5. M\u00e4rz."),
        ("Am 3. Mai 5. Mai.", "Am 3. Mai 5. Mai."),
        ("Die Rechnung von Juli 23.11.24.", "Die Rechnung von 23.11.24."),
        ("Im Juli am 5. M\u00e4rz.", "Im Juli am 5. M\u00e4rz."),
    ],
)
def test_a_month_beside_a_date_is_removed(translation, tidied):
    assert without_extra_months(translation) == tidied

import pytest

from keras_transformer.corrections.date_ranges import (
    translated_days,
    with_separate_days,
)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("May 3-5", "May 3 to May 5"),
        ("May 3rd – 5th", "May 3 to May 5"),  # noqa: RUF001, the dash of ranges
        ("From May 3 to 5, 2021, we ski.", "From May 3 to May 5, 2021, we ski."),
        ("from the 3rd to the 5th of May", "from May 3 to May 5"),
        ("from 3 to 5 May 2021", "from May 3 to May 5, 2021"),
        ("May 3 until 5 and July 2-4", "May 3 to May 5 and July 2 to July 4"),
    ],
)
def test_the_days_of_a_range_get_a_month_each(source, expected):
    assert with_separate_days(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "May 3 to June 5",
        "May 3 to 5 June",
        "May 3, 2 to 5 p.m.",
        "May 3 to 5 p.m.",
        "May 3 to 5:30",
        "May 3-2021",
        "May 3 and 5",
        "2 to 3 people",
        "May 2019-20",
        "In July 20 to 30 people came",
        "From June 20-25,000 people came",
    ],
)
def test_other_texts_have_no_range_of_days(source):
    assert with_separate_days(source) == source
    assert translated_days(source) == []


def test_each_day_of_a_range_is_a_value():
    source = "From May 3 to 5, 2021."
    first, last = translated_days(source)
    assert [source[day.start : day.end] for day in (first, last)] == ["May 3", "5, 2021"]
    assert (first.forms[0], last.forms) == ("3. Mai", ("5. Mai 2021",))
    assert {"3. bis", "3."} <= {*first.forms}


def test_the_month_may_follow_the_days():
    source = "The 3rd-5th of May"
    assert [source[day.start : day.end] for day in translated_days(source)] == ["3rd", "5th of May"]

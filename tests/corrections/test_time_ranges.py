import pytest

from keras_transformer.corrections.clock_times import ClockTime
from keras_transformer.corrections.time_ranges import (
    TimeRange,
    english_range,
    german_range,
    with_separate_times,
)


@pytest.mark.parametrize(
    ("number", "rest", "expected"),
    [
        ("8-10", " p.m.", TimeRange(ClockTime(20), ClockTime(22))),
        ("8:30-10:00", " am", TimeRange(ClockTime(8, "30"), ClockTime(10, "00"))),
        ("11-1", " p.m.", TimeRange(ClockTime(11), ClockTime(13))),
        ("12-3", " p.m.", TimeRange(ClockTime(12), ClockTime(15))),
        ("9am-5pm", "", TimeRange(ClockTime(9), ClockTime(17))),
        ("8:30am-12PM", ".", TimeRange(ClockTime(8, "30"), ClockTime(12))),
        ("2-4pm", "", TimeRange(ClockTime(14), ClockTime(16))),
        ("9-5pm", "", TimeRange(ClockTime(9), ClockTime(17))),
        ("10:30-2PM", "", TimeRange(ClockTime(10, "30"), ClockTime(14))),
        ("2-4m", "", None),
        ("9am-15pm", "", None),
        ("8-10", " people", None),
        ("8-99", " p.m.", None),
        ("8", " p.m.", None),
    ],
)
def test_ranges_in_english(number, rest, expected):
    assert english_range(number, rest) == expected


@pytest.mark.parametrize(
    ("number", "rest", "german", "english"),
    [
        ("14-16", " Uhr", "14-16", "2-4 p.m."),
        ("14.30-16.00", " Uhr", "14:30-16:00", "2:30-4:00 p.m."),
        ("10-14", " Uhr", "10-14", "10 a.m.-2 p.m."),
    ],
)
def test_the_usual_forms(number, rest, german, english):
    found = german_range(number, rest)
    assert (found.german_number, found.english_number) == (german, english)


def test_only_hours_are_ranges_in_german():
    assert german_range("14-16", " Meter") is german_range("14-99", " Uhr") is None


def test_the_times_of_a_range_may_be_joined_by_words():
    found = TimeRange(ClockTime(14), ClockTime(16))
    assert {"14 bis 16", "14.00-16.00", "14 Uhr bis 16 Uhr"} <= {*found.german_forms()}
    assert {"2 to 4 p.m.", "2-4", "2 p.m. to 4 p.m."} <= {*found.english_forms()}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Open 9am-5:30pm.", "Open 9 am to 5:30 pm."),
        ("Open 2-4pm.", "Open 2-4pm."),
        ("Open 9am-15pm.", "Open 9 am to 15 pm."),
        ("Rooms 2-4 and A-2-4pm", "Rooms 2-4 and A-2-4pm"),
    ],
)
def test_the_times_of_a_range_are_separated(source, expected):
    assert with_separate_times(source) == expected

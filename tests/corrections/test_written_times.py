import pytest

from keras_transformer.corrections.clock_times import ClockTime
from keras_transformer.corrections.written_times import (
    english_time,
    german_time,
    hours_after_noon,
    possible_english_time,
    possible_german_time,
)


@pytest.mark.parametrize(
    ("number", "rest", "time"),
    [
        ("6:45", "", ClockTime(6, "45", is_exact=False)),
        ("6:45", " p.m.", ClockTime(18, "45")),
        ("18:45", "", ClockTime(18, "45")),
        ("7pm", "", ClockTime(19)),
        ("12", " am", ClockTime(0)),
        ("12", " P.M.", ClockTime(12)),
        ("2.30", " p.m.", ClockTime(14, "30")),
        ("7", " o'clock", ClockTime(7, is_exact=False)),
        ("8.30pm", "", ClockTime(20, "30")),
        ("8", " to 10 p.m.", ClockTime(20)),
        ("8:30", "–10pm", ClockTime(20, "30")),  # noqa: RUF001
        ("11", " to 1 p.m.", ClockTime(11)),
        ("10", " to 12 p.m.", ClockTime(10)),
        ("10", " to 2 a.m.", ClockTime(22)),
        ("9", " a.m. to 5 p.m.", ClockTime(9)),
        ("8", " to 10 people", None),
        ("7", " people", None),
        ("2.30", " people", None),
        ("6:75", "", None),
        ("25:10", "", None),
        ("75", " p.m.", None),
        ("10-11", " a.m.", None),
        ("1,000", " am", None),
        ("half past 2", ".", ClockTime(2, "30", is_exact=False)),
        ("Quarter past 2", ".", ClockTime(2, "15", is_exact=False)),
        ("quarter to 1", ".", ClockTime(12, "45", is_exact=False)),
        ("quarter to 3", " p.m.", ClockTime(14, "45")),
        ("Half past 12", " p.m.", ClockTime(12, "30")),
    ],
)
def test_times_in_english(number, rest, time):
    assert english_time(number, rest) == time


@pytest.mark.parametrize(
    ("number", "rest", "hour"),
    [("6", ".", "18"), ("12", "", "24"), ("6", " km", None), ("6", " dollars", None),
     ("0", "", None), ("13", "", None), ("6.5", "", None), ("6pm", "", None)],
)  # fmt: skip
def test_a_number_may_be_an_hour_after_noon(number, rest, hour):
    wanted = [f"{hour} {word}" for word in ("Uhr", "bis", "und", "oder")] if hour else []
    assert list(hours_after_noon(number, rest)) == wanted


@pytest.mark.parametrize(
    ("number", "rest", "time"),
    [
        ("2.30", " Uhr", ClockTime(2, "30")),
        ("14:30", " Uhr", ClockTime(14, "30")),
        ("15", " Uhr", ClockTime(15)),
        ("14", " bis 16 Uhr", ClockTime(14)),
        ("14", "–16.30 Uhr", ClockTime(14)),  # noqa: RUF001
        ("14", " bis 16 Meter", None),
        ("20 Uhr 15", ".", ClockTime(20, "15")),
        ("9", " Uhr", None),
        ("2.30", " Meter", None),
        ("99.99", " Uhr", None),
        ("halb 3", ".", ClockTime(2, "30", is_exact=False)),
        ("Viertel nach 2", ".", ClockTime(2, "15", is_exact=False)),
        ("Viertel vor 1", ".", ClockTime(12, "45", is_exact=False)),
        ("viertel 3", ".", ClockTime(2, "15", is_exact=False)),
        ("dreiviertel 3", ".", ClockTime(2, "45", is_exact=False)),
        ("Halb 1", " Uhr", ClockTime(12, "30", is_exact=False)),
        ("halb 2", "", ClockTime(1, "30", is_exact=False)),
        ("14:30", "", None),
    ],
)
def test_times_in_german(number, rest, time):
    assert german_time(number, rest) == time


@pytest.mark.parametrize(
    ("number", "rest", "time"),
    [
        ("8", " tonight.", ClockTime(8, is_exact=False)),
        ("4", " in the afternoon", ClockTime(4, is_exact=False)),
        ("7", " tomorrow evening", ClockTime(7, is_exact=False)),
        ("9", " on Monday evening", ClockTime(9, is_exact=False)),
        ("8", " to 10 at night", ClockTime(8, is_exact=False)),
        ("8", " in the morning", ClockTime(8)),
        ("6.30", ".", ClockTime(6, "30", is_exact=False)),
        ("18.30", " sharp", ClockTime(18, "30")),
        ("6.30", " in the evening", ClockTime(6, "30", is_exact=False)),
        ("6.30", " dollars", None),
        ("6.30", " seconds", None),
        ("6.30", " m", None),
        ("6.30", "%", None),
        ("6.75", ".", None),
        ("25.30", ".", None),
        ("6.3", ".", None),
        ("14", " tonight", None),
        ("8", " in the park", None),
        ("8", ".", None),
    ],
)
def test_numbers_that_may_be_times_in_english(number, rest, time):
    assert possible_english_time(number, rest) == time


@pytest.mark.parametrize(
    ("number", "rest", "time"),
    [
        ("9", " Uhr", ClockTime(9, is_exact=False)),
        ("14:30", ".", ClockTime(14, "30")),
        ("14.30", " am Bahnhof.", ClockTime(14, "30")),
        ("8.30", ".", ClockTime(8, "30", is_exact=False)),
        ("8.75", ".", None),
        ("8:15", ".", ClockTime(8, "15", is_exact=False)),
        ("2:1", ".", None),
        ("14:75", ".", None),
        ("30:10", ".", None),
        ("9", " Leute", None),
    ],
)
def test_numbers_that_may_be_times_in_german(number, rest, time):
    assert possible_german_time(number, rest) == time

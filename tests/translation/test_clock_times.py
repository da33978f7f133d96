import pytest

from keras_transformer.translation.clock_times import ClockTime, english_time, german_time


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
    ],
)
def test_times_in_english(number, rest, time):
    assert english_time(number, rest) == time


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
    ],
)
def test_times_in_german(number, rest, time):
    assert german_time(number, rest) == time


@pytest.mark.parametrize(
    ("time", "forms"),
    [
        (ClockTime(14, "30"), "14.30|14:30|halb drei|Halb 3|14 Uhr 30|zwei Uhr dreißig"),
        (ClockTime(12, "45"), "Viertel vor eins|dreiviertel eins|viertel vor 1"),
        (ClockTime(8, "15"), "Viertel nach acht|viertel neun|acht Uhr fünfzehn"),
        (ClockTime(19, "10"), "zehn nach sieben|neunzehn Uhr zehn"),
        (ClockTime(7, "50"), "zehn vor acht"),
        (ClockTime(13), "13 Uhr|ein Uhr|dreizehn Uhr|13.00"),
        (ClockTime(12), "mittags|zwölf Uhr"),
        (ClockTime(6, "30", is_exact=False), "6.30|18.30|halb sieben"),
    ],
)
def test_german_forms(time, forms):
    assert set(forms.split("|")) <= set(time.german_forms())


def test_other_times_are_no_german_forms():
    assert "18.30" not in ClockTime(6, "30").german_forms()
    assert not [form for form in ClockTime(14).german_forms() if "alb" in form or "nach" in form]


@pytest.mark.parametrize(
    ("time", "forms"),
    [
        (ClockTime(14, "30"), "2:30 p.m.|2:30|14:30|half past two"),
        (ClockTime(11, "45"), "11:45 a.m.|11:45am|quarter to twelve"),
        (ClockTime(12, "15"), "12:15 PM|quarter past twelve"),
        (ClockTime(0, "30"), "12:30 a.m.|half past twelve"),
        (ClockTime(20), "8 pm|8pm|8:00 p.m.|8 o'clock|eight o'clock|eight"),
        (ClockTime(20, "10"), "ten past eight"),
        (ClockTime(24), "midnight|12 a.m."),
    ],
)
def test_english_forms(time, forms):
    assert set(forms.split("|")) <= set(time.english_forms())


@pytest.mark.parametrize(
    ("time", "german", "english"),
    [
        (ClockTime(2, "30"), "2.30", "2:30"),
        (ClockTime(14, "30"), "14.30", "2:30 p.m."),
        (ClockTime(0, "30"), "0.30", "12:30 a.m."),
        (ClockTime(19), "19", "7:00 p.m."),
    ],
)
def test_the_usual_forms(time, german, english):
    assert (time.german_number, time.english_number) == (german, english)

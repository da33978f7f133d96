import pytest

from keras_transformer.translation.clock_times import ClockTime


@pytest.mark.parametrize(
    ("time", "forms"),
    [
        ("14.30", "14.30|14:30|halb drei|halb 3|14 Uhr 30|zwei Uhr dreißig|vierzehn Uhr 30"),
        ("12.45", "Viertel vor eins|dreiviertel eins|zwölf Uhr fünfundvierzig"),
        ("8.15", "Viertel nach acht|viertel neun"),
        ("13", "13 Uhr|ein Uhr|dreizehn Uhr|13.00"),
        ("0.05", "0.05|null Uhr fünf"),
    ],
)
def test_german_forms(time, forms):
    assert set(forms.split("|")) <= set(ClockTime.of(time).german())


def test_a_full_hour_has_no_half_or_quarter():
    assert not [form for form in ClockTime.of("14").german() if "alb" in form or "iertel" in form]


@pytest.mark.parametrize(
    ("time", "forms"),
    [
        ("14.30", "2:30 p.m.|2:30|14:30|half past two"),
        ("11.45", "11:45 a.m.|quarter to twelve"),
        ("12.15", "12:15 p.m.|quarter past twelve"),
        ("0.30", "12:30 a.m.|half past twelve"),
        ("15", "3 p.m.|3:00 p.m.|3 o'clock|three o'clock"),
    ],
)
def test_english_forms(time, forms):
    assert set(forms.split("|")) <= set(ClockTime.of(time).english())


@pytest.mark.parametrize(
    ("time", "number"),
    [("2.30", "2:30"), ("12.30", "12:30"), ("14.30", "2:30 p.m."), ("0.30", "12:30 a.m.")],
)
def test_the_usual_english_form(time, number):
    assert ClockTime.of(time).english_number == number


def test_the_time_twelve_hours_later():
    assert ClockTime.of("6.30").later() == ClockTime(18, "30")
    assert ClockTime.of("12.30").later() == ClockTime(12, "30")

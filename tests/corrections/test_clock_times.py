import pytest

from keras_transformer.corrections.clock_times import ClockTime


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
        (ClockTime(16), "16|4 Uhr nachmittags|nachmittags um 4 Uhr|4 Uhr am Nachmittag"),
        (ClockTime(20, "30"), "8.30 Uhr abends|8 Uhr 30 abends|Abends um 8.30 Uhr"),
        (ClockTime(0), "12 Uhr nachts|Mitternacht|0 Uhr"),
        (ClockTime(14, "10"), "zehn nach zwei|10 nach 2|Zehn nach zwei"),
        (ClockTime(8, is_exact=False), "8|20|8 Uhr|20 Uhr"),
        (ClockTime(12, is_exact=False), "12 Uhr|mittags|0 Uhr|Mitternacht"),
    ],
)
def test_german_forms(time, forms):
    assert set(forms.split("|")) <= set(time.german_forms())


def test_other_times_are_no_german_forms():
    assert "18.30" not in ClockTime(6, "30").german_forms()
    assert "4 Uhr" not in ClockTime(16).german_forms()
    assert not [form for form in ClockTime(16).german_forms() if "morgens" in form]
    forms = [*ClockTime(14).german_forms()]
    assert not [form for form in forms if "alb" in form]
    assert [form for form in forms if "nach " in form] == ["nach zwei"]


@pytest.mark.parametrize(
    ("time", "forms"),
    [
        (ClockTime(14, "30"), "2:30 p.m.|2:30|14:30|half past two|half past 2|Half past two"),
        (ClockTime(2, "40"), "20 to 3|twenty to three"),
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

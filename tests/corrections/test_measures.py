import re

import pytest

from keras_transformer.corrections.measures import Measure, pair_forms, unit_after


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-5", ("-", "5", "")),
        ("1,250.75", ("", "1,250.75", "")),
        ("50%", ("", "50", "%")),
        ("80 km/h", ("", "80", "km/h")),
        ("-2.5°C", ("-", "2.5", "°C")),
        ("90s", None),
        ("5 G", None),
        ("3rd", None),
        ("1.2.", None),
        ("", None),
    ],
)
def test_a_measure_has_a_sign_an_amount_and_a_unit(text, expected):
    assert Measure.of(text) == expected


@pytest.mark.parametrize(
    ("text", "written"), [("50%", "50 %"), ("-5 °", "-5°"), ("3kg", "3 kg"), ("7", "7")]
)
def test_units_follow_a_space(text, written):
    assert str(Measure.of(text)) == written


def test_the_number_alone_stands_for_a_unit_whose_words_are_unknown():
    assert set(Measure.of("-5 GB").forms({"kg": ("Kilo",)})) == {
        "-5GB", "minus 5GB", "-5 GB", "minus 5 GB", "-5-GB", "minus 5-GB", "-5", "minus 5",
    }  # fmt: skip
    assert set(Measure.of("5").forms({})) == {"5"}


def test_the_words_for_a_unit_may_express_it():
    assert set(Measure.of("5%").forms({"%": ("Prozent", "percent")})) == {
        "5%", "5 %", "5 Prozent", "5 percent", "5-%", "5-Prozent", "5-percent",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "integer"),
    [("12,450", 12450), ("3.000 kg", 3000), ("7", 7), ("-7", 7), ("1.5", None), ("1" * 5000, None)],
)
def test_integers_may_have_separators(text, integer):
    assert Measure.of(text).integer() == integer


def test_a_number_may_be_written_with_and_without_separators_and_zeros():
    assert set(Measure.of("2.000").forms({})) == {"2.000", "2000"}
    assert set(Measure.of("2000").forms({})) == {"2000", "2.000", "2,000"}
    assert set(Measure.of("2.00").forms({})) == {"2.00", "2"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("€3.50", ("", "3.50", "€")),
        ("-3,50 €", ("-", "3,50", "€")),
        ("-€5", ("-", "5", "€")),
        ("5 km", ("", "5", "km")),
        ("5", ("", "5", "")),
        ("€", None),
        ("$50k", None),
    ],
)
def test_a_price_has_a_currency_sign_as_its_unit(text, expected):
    assert Measure.of_price(text) == expected


def test_a_currency_sign_is_no_form_beside_an_amount_because_its_side_depends_on_the_language():
    assert set(Measure("", "5", "€").forms({"€": ("Euro",)})) == {"5 Euro", "5-Euro"}


@pytest.mark.parametrize(
    ("unit", "text", "is_after"),
    [
        ("$", " Dollar", True),
        ("$", " $", True),
        ("$", " bis 30 $", True),
        ("$", "–30 $", True),  # noqa: RUF001
        ("$", " Milliarden US-Dollar", True),
        ("$", " Euro", False),
        ("$", " Leute und 30 $", False),
        ("km", " bis 10 Kilometern", True),
        ("km", " kmh", False),
    ],
)
def test_a_unit_may_belong_to_a_number_before_other_words(unit, text, is_after):
    assert bool(re.match(unit_after(unit), text)) == is_after


def test_the_unit_of_a_pair_is_left_out():
    assert "5 bis 10" in pair_forms("5-10 km")


def test_pairs_of_numbers_are_written_in_several_ways():
    assert {"10-20", "10 bis 20", "10 to 20", "10:20"} <= set(pair_forms("10-20"))
    assert pair_forms("10") == pair_forms("1-2-3") == []

import pytest

from keras_transformer.corrections.frequent_dates import with_frequent_dates


def test_the_fourth_date_is_not_replaced():
    masked, originals = with_frequent_dates("May 1, May 2nd, 3rd of May, May 4.")
    assert masked == "July 3, June 5, 12th of March, May 4."
    assert originals == {"3. Juli": "1. Mai", "5. Juni": "2. Mai", "12. M\u00e4rz": "3. Mai"}


@pytest.mark.parametrize(
    ("source", "masked", "originals"),
    [
        (
            "In May 2020 we left and in July we came.",
            "In June we left and in July we came.",
            {"Juni": "Mai 2020"},
        ),
        (
            "March 2019 was colder than July.",
            "June was colder than July.",
            {"Juni": "M\u00e4rz 2019"},
        ),
        (
            "May 1, May 2, May 4 and July 3.",
            "June 5, March 12, May 4 and July 3.",
            {"5. Juni": "1. Mai", "12. M\u00e4rz": "2. Mai"},
        ),
        ("March 1, June 2 and July 3.", "March 1, June 2 and July 3.", {}),
    ],
)
def test_a_month_of_the_source_does_not_stand_for_another(source, masked, originals):
    assert with_frequent_dates(source) == (masked, originals)


@pytest.mark.parametrize(
    ("source", "masked", "originals"),
    [
        ("I was born on 3/14/1985.", "I was born on July 3.", {"3. Juli": "14.3.1985"}),
        ("Pay by 3/4/24.", "Pay by July 3.", {"3. Juli": "3/4/24"}),
        (
            "From 12/24/2024 to January 2.",
            "From July 3 to June 5.",
            {"3. Juli": "24.12.2024", "5. Juni": "2. Januar"},
        ),
        ("We split it 50/50/20.", "We split it 50/50/20.", {}),
    ],
)
def test_dates_with_slashes_are_replaced(source, masked, originals):
    assert with_frequent_dates(source) == (masked, originals)

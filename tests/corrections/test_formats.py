import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from keras_transformer.corrections.formats import EnglishToGerman, Formats, formats

ENGLISH_GERMAN = EnglishToGerman()
MONTHS = {
    "January": "Januar",
    "February": "Februar",
    "March": "März",
    "April": "April",
    "May": "Mai",
    "June": "Juni",
    "July": "Juli",
    "August": "August",
    "September": "September",
    "October": "Oktober",
    "November": "November",
    "December": "Dezember",
}


@pytest.mark.parametrize(
    ("sentence", "masked", "originals"),
    [
        ("We met on July 13th.", "We met on June 5.", {"5. Juni": "13. Juli"}),
        ("On May 2, 1996, we left.", "On July 3, we left.", {"3. Juli": "2. Mai 1996"}),
        ("He came on 1 June 2001.", "He came on July 3.", {"3. Juli": "1. Juni 2001"}),
        ("On the 5th of April.", "On the 3rd of July.", {"3. Juli": "5. April"}),
        ("It was in October 2021.", "It was in July.", {"Juli": "Oktober 2021"}),
        ("May 2 to June 4", "July 3 to March 12", {"3. Juli": "2. Mai", "12. März": "4. Juni"}),
        ("May I go in August?", "May I go in August?", {}),
        ("It is at 3 pm.", "It is at 3:00 p.m.", {}),
        ("From 10-11 a.m.", "From 10-11 a.m.", {}),
        ("Open 9am-5:30pm.", "Open 9:00 a.m. to 5:30 pm.", {}),
        ("From 9am to 10 P.M. here", "From 9:00 a.m. to 10:00 p.m. here", {}),
        ("See you at 5 PM.", "See you at 5:00 p.m.", {}),
        ("At half past 2", "At half past two", {}),
        ("May 5-7", "July 3 to June 5", {"3. Juli": "5. Mai", "5. Juni": "7. Mai"}),
        ("At 7:30 pm", "At 7:30 pm", {}),
    ],
)
def test_dates_and_times_are_masked_by_frequent_ones(sentence, masked, originals):
    assert ENGLISH_GERMAN.masked(sentence) == (masked, originals)


@pytest.mark.parametrize(
    ("number", "rest", "english"),
    [
        ("12.450,5", "", "12,450.5"),
        ("3,50 €", "", "€3.50"),
        ("3,50\u00a0€", "", "€3.50"),
        ("€3,50", "", "€3.50"),
        ("2.30", " Uhr", "2:30"),
        ("14.30", " Uhr", "2:30 p.m."),
        ("15", " Uhr", "3:00 p.m."),
        ("9", " Uhr", "9"),
        ("24.12", ".", "24.12"),
        ("1.000.000", "", "1,000,000"),
        ("50 %", "", "50%"),
        ("-5 €", "", "-€5"),
        ("24", " Uhr", "12:00 a.m."),
        ("99.99", " Uhr", "99.99"),
        ("14-16", " Uhr", "2-4 p.m."),
        ("20 Uhr 15", "", "8:15 p.m."),
        ("10 000", "", "10,000"),
        ("10\u202f500 €", "", "€10,500"),
        ("14:30", "", "14:30"),
        ("halb 3", "", "2:30"),
    ],
)
def test_german_numbers_are_converted_to_english(number, rest, english):
    assert formats("de", "en").number(number, rest) == english


@pytest.mark.parametrize(
    ("number", "rest", "german"),
    [
        ("12,450.5", "", "12.450,5"),
        ("€3.50", "", "3,50 €"),
        ("3.50€", "", "3,50 €"),
        ("3.50 €", "", "3,50 €"),
        ("1,250 €", "", "1.250 €"),
        ("-2,500.75 €", "", "-2.500,75 €"),
        ("3,50 €", "", "3,50 €"),
        ("6:45", " today", "6.45"),
        ("6:45", " p.m.", "18.45"),
        ("12:10", " am", "0.10"),
        ("6am", "", "6"),
        ("7:15PM", "", "19.15"),
        ("1.2.3", "", "1.2.3"),
        ("2.30", " p.m.", "14.30"),
        ("7", " o'clock", "7"),
        ("10-11", " a.m.", "10-11"),
        ("9:00-10:00", " a.m.", "9:00-10:00"),
        ("8:30-10", " p.m.", "20:30-22"),
        ("8.30pm", "", "20.30"),
        ("$5", " pm", "5 $"),
        ("10:30:15", " am", "10:30:15"),
        ("³", " pm", "³"),
        ("A1.5", "", "A1.5"),
        ("2-4pm", "", "14-16"),
        ("half past 2", "", "2.30"),
        ("8", " tonight", "8"),
        ("6.30", "", "6,30"),
    ],
)
def test_numbers_are_converted_to_the_german_format(number, rest, german):
    assert ENGLISH_GERMAN.number(number, rest) == german


def test_a_copied_date_with_slashes_is_corrected():
    source = "On 5/13/2024 at 6 p.m. and on 5/14/2024."
    found = EnglishToGerman().corrected(source, "Am 5/13/2024 um 18 Uhr und am 14.5.2024.")
    assert found == "Am 13.5.2024 um 18 Uhr und am 14.5.2024."


def test_dates_and_hours_are_corrected_together():
    source = "At 9 a.m. or half past nine on May 3."
    corrected = ENGLISH_GERMAN.corrected(source, "Um 9.00 Uhr oder halb neun am 23. Mai.")
    assert corrected == "Um 9 Uhr oder halb zehn am 3. Mai."


@pytest.mark.parametrize(
    ("languages", "translation", "tidied"),
    [
        (
            "en de",
            "Um 9 Uhr Uhr am 3. Mai. Juli, 5 $ Uhr.",
            "Um 9 Uhr am 3. Mai, 5 $.",
        ),
        ("de en", "At 3 p.m. p.m. on July 5. March", "At 3 p.m. on July 5. March"),
        ("en fr", "5 $ Uhr Uhr", "5 $ Uhr Uhr"),
    ],
)
def test_words_that_are_repeated_or_wrong_after_a_value_are_removed(languages, translation, tidied):
    assert formats(*languages.split()).tidied("", translation, ["5 $"]) == tidied


def test_formats_depend_on_both_languages():
    assert formats("en", "de").number("6:45") == "6.45"
    assert formats("de", "en").number("12.450,5") == "12,450.5"
    assert formats("de", "en").number("6:45") == "6:45"
    assert type(formats("en", "fr")) is Formats


PARTS = st.sampled_from(
    ["May", "July", " ", "7", "2021", "am", "p.m.", "half past", "nine", "halb"]
)
TEXTS = st.lists(PARTS | st.text(max_size=5)).map("".join)


@given(TEXTS, TEXTS)
@example("7am", "7.00 Uhr")
@example("May I?", "Mai")
def test_only_dates_times_and_half_hours_of_a_text_are_masked_and_corrected(text, translation):
    masked, originals = ENGLISH_GERMAN.masked(text)
    corrected = ENGLISH_GERMAN.corrected(text, translation)
    if not any(month in text for month in MONTHS):
        assert originals == {}
    if not re.search(r"\d", text):
        assert (masked, originals) == (text, {})
        assert corrected == translation or re.search("half past", text, re.IGNORECASE)


@given(st.lists(st.tuples(st.integers(1, 31), st.sampled_from(list(MONTHS))), max_size=5))
def test_up_to_three_dates_are_masked_in_their_order(dates):
    """A frequent date is left out if the text contains its month."""
    english = [f"{month} {day}" for day, month in dates]
    german = [f"{day}. {MONTHS[month]}" for day, month in dates]
    masked, originals = ENGLISH_GERMAN.masked("From " + " then ".join(english))
    frequent = {"July 3": "3. Juli", "June 5": "5. Juni", "March 12": "12. März"}
    months = {month for _, month in dates}
    free = [date for date in frequent if date.split()[0] not in months]
    assert masked == "From " + " then ".join(free[: len(dates)] + english[len(free) :])
    assert originals == dict(zip(map(frequent.get, free), german, strict=False))

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.translation.formats import EnglishToGerman, Formats, formats

ENGLISH_GERMAN = EnglishToGerman()


@pytest.mark.parametrize(
    ("sentence", "masked", "originals"),
    [
        ("We met on July 13th.", "We met on July 3.", {"3. Juli": "13. Juli"}),
        ("On May 2, 1996, we left.", "On July 3, we left.", {"3. Juli": "2. Mai 1996"}),
        ("He came on 1 June 2001.", "He came on July 3.", {"3. Juli": "1. Juni 2001"}),
        ("On the 5th of April.", "On the 3rd of July.", {"3. Juli": "5. April"}),
        ("It was in October 2021.", "It was in July.", {"Juli": "Oktober 2021"}),
        ("May 2 to June 4", "July 3 to June 5", {"3. Juli": "2. Mai", "5. Juni": "4. Juni"}),
        ("May I go in August?", "May I go in August?", {}),
        ("It is at 3 pm.", "It is at 3:00 p.m.", {}),
        ("From 10-11 a.m.", "From 10-11 a.m.", {}),
        ("From 9am to 10 P.M. here", "From 9:00 a.m. to 10:00 P.m. here", {}),
        ("At 7:30 pm", "At 7:30 pm", {}),
    ],
)
def test_dates_and_times_are_masked_by_frequent_ones(sentence, masked, originals):
    assert ENGLISH_GERMAN.masked(sentence) == (masked, originals)


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
    assert ENGLISH_GERMAN.corrected(source, translation) == corrected


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
        ("$5", " pm", "5 $"),
        ("10:30:15", " am", "10:30:15"),
        ("³", " pm", "³"),
        ("A1.5", "", "A1.5"),
    ],
)
def test_numbers_are_converted_to_the_german_format(number, rest, german):
    assert ENGLISH_GERMAN.number(number, rest) == german


@pytest.mark.parametrize(
    ("source", "translation", "corrected"),
    [
        ("Open at 9 a.m.", "Um 9.00 Uhr offen.", "Um 9 Uhr offen."),
        ("from 8 am to 6 pm", "von 8:00 Uhr bis 18.00 Uhr", "von 8 Uhr bis 18 Uhr"),
        ("9 a.m. or 9:00", "9.00 Uhr oder 9.00 Uhr", "9.00 Uhr oder 9.00 Uhr"),
        ("9 a.m.", "9.00 Euro", "9.00 Euro"),
        ("It is half past nine.", "Es ist halb neun.", "Es ist halb zehn."),
        ("Half past twelve?", "Halb zwölf?", "Halb eins?"),
        ("half past one or half past two", "halb eins oder halb drei", "halb zwei oder halb drei"),
        ("half past one or half past two", "um halb eins", "um halb eins"),
        ("half past midnight", "halb Mitternacht", "halb Mitternacht"),
        ("half a loaf", "ein halb leeres Brot", "ein halb leeres Brot"),
    ],
)
def test_full_and_half_hours_are_corrected_from_the_source(source, translation, corrected):
    assert ENGLISH_GERMAN.corrected(source, translation) == corrected


@pytest.mark.parametrize(
    ("translation", "tidied"),
    [
        ("Ich komme am 3. Mai. Juli.", "Ich komme am 3. Mai."),
        ("Am 3. Mai. Mai. Juli ist es.", "Am 3. Mai ist es."),
        ("Am 3. Mai und 4. Juni.", "Am 3. Mai und 4. Juni."),
        ("Das war 2018. Mai ist kalt.", "Das war 2018. Mai ist kalt."),
        ("Am Dienstag, Juli 5. M\u00e4rz.", "Am Dienstag, 5. M\u00e4rz."),
        ("Am 3. Mai 5. Mai.", "Am 3. Mai 5. Mai."),
        ("Im Juli am 5. M\u00e4rz.", "Im Juli am 5. M\u00e4rz."),
    ],
)
def test_a_month_beside_a_date_is_removed(translation, tidied):
    assert formats("en", "de").tidied(translation, ()) == tidied


def test_formats_depend_on_both_languages():
    assert formats("en", "de").number("6:45") == "6.45"
    assert formats("de", "en").number("12.450,5") == "12,450.5"
    assert formats("de", "en").number("6:45") == "6:45"
    assert type(formats("en", "fr")) is Formats


@given(st.text())
def test_any_text_can_be_masked_and_corrected(text):
    masked, originals = ENGLISH_GERMAN.masked(text)
    assert bool(originals) == (masked != text) or "3" in text
    assert isinstance(ENGLISH_GERMAN.corrected(text, text), str)

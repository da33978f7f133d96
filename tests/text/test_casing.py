import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.casing import is_in_capitals, without_capitals


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("WHERE IS THE BANK?", "Where is the bank?"),
        ("ÜBER DIE BRÜCKE", "Über die brücke"),
        ("OK, USA", "Ok, usa"),
        ("WRITE TO JO@EXAMPLE.ORG, NOT TO ME", "Write to JO@EXAMPLE.ORG, not to me"),
        ("WE TAKE FLIGHT LH400 TODAY", "We take flight LH400 today"),
        ("\u0130STANBUL IS A TOWN", "\u0130STANBUL IS A TOWN".capitalize()),
        ('"STOP THAT NOW!"', '"Stop that now!"'),
        ("(CLOSED ON SUNDAY)", "(Closed on sunday)"),
        ("[1] PLEASE SIT DOWN", "[1] Please sit down"),
        ("1. PLEASE SIT DOWN", "1. Please sit down"),
        ("16 PEOPLE CAME", "16 people came"),
        ("\U0001f600 WE ARE HERE", "\U0001f600 We are here"),
        ("SSD 500 GB NEW", "Ssd 500 GB new"),
        ("IT IS 25 \u00b0C AT 80 KM/H", "It is 25 \u00b0C at 80 km/h"),
        ("WITH 50 HZ OR 5 KWH", "With 50 Hz or 5 kWh"),
        ("MAY 2ND OR 21ST AT 5PM", "May 2nd or 21st at 5pm"),
        ("IN THE 1990S AND 80S", "In the 1990s and 80s"),
        ("MY PHONE 5S, 3D AND MP3", "My phone 5S, 3D and MP3"),
        ("WE RAN 5KM", "We ran 5km"),
        ("THE B-17 FLEW", "The B-17 flew"),
        ("FLIGHT LH-400 IS LATE", "Flight LH-400 is late"),
        ("AN F-16C OR A U-2?", "An F-16C or a U-2?"),
        ("САМОЛЁТ ТУ-154 ЛЕТИТ", "Самолёт ТУ-154 летит"),
        ("DER B-17-BOMBER UND DAS A4-BLATT", "Der B-17-bomber und das A4-blatt"),
        ("OPEN 9AM-5PM OR 9-5PM", "Open 9am-5pm or 9-5pm"),
        ("A 2-YEAR-OLD CHILD", "A 2-year-old child"),
        ("THE MID-1990S AND THE TOP-10", "The mid-1990s and the top-10"),
        ("AN ALL-IN-1 PRINTER FOR WINDOWS-11", "An all-in-1 printer for windows-11"),
        ("NASA", "NASA"),
        ("I AM", "I AM"),
        ("I like the BBC.", "I like the BBC."),
        ("42 - 7", "42 - 7"),
        ("", ""),
    ],
)
def test_only_sentences_in_capitals_change(typed, expected):
    assert without_capitals(typed) == expected


@pytest.mark.parametrize(
    ("typed", "lang", "expected"),
    [
        ("I THINK I KNOW", "en", "I think I know"),
        ("I'M IN, AND SO AM I.", "en", "I'm in, and so am I."),
        ("USE A.I. OR I.E. THIS", "en", "Use a.i. or i.e. this"),
        ("CON I BAMBINI", "it", "Con i bambini"),
    ],
)
def test_only_english_has_a_pronoun_in_capitals(typed, lang, expected):
    assert without_capitals(typed, lang) == expected


@pytest.mark.parametrize(
    ("typed", "lang", "expected"),
    [
        ("YARIN GELİYORUM", "tr", "Yarın geliyorum"),
        ("İZMİR ÇOK SICAK", "tr", "İzmir çok sıcak"),
        ("IŞIK Bİ-5 KAPIDA", "tr", "Işık Bİ-5 kapıda"),
        ("BAKI BÖYÜK ŞƏHƏRDİR", "az", "Bakı böyük şəhərdir"),
        ("IT IS HERE", "en", "It is here"),
    ],
)
def test_turkish_and_azerbaijani_have_two_letters_i(typed, lang, expected):
    assert without_capitals(typed, lang) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "我在 IBM 工作了三年。",
        "昨日 NHK で見ました。",
        "어제 KBS 에서 봤어요.",
        "عملت في IBM ثلاث سنوات.",
        "मैं IBM में काम करता हूँ।",
        "עבדתי ב IBM שלוש שנים.",
    ],
)
def test_an_acronym_among_letters_without_case_is_not_a_sentence_in_capitals(sentence):
    assert without_capitals(sentence, "zh") == sentence
    assert not is_in_capitals(sentence)


@pytest.mark.parametrize(
    ("typed", "lang", "expected"),
    [
        ("WO IST DIE NÄCHSTE STRAßE?", "de", "Wo ist die nächste straße?"),
        ("VIVO EN EL 3º PISO", "es", "Vivo en el 3º piso"),
        ("IN DEN 80ER JAHREN", "de", "In den 80er jahren"),
        ("DER 2TE BUS UND DIE 21STEN", "de", "Der 2te bus und die 21sten"),
        ("LE 1ER MAI À 14H30", "fr", "Le 1er mai à 14h30"),
        ("LE 1ER MAI", "en", "Le 1ER mai"),
        ("KIZIM IRMAK", "tr", "Kızım ırmak"),
        ("KIZIM IRMAK", "crh", "Kızım ırmak"),
        ("KIZIM IRMAK", "gag", "Kızım ırmak"),
    ],
)
def test_letters_and_numbers_of_other_languages(typed, lang, expected):
    assert without_capitals(typed, lang) == expected


@given(
    st.text(st.sampled_from("AI\u00c4 .1)[\u00b0CGB\u4f60"), max_size=15),
    st.sampled_from(["en", "de"]),
)
def test_sentence_case_changes_nothing_but_case(typed, lang):
    found = without_capitals(typed, lang)
    assert found.upper() == typed.upper()
    assert without_capitals(found, lang) == found


def test_cherokee_is_not_in_capitals_and_georgian_sentences_begin_without_one():
    assert without_capitals("ᎣᏏᏲ ᏙᎯᏧ ᎠᏂ", "chr") == "ᎣᏏᏲ ᏙᎯᏧ ᎠᏂ"
    assert without_capitals("მოდიხარ სახლში".upper(), "ka") == "მოდიხარ სახლში"

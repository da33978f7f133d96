"""Names and values in languages whose formats are unknown, or that have no spaces."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from num2words import CONVERTER_CLASSES

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.formats import Formats, formats
from keras_transformer.corrections.number_words import word_pattern
from keras_transformer.text.digits import ascii_digits
from keras_transformer.text.words import WORD
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.line_translator import LineTranslator
from keras_transformer.translation.translation import Translation

# A clause without spaces looks like a word.
CLAUSES = {"我昨天见了沃洛维茨", "私はキンカンが好きです"}
UNKNOWN = {"Wolowitz", "Volovitz", "kumquats", "Воловица", *CLAUSES}


def restored(source, translation, source_lang, target_lang):
    """Return a translation with the corrections for two languages, whose words are known."""
    source_counts, target_counts = (
        {word: 9 for word in WORD.findall(text) if word not in UNKNOWN}
        for text in (source, translation)
    )
    languages = formats(source_lang, target_lang)
    copier = Copier(source_counts, target_counts, languages, target_lang, None, source_lang)
    return copier.restored(source, source, translation, {})


@pytest.mark.parametrize(
    ("source", "translation", "source_lang", "target_lang"),
    [
        ("I met Wolowitz yesterday.", "我昨天见了沃洛维茨。", "en", "zh"),
        ("I like kumquats.", "私はキンカンが好きです。", "en", "ja"),
        ("我昨天见了沃洛维茨。", "I met Volovitz yesterday.", "zh", "en"),
        ("I met Wolowitz yesterday.", "Вчера я встретил Воловица.", "en", "ru"),
    ],
)
def test_words_of_other_scripts_or_without_spaces_stay(
    source, translation, source_lang, target_lang
):
    assert restored(source, translation, source_lang, target_lang) == translation


def test_a_garbled_name_of_the_same_script_is_replaced():
    found = restored("I met Wolowitz yesterday.", "J'ai vu Volovitz hier.", "en", "fr")
    assert "Wolowitz" in found


@pytest.mark.parametrize(
    ("languages", "source", "translation"),
    [
        ("en fr", "The train leaves at 6:45 p.m.", "Le train part à 18h45."),
        ("en fr", "The train leaves at 6:45 p.m.", "Le train part à 18 h 45."),
        ("en fr", "The train leaves at 6 p.m.", "Le train part à 18h."),
        ("en es", "The train leaves at 6:45 a.m.", "El tren sale a las 06:45."),
        ("fr en", "Le train part à 18 h 45.", "The train leaves at 6:45 p.m."),
        ("en ja", "The train leaves at 6:45 p.m.", "電車は午後6時45分に出ます。"),
        ("en zh", "The train leaves at 10:30.", "火车10点30分出发。"),
        ("en fr", "1,500 people came.", "1 500 personnes sont venues."),
        ("en fr", "1,500 people came.", "1\u202f500 personnes sont venues."),
        ("en es", "1,500 people came.", "Vinieron 1.500 personas."),
        ("en es", "1,500 people came.", "Vinieron 1500 personas."),
        ("en pl", "1500 people came.", "Przyszło 1 500 osób."),
        ("en hi", "100,000 people", "1,00,000 लोग"),
        ("en ar", "1,500 people", "١٬٥٠٠ شخص"),
        ("fr en", "1 500 personnes sont venues.", "1,500 people came."),
        ("fr en", "Il coûte 12 450,50 euros.", "It costs 12,450.50 euros."),
        ("sv en", "2 000 kr", "2,000 kronor"),
        ("en fr", "It costs 3.5 euros.", "Il coûte 3,5 euros."),
        ("en fr", "It costs €20.", "Il coûte 20 €."),
        ("en fr", "It costs €3.50.", "Il coûte 3,50 €."),
        ("en fr", "It costs $1,500.", "Il coûte 1 500 $."),
        ("en fr", "It weighs 3.5 kg.", "Il pèse 3,5 kg."),
        ("en ru", "It weighs 3.5 kg.", "Он весит 3,5 кг."),
        ("en fr", "10-20 people", "10 à 20 personnes"),
        ("en ja", "10-20 people", "10〜20人"),
        ("en fr", "on 03/05/2021", "le 05/03/2021"),
        ("en fr", "in the 1980s", "dans les années 80"),
        ("en fr", "5,000,000 people", "5 millions de personnes"),
        ("en ja", "20,000 people came.", "2万人が来ました。"),
        ("en zh", "20,000 people came.", "来了2万人。"),
        ("en ja", "He has 250 books.", "彼は本を250冊持っている。"),
        ("en ja", "20 books", "二十冊"),
        ("en zh", "20 books", "二十本书"),
        ("en zh", "2000 people", "两千人"),
        ("en ja", "It is 50%.", "50%です。"),
        ("ja en", "彼は3歳です。", "He is three years old."),
        ("zh en", "他今年25岁。", "He is 25 years old."),
        ("zh en", "2021年", "2021"),
        ("en ar", "in 2021", "في عام ٢٠٢١"),
        ("en fr", "The train leaves at 10 p.m.", "Le train part à 22 h."),
        ("fr en", "Le train part à 22 h.", "The train leaves at 10 p.m."),
        ("en ru", "It is 10 p.m., 22 people came.", "В понедельник 22 часа, пришли 22 человека."),
        ("en fr", "60 miles", "97 kilomètres"),
        ("en fr", "It is 50% cheaper.", "C'est 50 % moins cher."),
        ("fr en", "C'est 50 % moins cher.", "It is 50% cheaper."),
        ("en fr", "He ran 100m.", "Il a couru 100 m."),
        ("en zh", "Take the B-17.", "坐B-17。"),
        ("en ja", "See https://example.com today.", "今日https://example.comを見て。"),
        ("en ko", "Email bob@example.com", "bob@example.com으로 보내세요"),
        ("zh en", "请发邮件到bob@example.com联系", "Email bob@example.com"),
        ("en zh", "It costs $20.", "它要二十美元。"),
        ("en ja", "It weighs 25 kg.", "重さは二十五キロです。"),
        ("en es", "31 girls", "treinta y una chicas"),
        ("en es", "200 people", "doscientas personas"),
        ("en fr", "at 12:00", "à midi"),
        ("fr en", "à 18 h 30", "at half past six"),
        ("en ru", "5 km from here", "в пяти километрах отсюда"),
        ("en ru", "The B-17 flies.", "Б-17 летит."),
        ("en fr", "On the 3rd day he ate 250 eggs.", "Le 3e jour il a mangé des œufs."),
        ("ar en", "في عام ٢٠٢١", "in 2021."),
        ("fa en", "۲۵۰ دلار", "250 dollars"),
    ],
)
def test_a_value_in_the_format_of_another_language_stays(languages, source, translation):
    assert restored(source, translation, *languages.split()) == translation


@pytest.mark.parametrize(
    ("languages", "source", "translation", "expected"),
    [
        ("fa en", "۲۵۰ دلار", "dollars", "250 dollars"),
        ("en fr", "I met 1984 people.", "J'ai vu 1994 personnes.", "J'ai vu 1984 personnes."),
        ("en fr", "in 250 years", "dans ans", "dans 250 ans"),
        ("en fr", "It is 12,450.5.", "C'est.", "C'est 12,450.5."),
        ("en fr", "Take B-17 at 6:45", "Prends à 18h45", "Prends B-17 à 18h45"),
        ("zh en", "请发邮件到bob@example.com联系", "Email me", "Email bob@example.com me"),
    ],
)
def test_garbled_and_missing_numbers_are_mended(languages, source, translation, expected):
    assert restored(source, translation, *languages.split()) == expected


@pytest.mark.parametrize(
    ("languages", "source", "translation"),
    [
        ("en de", "5,000,000 people", "5 Millionen Menschen"),
        ("en de", "2,500,000 people", "2,5 Millionen Menschen"),
        ("en de", "1,250,000 people", "1,25 Millionen Menschen"),
        ("en de", "5,000,000,000 people", "5 Milliarden Menschen"),
        ("en de", "It costs $5,000,000.", "Es kostet 5 Millionen Dollar."),
        ("de en", "Es kostet 5.000.000 \u20ac.", "It costs \u20ac5 million."),
        ("de en", "Es kostet 5.000.000 \u20ac.", "It costs 5 million euros."),
        ("de en", "1.200.000.000 Menschen", "1.2 billion people"),
        ("de en", "5 Millionen Menschen", "5,000,000 people"),
        ("de en", "2,5 Millionen Menschen", "2,500,000 people"),
        ("de en", "Es sind 1.100.200.150 Euro.", "It is 1,100,200,150 euros."),
    ],
)
def test_large_numbers_may_have_words_in_german_and_english(languages, source, translation):
    assert restored(source, translation, *languages.split()) == translation


class Phrases:
    """A substitute for a network, which translates parts of sentences and copies the rest."""

    def __init__(self, phrases):
        self.phrases = phrases

    def translate(self, sentences, numbers=None):
        for sentence in sentences:
            text = sentence
            for phrase, translation in self.phrases.items():
                text = re.sub(phrase, translation, text)
            yield [Translation(text, -1.0)]


@pytest.mark.parametrize(
    ("languages", "phrases", "line", "expected"),
    [
        (
            "en ja",
            {r"Call (.+)\.": r"\1に電話してください。"},
            "Call 03-1234-5678.",
            "03-1234-5678に電話してください。",
        ),
        (
            "en ja",
            {r"See (.+) for details\.": r"詳細は\1をご覧ください。"},
            "See https://example.com for details.",
            "詳細はhttps://example.comをご覧ください。",
        ),
        (
            "en zh",
            {r"Flight (.+) is late\.": r"\1号航班晚点了。"},
            "Flight CA 123 is late.",
            "CA 123号航班晚点了。",
        ),
        (
            "en ko",
            {r"Email (.+) today\.": r"오늘 \1로 이메일을 보내세요."},
            "Email bob@example.com today.",
            "오늘 bob@example.com로 이메일을 보내세요.",
        ),
        (
            "zh en",
            {r"我坐(\d+)航班去北京。": r"I take flight \1 to Beijing."},
            "我坐CA123航班去北京。",
            "I take flight CA123 to Beijing.",
        ),
        (
            "zh en",
            {"他在2020年买了(.+)播放器。": r"He bought an \1 player in 2020."},
            "他在2020年买了MP3播放器。",
            "He bought an MP3 player in 2020.",
        ),
        (
            "zh en",
            {"请打(.+)。": r"Please call \1."},
            "请打010-12345678。",
            "Please call 010-12345678.",
        ),
        (
            "zh en",
            {"我在 IBM 工作了三年。": "I worked at IBM for three years."},
            "我在 IBM 工作了三年。",
            "I worked at IBM for three years.",
        ),
        (
            "en de",
            {"At noon email (.+)\\.": r"Um 12 Uhr schreib an \1."},
            "At noon email bob@example.com.",
            "Um 12 Uhr schreib an bob@example.com.",
        ),
        (
            "de en",
            {r"Das Feuerwehrauto ist rot\.": "The fire engine is red."},
            "Das Feuerwehrauto ist rot.",
            "The fire engine is red.",
        ),
        (
            "en de",
            {"In (.+) we left and in July we came.": r"Im \1 gingen wir und im Juli kamen wir."},
            "In May 2020 we left and in July we came.",
            "Im Mai 2020 gingen wir und im Juli kamen wir.",
        ),
    ],
)
def test_lines_keep_their_values(languages, phrases, line, expected):
    source_lang, target_lang = languages.split()
    source_counts, target_counts = (
        dict.fromkeys(["Peter", "Berlin", *WORD.findall(text)], 9) for text in (line, expected)
    )
    source_counts.pop("Feuerwehrauto", None)
    copier = Copier(
        source_counts,
        target_counts,
        formats(source_lang, target_lang),
        target_lang,
        None,
        source_lang,
    )
    network = Phrases(phrases | {r"\bJune\b": "Juni"})
    translator = LineTranslator(network, source_lang, target_lang, copier=copier)
    [found] = translator.translate([line])
    assert [each.text for each in found.translations()] == [expected]


def test_a_sentence_is_translated_again_if_the_frequent_name_is_inflected():
    names = dict.fromkeys(["Peter", "Petera", "I", "know", "Znam"], 9)
    network = Phrases({r"I know Peter\.": "Znam Petera.", r"I know Zork\.": "Znam Zork."})
    copier = Copier(names, names, Formats(), "pl", None, "en")
    [found] = LineTranslator(network, "en", "pl", copier=copier).translate(["I know Zork."])
    assert [each.text for each in found.translations()] == ["Znam Zork."]


def test_numbers_that_may_be_another_form_are_not_removed():
    assert restored("2 of 14 people", "2 de 14 (14h30)", "en", "fr") == "2 de 14 (14h30)"
    assert restored("14 people", "14 personnes et 7", "en", "fr") == "14 personnes et 7"


@given(st.text(max_size=20), st.text(max_size=20), st.sampled_from(["en", "de", "fr", "zh", "sv"]))
def test_any_text_can_be_corrected(source, translation, lang):
    assert isinstance(restored(source, translation, "en", lang), str)


@pytest.mark.parametrize("lang", [*sorted(CONVERTER_CLASSES), "xx"])
@pytest.mark.parametrize("number", [0, 7, 1984, 1500, 1_677_739, 9_999_999])
def test_number_words_of_any_language_are_a_pattern_or_unknown(lang, number):
    pattern = word_pattern(number, lang)
    assert pattern is None or re.compile(pattern)


@pytest.mark.parametrize("char", ["\\", r"\1", r"\g<0>", r"c$\docs"])
@pytest.mark.parametrize("lang", ["de", "fr"])
def test_a_backslash_in_an_address_is_no_escape(char, lang):
    source = f"The file is at smb://server/{char}€ today."
    assert f"smb://server/{char}" in restored(source, source, "en", lang)


def test_a_german_price_in_english_digits_gets_its_sign_in_front():
    found = restored("Es kostet 3,50 \u20ac.", "It is 3.50 \u20ac.", "de", "en")
    assert found == "It is \u20ac3.50."


def test_an_ip_address_has_no_separators_of_thousands():
    german = "Der Server hat die Adresse 192.168.100.200."
    found = restored(german, "The server has the address 192.168.10.", "de", "en")
    assert found == "The server has the address 192.168.100.200."
    assert restored("Es sind 1.234.567.890 Euro.", "It is euros.", "de", "en").count(",") == 3


@pytest.mark.parametrize(
    ("source", "translation"),
    [("big book 250", "\u09ac\u09a1\u09bc \u09ac\u0987"), ("cafe\u0301 357", "the coffee")],
)
def test_a_value_is_placed_among_letters_that_are_not_composed(source, translation):
    lexicon = Lexicon.learn([("big", "\u09ac\u09a1\u09bc"), ("caf\u00e9", "coffee")] * 9)
    copier = Copier({}, {}, Formats(), "bn", lexicon, "en")
    number = source.split()[-1]
    assert number in copier.completed(source, translation)


@given(st.text())
def test_digits_become_ascii_digits_of_the_same_value(text):
    found = ascii_digits(text)
    assert len(found) == len(text)
    assert [int(c) for c in text if c.isdecimal()] == [int(c) for c in found if c.isdecimal()]
    assert all(c.isascii() for c in found if c.isdecimal())

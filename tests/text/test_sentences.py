import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.sentences import join_sentences, split_sentences


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("Hello. How are you?", ["Hello.", "How are you?"]),
        ("hello. how are you?", ["hello.", "how are you?"]),
        ("Mr. Smith paid $3.50 at 6:45 p.m. today.", ["Mr. Smith paid $3.50 at 6:45 p.m. today."]),
        ("What?! No way.", ["What?!", "No way."]),
        ("\tHello.\u00a0Bye! ", ["Hello.", "Bye!"]),
        ("See https://a.org/x?B=1. Bye!", ["See https://a.org/x?B=1.", "Bye!"]),
        ("Is it a.b@c.example? Yes.", ["Is it a.b@c.example?", "Yes."]),
        ("no mark at all", ["no mark at all"]),
        ("", []),
        (" \t", []),
        ("a\udc80b. C.", ["a?b.", "C."]),
    ],
)
def test_lines_are_split_into_sentences(line, sentences):
    assert split_sentences(line, "en") == sentences


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("de", "Der 2. Weltkrieg endete 1945."),
        ("de", "Er wohnt im 3. Stock."),
        ("de", "Sie hat am 24.12. Geburtstag."),
        ("de", "Das kostet 50 Euro inkl. Fr\u00fchst\u00fcck."),
        ("de", "Anna Schmidt, geb. M\u00fcller, ist da."),
        ("de", "Im 19. und 20. Jahrhundert war das so."),
        ("de", "Der 1. FC K\u00f6ln spielt heute."),
        ("de", "Jeder 3. Deutsche raucht."),
        ("de", "Ihr 2. Kind ist da."),
        ("nb", "Den 2. verdenskrig sluttet."),
        ("pl", "W 2. wojnie \u015bwiatowej."),
        ("hu", "A 3. ker\u00fcletben lakik."),
        ("tr", "O 3. katta oturuyor."),
        ("is", "Hann b\u00fdr \u00e1 3. h\u00e6\u00f0."),
        ("fr", "M. Dupont est l\u00e0."),
        ("fr", "Le Dr. Martin et Mme. Durand."),
        ("nl", "Mevr. Pieters woont hier."),
        ("fr", "M. de Villepin parle."),
        ("fr", "Mme. de Staël écrit."),
        ("fr", "J'ai vu M. d'Alembert."),
        ("fr", "Voici M. d’Alembert et M. von Braun."),
        ("fr", "J'ai vu M. l'abbé, M. le Maire et Mlle. van Gogh."),
        ("nl", "Mevr. de Vries woont hier."),
        ("nl", "Ik zag Mw. de Vries en Dhr. van 't Hoff."),
        ("nl", "Dhr. 't Hart en Mevr. ten Brink."),
        ("de", "Der 2. Vor-Ort-Termin ist heute."),
        ("en", "It is approx. 5 m long."),
        ("en", "See Vol. 3 pp. 5-7."),
    ],
)
def test_ordinals_and_abbreviations_do_not_end_a_sentence(lang, line):
    assert split_sentences(line, lang) == [line]


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("de", ["Er ist 12.", "Sie ist 10."]),
        ("de", ["Er ist 12.", "Anna ist 10."]),
        ("de", ["Er kommt am 3.", "Sie kommt am 5."]),
        ("de", ["Heute ist der 24.", "Morgen ist der 25. Dezember."]),
        ("de", ["Er kam im Jahr 1945.", "Krieg war vorbei."]),
        ("de", ["Die Feier ist am 12.", "Kommst du auch?"]),
        ("de", ["Er kommt am 12.", "Sind wir dann da?"]),
        ("de", ["Er kommt am 3.12.", "Sie ist dann da."]),
        ("de", ["Sie kam am 3.", "Seit dem 5. Mai ist sie krank."]),
        ("en", ["I am in the 3.", "She is not."]),
        ("en", ["It is 12.", "Pages are missing."]),
        ("pl", ["Mam 12.", "Ona ma 10."]),
        ("fr", ["Il mesure 2 M.", "Dupont aussi."]),
        ("fr", ["Voici la Ste.", "demain, je pars."]),
        ("nl", ["Dit is Mw.", "denk je dat?"]),
        ("hu", ["Itt a tél.", "5 fok van."]),
        ("hu", ["Ő is kap.", "3 alma van."]),
    ],
)
def test_other_numbers_and_letters_end_a_sentence(lang, sentences):
    assert split_sentences(" ".join(sentences), lang) == sentences


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("en", ["Please help me.", "I am lost."]),
        ("en", ["The answer is no.", "I am sorry."]),
        ("en", ["No.", "I am fine."]),
        ("en", ["I am ill.", "Peter is not."]),
        ("en", ["It is OK.", "I am here."]),
        ("en", ["Show me your ID.", "I am here."]),
        ("en", ["Help me.", '"Why?" he asked.']),
        ("en", ['He said, "Help me. I am lost."', "I was ill.", "I am fine."]),
        ("de", ["Ich weiß nicht, was er mag.", "Frag ihn."]),
        ("de", ["Er fragte mich.", "Antworten hatte ich nicht."]),
        ("de", ["Das ist die Art.", "Ich mag sie."]),
        ("de", ["Das ist Jan.", "Er ist nett."]),
    ],
)
def test_an_ordinary_word_ends_a_sentence(lang, sentences):
    assert split_sentences(" ".join(sentences), lang) == sentences


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "See No. 5 and no. 6."),
        ("en", "See No. IV there."),
        ("en", "We moved to Boise, ID. I like it."),
        ("en", '"Please help me. I am lost."'),
        ("en", "(Please help me. I am lost.)"),
        ("de", "Art. 3 GG und Art. II GG gelten."),
        ("de", "Mag. Müller kam."),
        ("de", "Es war am 5. Jan. Abends kam er."),
        ("de", '"Er mag mich. Ich mag ihn."'),
    ],
)
def test_such_a_word_may_be_an_abbreviation(lang, line):
    assert split_sentences(line, lang) == [line]


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("de", "Er war... äh, krank."),
        ("de", "Er war ... ähnlich krank."),
        ("de", "Das ist ein ... Problem."),
        ("de", "Er wohnt in ... Quedlinburg."),
        ("de", "Das ist ja ... wirklich schön."),
        ("fr", "C'est un... éléphant."),
        ("en", "It was... er, bad."),
    ],
)
def test_an_ellipsis_within_a_sentence_does_not_end_it(lang, line):
    assert split_sentences(line, lang) == [line]


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("de", ["Warte ...", "Ich komme."]),
        ("de", ["Das ist ein ...", "Nein, warte."]),
        ("de", ["Du E...", "Peter kommt."]),
        ("en", ["It was...", "Well, bad."]),
    ],
)
def test_another_ellipsis_ends_a_sentence(lang, sentences):
    assert split_sentences(" ".join(sentences), lang) == sentences


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", '"Why?" he asked.'),
        ("de", "„Ja!“ – rief er."),
        ("fr", "« Oui ! » dit-il."),
        ("ru", "«Ты идёшь?» — спросил он."),
        ("ru", '"Ты идёшь?" - спросил он.'),
        ("uk", "«Ти йдеш?» — запитав він."),
        ("pl", "„Przyjdziesz?” zapytał."),
        ("pl", "„Przyjdziesz?” – zapytał."),
        ("sv", "”Kommer du?” frågade han."),
        ("hu", "„Jössz?” – kérdezte."),
        ("da", "»Kommer du?« spurgte han."),
        ("el", "«Έρχεσαι;» ρώτησε."),
        ("ja", "「元気？」と聞いた。"),
        ("ja", "彼は「はい。」と言った。"),
        ("ja", "「はい。」って言った。"),
    ],
)
def test_direct_speech_is_not_divided_from_its_verb(lang, line):
    assert split_sentences(line, lang) == [line]


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("en", ['"Why?"', '- "No."']),
        ("de", ["„Ja!“", "– Er ging."]),
        ("ru", ["«Ты идёшь?» — спросил он.", "Она молчала."]),
        ("ru", ["«Да?»", "— «Нет.»"]),
        ("pl", ["„Tak.”", "On przyszedł."]),
        ("sv", ["”Ja.”", "Han kom."]),
        ("ka", ["„მოდიხარ?“", "ის წავიდა."]),
    ],
)
def test_another_sentence_follows_direct_speech(lang, sentences):
    assert split_sentences(" ".join(sentences), lang) == sentences


def test_another_sentence_follows_japanese_direct_speech():
    assert split_sentences("「はい。」彼は来た。", "ja") == ["「はい。」", "彼は来た。"]


@pytest.mark.parametrize("lang", ["en", "de", "fr", "pl"])
@given(line=st.text(st.sampled_from("aA1. -MDr"), max_size=30))
def test_splitting_keeps_every_character(lang, line):
    assert "".join("".join(split_sentences(line, lang)).split()) == "".join(line.split())


WORDS = st.sampled_from(["me.", "mich.", "I", "Ä", '"', "(", ")", "am", "12.", "ein", "...", "No."])


@pytest.mark.parametrize("lang", ["en", "de"])
@given(words=st.lists(WORDS))
def test_splitting_keeps_every_word(lang, words):
    sentences = split_sentences(" ".join(words), lang)
    assert all(sentences)
    assert " ".join(sentences).split() == words


@given(st.text())
def test_splitting_removes_only_whitespace(line):
    line = line.encode("utf-8", "replace").decode("utf-8")
    assert "".join("".join(split_sentences(line, "en")).split()) == "".join(line.split())


@pytest.mark.parametrize("space", ["\x85", "\xa0", "\u1680", "\u2009", "\u2029", "\u3000"])
@pytest.mark.parametrize("lang", ["en", "de", "fr", "cs", "ar", "hi", "kk", "ja", "zh", "xx"])
def test_a_space_may_precede_a_period(lang, space):
    """sentencex panics at some of these."""
    line = f"I take vitamin C{space}. It helps."
    found = split_sentences(line, lang)
    assert "".join(found).replace(" ", "") == line.replace(" ", "")


def test_sentences_are_joined_as_the_language_requires():
    assert join_sentences(["Hallo.", "", "Tschüss!"], "de") == "Hallo. Tschüss!"
    assert join_sentences(["你好。", "再见！"], "zh") == "你好。再见！"


@pytest.mark.parametrize("lang", ["th", "lo", "km", "my", "bo", "dz"])
def test_sentences_are_separated_by_spaces_in_scripts_that_join_only_words(lang):
    assert join_sentences(["สวัสดี", "ลาก่อน"], lang) == "สวัสดี ลาก่อน"

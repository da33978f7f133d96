import unicodedata
from dataclasses import replace

import pytest

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.formats import Formats, formats
from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.line_translator import LineTranslator
from keras_transformer.translation.run_copier import run_copier
from keras_transformer.translation.translation import Translation

SETTINGS = SearchSettings(length_penalty=0.5)


class Shout:
    """A substitute for a translator that converts to upper case and records its arguments."""

    def translate(self, sentences, search=None, numbers=None):
        self.asked, self.numbers, self.search = sentences, numbers, search
        n_best = search.n_best if search else 1
        limits = (3, 1, 2, 3)  # the second sentence has only one translation
        return [
            [Translation(f"{each.upper()}{n}", -1.0 - n, (1,)) for n in range(min(n_best, limit))]
            for each, limit in zip(sentences, limits, strict=False)
        ]


class Failing:
    """A substitute for a translator that fails after the third sentence."""

    def translate(self, sentences, numbers=None):
        for sentence in sentences[:3]:
            yield [Translation(sentence.upper(), 0.0)]
        raise UserError("no more")


def test_lines_are_streamed_when_all_their_sentences_are_translated():
    lines = LineTranslator(Failing()).stream(["It is. Are you?", "No. Yes."])
    assert [best.text for best in next(lines).translations()] == ["IT IS. ARE YOU?"]
    with pytest.raises(UserError, match="no more"):
        next(lines)


def test_sentences_of_all_lines_are_translated_in_one_call():
    shout = Shout()
    lines = LineTranslator(shout).translate(
        ["It is. Are you?", "", "No."], first_number=7, search=SETTINGS
    )
    assert shout.asked == ["It is.", "Are you?", "", "No."]
    assert shout.numbers == [7, 7, 8, 9]
    assert shout.search == SETTINGS
    read = [[sentence.read for sentence in line.sentences] for line in lines]
    assert read == [["It is.", "Are you?"], [""], ["No."]]
    assert [line.translations()[0].text for line in lines] == ["IT IS.0 ARE YOU?0", "0", "NO.0"]


@pytest.mark.parametrize("kind", [iter, lambda lines: map(str.strip, lines)])
def test_lines_that_can_be_read_only_once_are_an_error(kind):
    """They would be read by the check, and none would be translated."""
    with pytest.raises(TypeError, match="must be a list of strings, not an iterator"):
        LineTranslator(Shout()).translate(kind(["A.", "B."]))


def test_translation_k_joins_translations_k_and_adds_their_scores():
    [line] = LineTranslator(Shout()).translate(["Yes. No."], search=SearchSettings(n_best=3))
    assert [(each.text, each.score) for each in line.translations()] == [
        ("YES.0 NO.0", -2.0),
        ("YES.1 NO.0", -3.0),
        ("YES.2 NO.0", -4.0),
    ]


class Numbering:
    """A substitute for a translator whose translations differ until a correction changes them."""

    def translate(self, sentences, search=None, numbers=None):
        texts = "Es kostet 3,500 Euro.", "Es kostet 3.500 Euro.", "Das kostet 3.500 Euro."
        return [[Translation(text, 0.0, (1,)) for text in texts] for _ in sentences]


@pytest.mark.parametrize(
    ("search", "count"),
    [(None, 2), (SETTINGS, 2), (SearchSettings("sampling", n_best=3), 3)],
)
def test_translations_that_corrections_make_equal_are_returned_once(search, count):
    """But samples may be equal."""
    counts = dict.fromkeys(["It", "costs", "euros", "Es", "Das", "kostet", "Euro"], 9)
    copier = Copier(counts, counts, formats("en", "de"))
    translator = LineTranslator(Numbering(), copier=copier)
    [line] = translator.translate(["It costs 3,500 euros."], search=search)
    texts = [each.text for each in line.translations()]
    expected = ["Es kostet 3.500 Euro."] * (count - 1)
    assert texts == [*expected, "Das kostet 3.500 Euro."]


def test_the_default_search_can_be_changed(reranking):
    search = replace(reranking.search, n_best=2)
    [several] = LineTranslator(reranking).translate(["ba lo"], search=search)
    [best] = LineTranslator(reranking).translate(["ba lo"])
    assert several.translations()[0].text == best.translations()[0].text
    assert (len(several.translations()), len(best.translations())) == (2, 1)


def test_a_run_is_loaded_with_reranking(small_run, reranking):
    lines = ["ba lo ki. Ki ba!", "zu"]
    found = LineTranslator.load(small_run).translate(lines)
    copier = run_copier(Run.open(small_run))
    wanted = LineTranslator(reranking, copier=copier).translate(lines)
    assert [line.translations() for line in found] == [line.translations() for line in wanted]
    assert found[1].translations()[0].share is not None, "reranked"


def test_a_run_is_opened_once(small_run, monkeypatch):
    """Because opening it reads the files that its manifest lists."""
    open_run, opened = Run.open, []
    monkeypatch.setattr(Run, "open", lambda path: opened.append(path) or open_run(path))
    LineTranslator.load(small_run)
    assert opened == [small_run]


def test_a_string_is_not_a_list_of_lines():
    with pytest.raises(TypeError, match="must be a list of strings"):
        LineTranslator(Shout()).translate("A line.")


def test_translations_of_a_single_sentence_are_unchanged():
    [line] = LineTranslator(Shout()).translate(["A."], search=SearchSettings(n_best=2))
    assert line.translations() == [Translation("A.0", -1.0, (1,)), Translation("A.1", -2.0, (1,))]


def test_without_splitting_a_line_is_one_sentence():
    shout = Shout()
    LineTranslator(shout, split=False).translate(["Yes. No.", "\tSo"])
    assert shout.asked == ["Yes. No.", "\tSo"]


@pytest.mark.parametrize("split", [True, False])
def test_invalid_bytes_in_an_argument_become_question_marks(split):
    shout = Shout()
    LineTranslator(shout, split=split).translate(["So \udcff now"])
    assert shout.asked == ["So ? now"]


def test_languages_without_spaces_are_joined_without_spaces():
    [line] = LineTranslator(Shout(), "en", "zh").translate(["Yes. No."])
    assert line.translations()[0].text == "YES.0NO.0"


@pytest.mark.parametrize("apostrophe", ["\u2019", "\u02bc", "`"])
def test_typographic_apostrophes_do_not_split_words(apostrophe):
    """Otherwise the copier would mistake the first half of "Don't" for a name."""
    counts = dict.fromkeys(["Don't", "worry", "Peter"], 9)
    translator = LineTranslator(Shout(), copier=Copier(counts, counts, Formats()))
    [line] = translator.translate([f"Don{apostrophe}t worry."])
    assert [sentence.read for sentence in line.sentences] == ["Don't worry."]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_names_with_decomposed_letters_are_translated_like_composed_ones(form):
    """In decomposed text, a combining mark would end a word."""
    counts = dict.fromkeys(["I", "met", "ich", "traf", "Peter"], 9)
    translator = LineTranslator(Copies(), copier=Copier(counts, counts, Formats()))
    [line] = translator.translate([unicodedata.normalize(form, "I met Jürgen Müller.")])
    assert [each.text for each in line.translations()] == ["I met Jürgen Müller."]


class Copies:
    """A substitute for a translator that copies its input."""

    def translate(self, sentences, numbers=None):
        return [[Translation(sentence, -1.0, (1,))] for sentence in sentences]


def test_the_text_that_the_network_read_is_kept_with_its_own_translation():
    counts = dict.fromkeys(["Peter", "lives", "here"], 9)
    translator = LineTranslator(Copies(), copier=Copier(counts, counts, Formats()))
    [line] = translator.translate(["Zaphod lives here."])
    [sentence] = line.sentences
    assert (sentence.read, sentence.best_of_read.text) == ("Peter lives here.",) * 2
    assert sentence.originals == {"Peter": "Zaphod"}
    assert [each.text for each in sentence.found] == ["Zaphod lives here."]


class Answers:
    """A substitute for a translator with given translations."""

    def __init__(self, answers):
        self.answers = answers

    def translate(self, sentences, numbers=None):
        return [[Translation(self.answers[sentence], -1.0, (1,))] for sentence in sentences]


@pytest.mark.parametrize(
    ("second", "expected"),
    [("Da war nichts.", "Zaphod lebt hier."), ("Zaphod kennt Trillian.", "Zaphod kennt Trillian.")],
)
def test_the_more_complete_of_two_translations_is_kept(second, expected):
    """If the first translation lacks one of two names, the second reads them as they are."""
    known = ["Peter", "David", "lives", "here", "with", "lebt", "hier", "kennt", "Da", "war"]
    counts = dict.fromkeys([*known, "nichts"], 9)
    source = "Zaphod lives here with Trillian."
    answers = {"Peter lives here with David.": "Peter lebt hier.", source: second}
    translator = LineTranslator(Answers(answers), copier=Copier(counts, counts, Formats()))
    [line] = translator.translate([source])
    assert [each.text for each in line.translations()] == [expected]


@pytest.mark.parametrize(
    ("pair", "read", "translation"),
    [
        (("it is so.", "es ist so."), "it is so.", "it is so"),
        (("it is so", "es ist so"), "it is so", "it is so"),  # the corpus has no periods
    ],
)
def test_a_line_without_final_mark_is_read_with_one(pair, read, translation):
    counts = dict.fromkeys(["it", "is", "so"], 9)
    copier = Copier(counts, counts, Formats(), "de", Lexicon.learn([pair] * 50))
    [line] = LineTranslator(Copies(), copier=copier).translate(["it is so"])
    assert [sentence.read for sentence in line.sentences] == [read]
    assert [each.text for each in line.translations()] == [translation]

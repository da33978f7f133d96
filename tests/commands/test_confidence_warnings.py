"""Warnings about translations that may be wrong."""

import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.commands.confidence_warnings import ConfidenceWarnings
from keras_transformer.commands.defects import REPEATED, UNPAIRED, Defects
from keras_transformer.translation.confidence import Assessment
from keras_transformer.translation.translated_line import TranslatedLine, TranslatedSentence
from keras_transformer.translation.translation import Translation

SURE = Assessment(0.9, False)
UNSURE = Assessment(0.25, True, ("Katze", "gern"), ("swim",), ("blorg",))
LOST = Assessment(0.8, True, lost_characters="猫")


class Fixed:
    """A fake assessor. Each sentence begins with the name of its assessment in this module."""

    def assess(self, sentences, translations):
        return [globals()[sentence.split()[0]] for sentence in sentences]


def line(*names, text="Die Katze schwimmt gern.", originals=None):
    best = Translation(text, 0.0)
    sentences = (
        TranslatedSentence(f"{name} swim", best, [best], originals or {}) for name in names
    )
    return TranslatedLine(tuple(sentences), "de")


@pytest.fixture
def warnings():
    return ConfidenceWarnings(Fixed(), immediate=True)


def test_warnings_that_nobody_reads_do_not_end_the_translation(warnings, monkeypatch):
    """For example, if standard error goes to a pager that has been closed."""

    def closed(_):
        raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", SimpleNamespace(write=closed, flush=lambda: None))
    warnings.examine([line("UNSURE"), line("SURE")], 1)
    assert warnings.lines == 2


def test_immediate_warnings_are_about_one_line_each(warnings, capsys):
    warnings.examine([line("SURE"), line("SURE", "UNSURE")], 4)
    warnings.examine([line("LOST")], 6)
    warnings.summarize()
    assert capsys.readouterr().err == (
        "warning: line 5 may be wrong: confidence 0.25; least certain: Katze, gern; "
        "possibly untranslated: swim; words not in the training data: blorg\n"
        "warning: line 6 may be wrong: confidence 0.80; characters not translated: 猫\n"
    )


def test_immediate_warnings_are_in_the_order_of_the_lines(capsys):
    warnings = ConfidenceWarnings(Fixed(), immediate=True, defects=Defects())
    warnings.examine([line("LOST"), line("LOST", text="Die Katze (schwimmt.")])
    assert capsys.readouterr().err.splitlines() == [
        "warning: line 1 may be wrong: confidence 0.80; characters not translated: 猫",
        f"warning: the translation of line 2 {UNPAIRED}",
        "warning: line 2 may be wrong: confidence 0.80; characters not translated: 猫",
    ]


def test_parts_that_were_read_on_their_own_are_assessed(warnings, capsys):
    [sure], [unsure] = line("SURE").sentences, line("UNSURE").sentences
    warnings.examine([TranslatedLine((sure._replace(parts=(unsure,)), sure), "de")], 8)
    err = capsys.readouterr().err
    assert err.startswith("warning: line 8 may be wrong: confidence 0.25")
    assert err.count("\n") == 1


def test_warnings_have_the_names_that_the_user_wrote(warnings, capsys):
    """Not those that the network read instead."""
    originals = {"Katze": "Zaphod", "swim": "Vogosphere"}
    warnings.examine([line("UNSURE", text="Zaphod schwimmt gern.", originals=originals)])
    reasons = capsys.readouterr().err.split("; ")
    assert reasons[1:3] == ["least certain: Zaphod, gern", "possibly untranslated: Vogosphere"]


def test_warnings_do_not_name_words_that_were_corrected(warnings, capsys):
    warnings.examine([line("UNSURE", text="Die Maus schwimmt gern.")])
    assert "; least certain: gern; " in capsys.readouterr().err


ABBREVIATED = Assessment(0.25, True, (), ("p", "m", "I", "swim"))


def test_parts_of_abbreviations_are_not_untranslated_words(warnings, capsys):
    warnings.examine([line("ABBREVIATED at 9 p.m. I")])
    assert capsys.readouterr().err.endswith("; possibly untranslated: I, swim\n")


def test_a_summary_lists_the_uncertain_lines(capsys):
    warnings = ConfidenceWarnings(Fixed(), immediate=False)
    warnings.examine([line("SURE"), *[line("UNSURE")] * 12])
    warnings.examine([line("LOST")], 14)
    assert capsys.readouterr().err == ""
    warnings.summarize()
    assert capsys.readouterr().err == (
        "warning: 13 of 14 lines may be wrong (lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...; "
        "--warn-each-line gives the reasons); characters not translated: 猫\n"
    )


def test_a_summary_names_the_flag_that_gives_the_reasons(capsys):
    warnings = ConfidenceWarnings(Fixed(), immediate=False)
    warnings.examine([line("UNSURE"), line("SURE"), line("UNSURE")])
    warnings.summarize()
    assert capsys.readouterr().err == (
        "warning: 2 of 3 lines may be wrong (lines 1, 3; --warn-each-line gives the reasons)\n"
    )


def test_the_summary_of_one_line_gives_its_reasons(capsys):
    warnings = ConfidenceWarnings(Fixed(), immediate=False)
    warnings.examine([line("SURE"), line("LOST")])
    warnings.summarize()
    assert capsys.readouterr().err == (
        "warning: line 2 may be wrong: confidence 0.80; characters not translated: 猫\n"
    )


END = 9


def translated(*sentences, text="x", ids=(8, 3, END)):
    best = Translation(text, 0.0, ids)
    return TranslatedLine(tuple(TranslatedSentence(each, best, [best]) for each in sentences), "de")


LINES = [
    translated("a"),
    translated("a", ids=(8, 3)),
    translated("a", text=" ", ids=(8, END)),
    translated(" ", text="", ids=()),  # the line is empty, too
    translated("a", ids=()),  # from a server
    translated("a", "b", ids=(8, 3)),
]


def test_defective_translations_are_counted(capsys):
    warnings = ConfidenceWarnings(immediate=False, defects=Defects(END))
    warnings.examine(LINES, 1)
    assert capsys.readouterr().err == ""
    warnings.summarize()
    assert capsys.readouterr().err == (
        "warning: the translation of 2 of 6 lines is cut off at the maximum length (lines 2, 6)\n"
        "warning: the translation of 1 of 6 lines is empty, although the line is not (line 3)\n"
    )


def test_a_summary_of_many_defective_lines_names_the_flag_that_lists_them(capsys):
    warnings = ConfidenceWarnings(immediate=False, defects=Defects(END))
    warnings.examine([translated("a", ids=(8, 3))] * 11)
    warnings.summarize()
    assert capsys.readouterr().err.endswith("9, 10, ...; --warn-each-line lists them)\n")


def test_immediate_warnings_are_about_defective_translations_too(capsys):
    warnings = ConfidenceWarnings(immediate=True, defects=Defects(END))
    warnings.examine(LINES, 11)
    warnings.summarize()
    assert capsys.readouterr().err == (
        "warning: the translation of line 12 is cut off at the maximum length\n"
        "warning: the translation of line 13 is empty, although the line is not\n"
        "warning: the translation of line 16 is cut off at the maximum length\n"
    )


def test_without_an_end_token_only_empty_translations_are_defective(capsys):
    ConfidenceWarnings(immediate=True, defects=Defects()).examine(LINES, 1)
    assert capsys.readouterr().err.count("\n") == 1


def one_line(source, text):
    """Return a line of one sentence with its translation."""
    best = Translation(text, 0.0, (8, 3, END))
    return TranslatedLine((TranslatedSentence(source, best, [best]),), "de", source)


@pytest.mark.parametrize(
    ("source", "text", "defects"),
    [
        ('She wrote "I miss you".', 'Sie schrieb "ich vermisse dich.', [UNPAIRED]),
        ("My brother (a nurse) is here.", "Mein Bruder (ein Pfleger ist hier.", [UNPAIRED]),
        ("a) Open the door.", "a) Öffne die Tür.", []),
        ("I'm happy :)", "Ich bin froh :)", []),
        ('A 5" pipe.', 'Ein 5"-Rohr.', []),
        ('"Hello," he said.', '"Hallo", sagte er.', []),
        ("\u201cHello, he said.", '"Hallo, sagte er.', []),
        ('"Hello," he said.', "\u201eHallo, sagte er.", [UNPAIRED]),
        ('"Hello," he said.', "\u201eHallo\u201c, sagte er.", []),
        ("A little prince.", "Ein kleiner Kleiner Prinz.", [REPEATED]),
        ("I know that they know them.", "Ich weiß, dass sie sie kennen.", []),
        ("It was a very very long day.", "Es war ein langer langer Tag.", []),
        ("They read stories.", "Sie lesen Geschichten, Geschichten (kurze.", [UNPAIRED]),
    ],
)
def test_marks_without_their_other_half_and_repeated_words(source, text, defects):
    assert Defects(END).of(one_line(source, text)) == defects


@given(st.text('ab "()', max_size=20))
def test_a_copy_has_no_such_defects(text):
    assert not {UNPAIRED, REPEATED} & {*Defects().of(one_line(text, text))}


@pytest.mark.parametrize("assessor", [None, Fixed()])
def test_certain_translations_cause_no_warning(assessor, capsys):
    warnings = ConfidenceWarnings(assessor, immediate=False)
    warnings.examine([line("SURE")])
    warnings.summarize()
    assert capsys.readouterr().err == ""

import pytest

from keras_transformer.commands.confidence_warnings import ConfidenceWarnings
from keras_transformer.translation.confidence import Assessment
from keras_transformer.translation.line_translator import TranslatedLine
from keras_transformer.translation.translation import Translation

SURE = Assessment(0.9, False)
UNSURE = Assessment(0.25, True, ("Katze", "gern"), ("swim",), ("blorg",))
LOST = Assessment(0.8, True, lost_characters="猫")


class Fixed:
    """Stands in for an assessor: each sentence is an assessment by name."""

    def assess(self, sentences, translations):
        return [globals()[sentence] for sentence in sentences]


def line(*names):
    return TranslatedLine(names, tuple([Translation("x", 0.0)] for _ in names), "de")


@pytest.fixture
def doubts():
    return ConfidenceWarnings(Fixed(), immediate=True)


def test_each_line_is_warned_about(doubts, capsys):
    doubts.examine([line("SURE"), line("SURE", "UNSURE")], 4)
    doubts.examine([line("LOST")], 6)
    doubts.summarize()
    assert capsys.readouterr().err == (
        "warning: line 5 may be wrong: confidence 0.25; least certain: Katze, gern; "
        "possibly untranslated: swim; words not in the training data: blorg\n"
        "warning: line 6 may be wrong: confidence 0.80; characters not translated: 猫\n"
    )


def test_a_summary_ends_the_run(capsys):
    doubts = ConfidenceWarnings(Fixed(), immediate=False)
    doubts.examine([line("SURE"), *[line("UNSURE")] * 12])
    doubts.examine([line("LOST")], 14)
    assert capsys.readouterr().err == ""
    doubts.summarize()
    assert capsys.readouterr().err == (
        "warning: 13 of 14 lines may be wrong: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...; "
        "characters not translated: 猫\n"
    )


def test_a_single_doubt_is_told_in_full(capsys):
    doubts = ConfidenceWarnings(Fixed(), immediate=False)
    doubts.examine([line("SURE"), line("LOST")])
    doubts.summarize()
    assert capsys.readouterr().err == (
        "warning: line 2 may be wrong: confidence 0.80; characters not translated: 猫\n"
    )


@pytest.mark.parametrize("assessor", [None, Fixed()])
def test_silence_where_nothing_is_doubtful(assessor, capsys):
    doubts = ConfidenceWarnings(assessor, immediate=False)
    doubts.examine([line("SURE")])
    doubts.summarize()
    assert capsys.readouterr().err == ""

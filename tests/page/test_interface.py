"""The parts of the page's interface that need no browser."""

import numpy as np
import pytest
from hypothesis import strategies as st

from keras_transformer.pictures.style import shown
from tests.joiners import JOINED
from tests.page.drawing import draw
from tests.page.node import run_node

# Characters of which Python's version of Unicode may be older than that of Node are excluded.
LABELS = st.text(
    st.characters(exclude_categories=["Cn"]) | st.sampled_from("▁ \t\x1c\x85\u200c\u200d")
)


def call(module, name, *given):
    return run_node("interface.mjs", [[module, name, given]])[0]


def calls(module, name, givens):
    return run_node("interface.mjs", [[module, name, [given]] for given in givens])


def test_a_probability_is_never_rounded_to_certain_or_impossible():
    texts = {0: "0%", 0.0004: "<0.1%", 0.004: "0.4%", 0.834: "83%", 0.9961: "99.6%", 1: "100%"}
    texts |= {0.99999: "99.9%", 0.0096: "1%", 0.994: "99%"}
    assert calls("numbers", "percent", texts) == list(texts.values())


def test_a_negative_number_has_a_minus_sign():
    assert call("numbers", "decimal", -1.249, 2) == "\N{MINUS SIGN}1.25"


def test_labels_are_shown_as_in_the_pictures_of_python():
    labels = ["▁the", "▁", "ing", "<start>", "a▁b", "x\u200by", "\x07", "<0xE5>", "é", "a\tb"]
    labels += draw(LABELS, 500)
    assert calls("labels", "shown", labels) == [shown(label) for label in labels]


def test_joiners_are_shown():
    assert calls("labels", "shown", JOINED) == list(JOINED)


def test_words_are_separated_only_by_the_spaces_of_the_text():
    assert call("labels", "spaced", ["▁我", "吃", "▁a"], ["1", "2", "3"]) == ["1", "2", " ", "3"]
    assert call("labels", "spaced", ["▁gut", "▁so."], ["gut", "so."]) == ["gut", " ", "so."]


def test_a_translation_without_words_is_called_empty():
    assert call("labels", "shownTranslation", "") == "(empty)"
    assert call("labels", "shownTranslation", "gut") == "gut"


def test_a_text_is_split_into_sentences():
    found = call("sentences", "sentencesOf", " Wait!  Are you ready? Yes", "en")
    assert [each["text"] for each in found] == ["Wait!", "Are you ready?", "Yes"]


@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_blank_text_is_one_empty_sentence(text):
    assert call("sentences", "sentencesOf", text, "en") == [{"text": "", "end": len(text)}]


def test_the_mean_of_heads_keeps_hidden_positions():
    weights = np.random.default_rng(0).random((3, 2, 4))
    weights[:, 0, 2:] = np.nan
    given = {"heads": 3, "rows": 2, "columns": 4, "values": as_json(weights)}
    found = run_node("interface.mjs", [["attentionMap", "headOf", [given, 2]]])
    found += run_node("interface.mjs", [["attentionMap", "headOf", [given, "mean"]]])
    for head, expected in zip(found, [weights[1], weights.mean(0)], strict=True):
        values = np.array(head["values"], float).reshape(2, 4)
        np.testing.assert_allclose(values, expected, rtol=1e-6)


def test_rows_are_the_words_being_written_and_columns_those_read():
    result = {
        "source": {"labels": ["<start>", "▁good", "▁day", "<end>"]},
        "target": {"labels": ["<start>", "▁gut", "en", "▁Tag", "<end>"]},
    }
    axes = call("attentionMap", "axesOf", "decoder", "words", result)
    assert axes["rows"] == {"labels": ["guten", "Tag", "<end>"], "numbers": [0, 0, 1, 2]}
    assert axes["columns"] == {"labels": ["<start>", "guten", "Tag"], "numbers": [0, 1, 1, 2]}
    axes = call("attentionMap", "axesOf", "cross", "subwords", result)
    assert axes["rows"]["labels"] == ["gut", "en", "Tag", "<end>"]
    assert axes["columns"]["labels"] == ["<start>", "good", "day", "<end>"]


def test_without_spaces_the_rows_are_subwords_unless_they_are_bytes():
    target = {"labels": ["<start>", "▁我", "吃", "<0xE9>", "<0xBE>", "<0x98>", "<end>"]}
    result = {
        "source": {"labels": ["<start>", "▁to", "day", "<end>"], "isUnspaced": False},
        "target": {**target, "isUnspaced": True},
    }
    axes = call("attentionMap", "axesOf", "cross", "words", result)
    assert axes["rows"] == {"labels": ["我", "吃", "龘", "<end>"], "numbers": [0, 1, 2, 2, 2, 3]}
    assert axes["columns"]["labels"] == ["<start>", "today", "<end>"]
    axes = call("attentionMap", "axesOf", "decoder", "words", result)
    assert axes["columns"]["labels"] == ["<start>", "我", "吃", "龘"]


def test_dropped_requests_are_neither_run_nor_answered():
    found = run_node("requests.mjs", None)
    assert found["run"] == ["sent, then dropped", "of another view", "wrong", "newest"]
    answers = ["translate of another view", "failed", "translate newest", "translate newest"]
    assert found["answered"] == answers


def as_json(weights):
    return [None if np.isnan(value) else float(value) for value in weights.ravel()]

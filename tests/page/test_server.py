"""What the page sends to a server, and makes of its answers."""

import pytest

from tests.page.node import run_node

SENT = {
    "WHERE IS THE STATION?": "Where is the station?",
    "Where is NASA?": "Where is NASA?",
    "a\ud800b": "a?b",
    "\u2018Yes,\u2019 said Mu\u0308ller.": '"Yes," said M\xfcller.',
}


@pytest.fixture(scope="module")
def found():
    return run_node("server.mjs", list(SENT))


def test_a_server_gets_sentences_as_from_translate_py(found):
    assert found["sent"] == list(SENT.values())


def test_an_empty_translation_has_no_weights(found):
    empty = found["empty"]
    assert (empty["translation"], empty["target"]["labels"]) == ("", [])
    [encoder], [decoder], [cross] = (
        empty["attention"][kind] for kind in ("encoder", "decoder", "cross")
    )
    assert (encoder["rows"], encoder["columns"], len(encoder["values"])) == (4, 4, 16)
    assert (decoder["rows"], decoder["columns"], decoder["values"]) == (0, 0, [])
    assert (cross["rows"], cross["columns"], cross["values"]) == (0, 4, [])


def test_words_of_a_language_without_spaces_are_its_subwords(found):
    assert found["empty"]["source"]["words"]["labels"] == ["<start>", "▁我", "吃", "<end>"]

"""What the page sends to a server."""

from tests.page.node import run_node

SENT = {
    "WHERE IS THE STATION?": "Where is the station?",
    "Where is NASA?": "Where is NASA?",
    "a\ud800b": "a?b",
    "\u2018Yes,\u2019 said Mu\u0308ller.": '"Yes," said M\xfcller.',
}


def test_a_server_gets_sentences_as_from_translate_py():
    assert run_node("server.mjs", list(SENT)) == list(SENT.values())

"""What the page sends to a server."""

from tests.page.node import run_node


def test_a_server_gets_capitals_in_sentence_case_as_from_translate_py():
    texts = ["WHERE IS THE STATION?", "Where is NASA?", "a\ud800b"]
    wanted = ["Where is the station?", "Where is NASA?", "a?b"]
    assert run_node("server.mjs", texts) == wanted

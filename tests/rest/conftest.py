"""A fixture for tests with random answers."""

import pytest

from tests.rest.scripted_server import Adjustable, ScriptedServer


@pytest.fixture(scope="module")
def adjustable():
    """A server and its adjustable reply."""
    reply = Adjustable()
    with ScriptedServer(reply) as server:
        yield server, reply

"""Deadlines, retries and limits, with servers that send anything at all."""

import gzip
import itertools
import socket
import time
from types import SimpleNamespace

import hypothesis
import pytest
from hypothesis import strategies

from keras_transformer.client import ServedTranslator
from keras_transformer.errors import UserError
from keras_transformer.translation.translation import Translation
from tests.rest.scripted_server import (
    RESET,
    ScriptedServer,
    answering,
    check_translations,
    error,
    http_reply,
    message_of,
    slowly,
    translated,
)

BUSY = http_reply({"error": "full"}, "503 Service Unavailable")
START = b"HTTP/1.1 200 OK\r\n"


def test_the_content_type_is_irrelevant():
    body = b'{"outputs": {"translation": ["x"], "score": [0]}}'
    html = http_reply(body, headers=["Content-Type: text/html; charset=latin-1"])
    assert translated(html) == [[Translation("x", 0.0)]]
    assert error(http_reply(b"x", headers=["Content-Type: application/json; charset=\xff"]))


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
@pytest.mark.parametrize("location", ["http://127.0.0.1:1/x", "//[", "http://a\x1b"])
def test_redirects_are_reported_and_not_followed(status, location):
    reply = http_reply(b"", status, [f"Location: {location}"])
    message = error(reply)
    assert message.startswith("the server redirects to ")
    assert message.endswith("; redirects are not followed")


def test_the_body_of_a_redirect_is_limited():
    start = b"HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n"
    endless = itertools.chain([start], itertools.repeat(b" " * 2**20, 200))
    assert error(endless) == "the answer has more than 67,108,864 bytes"


@pytest.mark.parametrize("start", [START + b"\r\n", START + b"Content-Length: 9999999999\r\n\r\n"])
def test_the_size_of_an_answer_is_limited(start):
    endless = itertools.chain([start], itertools.repeat(b" " * 2**20, 200))
    assert error(endless) == "the answer has more than 67,108,864 bytes"


def test_the_size_of_a_compressed_answer_is_limited():
    bomb = gzip.compress(b" " * 80_000_000)
    reply = http_reply(bomb, headers=["Content-Encoding: gzip"])
    assert error(reply) == "the answer has more than 67,108,864 bytes"


def test_a_compressed_answer_is_read():
    body = gzip.compress(b'{"outputs": {"translation": ["x"], "score": [0]}}')
    assert translated(http_reply(body, headers=["Content-Encoding: gzip"]))
    assert "failed to decode it" in error(http_reply(b"x" * 20, headers=["Content-Encoding: gzip"]))


@pytest.mark.parametrize(
    "slow",
    [
        slowly(answering(["x"]), 0.05),
        itertools.chain([START + b"Content-Length: 300\r\n\r\n"], slowly(b" " * 300, 0.05)),
        itertools.chain([START], slowly(b"X-Header: x\r\n" * 30, 0.05)),
        itertools.chain(
            [START + b"Transfer-Encoding: chunked\r\n\r\n"], slowly(b"1\r\n \r\n" * 90)
        ),
        itertools.chain([START + b"Content-Length: 5\r\n\r\n"], slowly(b" ", 5)),
        slowly(b"H", 5),
    ],
    ids=["all", "body", "headers", "chunks", "silent body", "silent"],
)
def test_one_deadline_applies_to_the_whole_answer(slow):
    assert error(slow, timeout=0.3) == "no complete answer within 0.3 seconds"


def test_a_server_that_does_not_accept_the_connection_is_reported():
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/v1/models/toy"
        with socket.create_connection(server.getsockname()):  # fills the queue
            served = ServedTranslator(address, timeout=0.3)
            with pytest.raises(
                UserError, match="no server answers there|no complete answer within"
            ):
                served.translate(["a"])


def test_an_unknown_host_is_reported(monkeypatch):
    def fail(*arguments, **options):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    address = "http://no.invalid:8501/v1/models/toy"
    message = f"^{address}: the host is unknown: Name or service not known$"
    with pytest.raises(UserError, match=message):
        ServedTranslator(address).translate(["a"])


@pytest.mark.parametrize(
    "lost",
    [
        b"",
        [RESET],
        START + b"Content-Length: 100\r\n\r\n{",
        [START + b"Content-Length: 100\r\n\r\n{", RESET],
        START + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    ],
    ids=["closed", "reset", "body", "reset body", "chunk"],
)
def test_a_request_is_retried_if_the_connection_is_lost(lost):
    assert translated(lost, lost, answering(["x"])) == [[Translation("x", -0.5)]]
    message = "the server still closes the connection early after 6 requests; try again later"
    assert error(lost) == message


@pytest.mark.parametrize("status", [429, 502, 503, 504])
@pytest.mark.parametrize("content", [b"", b"<html>", {"error": "full"}, {"outputs": 1}])
def test_a_request_is_retried_if_the_server_is_busy(status, content):
    busy = http_reply(content, f"{status} Busy")
    assert translated(busy, busy, answering(["x"])) == [[Translation("x", -0.5)]]
    assert error(busy) == "the server is still busy after 6 requests; try again later"


@pytest.mark.parametrize(
    "reply",
    [b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 x\r\n\r\n", b"x" * 100_000, START + b"a:b\r\n" * 200],
)
def test_an_answer_that_is_not_http_is_rejected(reply):
    assert error(reply) == "the answer is not HTTP"


@pytest.mark.parametrize("length", ["x", "-1", "9" * 5000])
def test_an_invalid_length_is_survived(length):
    body = b'{"outputs": {"translation": ["x"], "score": [0]}}'
    reply = START + f"Content-Length: {length}\r\n\r\n".encode() + body
    with ScriptedServer(reply) as server:
        served = ServedTranslator(server.address, backoff=0)
        try:
            assert served.translate(["a"]) == [[Translation("x", 0.0)]]
        except UserError as raised:
            assert message_of(raised, server)


def test_delays_double_and_end_before_the_deadline(monkeypatch):
    delays = []
    clock = SimpleNamespace(monotonic=lambda: sum(delays), sleep=delays.append)
    monkeypatch.setattr("keras_transformer.rest.transport.time", clock)
    with ScriptedServer(BUSY) as server:
        for timeout in (300, 4):
            with pytest.raises(UserError, match="busy"):
                ServedTranslator(server.address, timeout=timeout, backoff=0.5).translate(["a"])
    assert delays == [0.5, 1, 2, 4, 8, 0.5, 1, 2]


@pytest.mark.parametrize(
    ("header", "delay"),
    [
        ("0", 0),
        ("7", 7),
        ("3600", 30),
        ("9" * 5000, 0),
        ("-1", 0),
        ("nan", 0),
        ("soon", 0),
        ("Fri, 31 Dec 2999 23:59:59 GMT", 30),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 0),
    ],
)
def test_the_delay_that_a_server_asks_for_is_limited(monkeypatch, header, delay):
    delays = []
    monkeypatch.setattr(time, "sleep", delays.append)
    busy = http_reply(b"", "503 Busy", [f"Retry-After: {header}"])
    with ScriptedServer(busy, answering(["x"])) as server:
        assert ServedTranslator(server.address, backoff=0).translate(["a"])
    assert delays == [delay]


@hypothesis.given(strategies.binary(), strategies.sampled_from([b"", START, START + b"\r\n"]))
def test_any_bytes_are_translations_or_an_error(adjustable, content, start):
    server, reply = adjustable
    reply.content = start + content
    check_translations(server)

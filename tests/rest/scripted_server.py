"""A server that sends given bytes, for tests of what a client does with them."""

import contextlib
import json
import math
import socket
import struct
import threading

import pytest

from keras_transformer.client import ServedTranslator
from keras_transformer.errors import UserError

RESET = object()  # in a reply: resets the connection


class ScriptedServer:
    """A server that sends given bytes, whatever it is asked, as a context manager.

    Args:
        *replies: what to send in reply to each request: bytes, or an iterable of bytes, of seconds
            to wait, and of `RESET`. The last reply is repeated. After each, the connection is
            closed.

    Attributes:
        address: URL of a model on the server.
        requests: number of requests received.
    """

    def __init__(self, *replies):
        self.replies = replies
        self.requests = 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}/v1/models/toy"
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.socket.close()

    def _serve(self):
        while not self.stopped.is_set():
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection, contextlib.suppress(OSError):
                read_request(connection)
                reply = self.replies[min(self.requests, len(self.replies) - 1)]
                self.requests += 1
                self._send(connection, [reply] if isinstance(reply, bytes) else reply)

    def _send(self, connection, pieces):
        for piece in pieces:
            if self.stopped.is_set():
                return
            if piece is RESET:
                lingering = struct.pack("ii", 1, 0)  # on, for 0 seconds: `close` sends a reset
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, lingering)
            elif isinstance(piece, bytes):
                connection.sendall(piece)
            else:
                self.stopped.wait(piece)


def read_request(connection):
    """Read a request with a body, and leave no byte unread."""
    with connection.makefile("rb") as file:
        lengths = [
            int(line.split(b":")[1])
            for line in iter(file.readline, b"\r\n")
            if line.lower().startswith(b"content-length:")
        ]
        file.read(sum(lengths))


def http_reply(body, status="200 OK", headers=()):
    """Return a reply with a body, which is bytes or encoded as JSON, and additional headers."""
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n" + body


def answering(translations, scores=(-0.5,)):
    """Return the reply of a translator."""
    return http_reply({"outputs": {"translation": translations, "score": scores}})


def slowly(content, seconds=0.02):
    """Yield the bytes of a content one by one, with pauses between them."""
    for byte in content:
        yield seconds
        yield bytes([byte])


def translated(*replies, count=1, timeout=20.0):
    """Return the translations that a client receives from a server with these replies."""
    with ScriptedServer(*replies) as server:
        served = ServedTranslator(server.address, timeout=timeout, backoff=0)
        return served.translate(["a"] * count)


def error(*replies, count=1, timeout=20.0):
    """Return the message of the error that a client raises, without the address."""
    with ScriptedServer(*replies) as server:
        served = ServedTranslator(server.address, timeout=timeout, backoff=0)
        with pytest.raises(UserError) as raised:
            served.translate(["a"] * count)
    return message_of(raised.value, server)


def message_of(raised, server):
    """Check that an error is one line that begins with the address, and return the rest of it."""
    message = str(raised)
    assert message.isprintable()  # line feeds and lone surrogates are not printable
    assert message.startswith(f"{server.address}: ")
    return message.removeprefix(f"{server.address}: ")


class Adjustable:
    """A reply that can be changed between requests."""

    content = b""

    def __iter__(self):
        return iter([self.content])


def check_translations(server):
    """Check that a client receives valid translations of two sentences or raises an error."""
    try:
        found = ServedTranslator(server.address, timeout=20, backoff=0).translate(["a", "b"])
    except UserError as raised:
        assert message_of(raised, server)
        return
    assert len(found) == 2
    for [translation] in found:
        assert isinstance(translation.text, str)
        translation.text.encode("utf-8")
        assert isinstance(translation.score, float)
        assert math.isfinite(translation.score)

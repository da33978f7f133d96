"""HTTP requests with one deadline, a limit on the size of the answer, and retries."""

import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from typing import NamedTuple, TypeVar

import requests
from urllib3.exceptions import HTTPError, InvalidHeader, ReadTimeoutError
from urllib3.util import Retry

from keras_transformer.counting import counted

BUSY = (429, 502, 503, 504)  # status codes of a server that is overloaded or starting
TRIES = 6
CONNECT_SECONDS = 5
MAX_DELAY = 30  # seconds before a retry, whatever the server asks for
MAX_BYTES = 64 * 2**20  # of an answer; that of a thousand sentences has less than one million
CHUNK_BYTES = 2**16
MAX_MESSAGE = 500  # characters

# What requests, urllib3 and the standard library raise for a failed request or an invalid answer.
FAILURES = (requests.RequestException, HTTPError, http.client.HTTPException, OSError, ValueError)
LOST = (ConnectionError, http.client.IncompleteRead)
TIMED_OUT = (TimeoutError, ReadTimeoutError, requests.ReadTimeout)

Result = TypeVar("Result")


class RestError(Exception):
    """A request without a usable answer.

    The message is one line of printable characters, even if it quotes what a server sent.

    Args:
        message: the message, which does not contain the address of the server.
    """

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class TemporaryError(RestError):
    """A failure after which the request is sent again.

    Args:
        message: what failed.
        delay: seconds that the server asked to wait.
    """

    def __init__(self, message: str, delay: float = 0.0) -> None:
        super().__init__(message)
        self.delay = delay


class Answer(NamedTuple):
    """The answer to a request.

    Attributes:
        status: the status code.
        headers: the headers; their names are case-insensitive.
        body: the body, decompressed.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """Sends requests to a server.

    Args:
        timeout: seconds from the start of the first connection to the last byte of the answer,
            including retries.
        backoff: seconds before the first retry. Each further delay is twice as long.
    """

    def __init__(self, timeout: float, backoff: float) -> None:
        self.timeout = timeout
        self.backoff = backoff
        self.session = DirectSession()

    def post(self, url: str, content: object) -> Answer:
        """Send a request, and retry it if the server is busy or the connection is lost.

        Args:
            url: the URL.
            content: the body, which is sent as JSON.

        Raises:
            RestError: If there is no server, it stays busy, or its answer is not HTTP, too large or
                not complete in time.
        """
        deadline = time.monotonic() + self.timeout
        tries = 1
        while True:
            try:
                return self._post_once(url, content, deadline)
            except TemporaryError as error:
                delay = max(self.backoff * 2 ** (tries - 1), error.delay)
                if tries == TRIES or time.monotonic() + delay >= deadline:
                    raise RestError(
                        f"{error} after {counted(tries, 'request')}; try again later"
                    ) from error
            time.sleep(delay)
            tries += 1

    def _post_once(self, url: str, content: object, deadline: float) -> Answer:
        """Send a request once, and return the answer if it is complete before the deadline."""
        remaining = deadline - time.monotonic()
        try:
            return within(remaining, lambda: self._exchange(url, content, deadline))
        except TimeoutError as error:
            raise RestError(f"no complete answer within {self.timeout:g} seconds") from error

    def _exchange(self, url: str, content: object, deadline: float) -> Answer:
        """Send a request and receive the answer, without retries."""
        # The second timeout is per read. It ends this thread if the server sends nothing more.
        timeout = (min(CONNECT_SECONDS, self.timeout), self.timeout)
        try:
            with self.session.post(url, json=content, timeout=timeout, stream=True) as response:
                if response.status_code in BUSY:
                    raise TemporaryError("the server is still busy", retry_after(response.headers))
                body = b"".join(_chunks(response, deadline))
                return Answer(response.status_code, response.headers, body)
        except FAILURES as error:
            raise _explained(error) from error


class DirectSession(requests.Session):
    """A session that does not follow redirects, which would turn a POST request into a GET.

    `allow_redirects=False` is not enough: it still reads the body of a redirect, of any size.
    """

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Return None: no response is treated as a redirect."""


def within(seconds: float, function: Callable[[], Result]) -> Result:
    """Return the result of a function, which runs in a thread of its own.

    The timeouts of requests apply to each read, so a server that sends one byte at a time never
    exceeds them, and no timeout applies to the lookup of a name. Only a second thread can stop
    waiting for all of this at a given time.

    Args:
        seconds: how long to wait.
        function: the function.

    Raises:
        TimeoutError: If the function does not return in time. Its result is then ignored, but its
            thread and its connection remain until the function ends: the headers of a server that
            sends them byte by byte are read to their end, or to the limits of `http.client`.
    """
    result: Future[Result] = Future()

    def run() -> None:
        try:
            result.set_result(function())
        except BaseException as error:
            result.set_exception(error)

    # A daemon: the program can exit without waiting for it.
    threading.Thread(target=run, daemon=True).start()
    return result.result(timeout=max(0.0, seconds))


def _chunks(response: requests.Response, deadline: float) -> Iterator[bytes]:
    """Yield the body of a response as it arrives."""
    size = 0
    while chunk := response.raw.read1(CHUNK_BYTES, decode_content=True):
        size += len(chunk)
        if size > MAX_BYTES:
            raise RestError(f"the answer has more than {MAX_BYTES:,} bytes")
        if time.monotonic() > deadline:
            raise TimeoutError
        yield chunk


def _explained(error: Exception) -> Exception:
    """Return the error to raise for one of `FAILURES`."""
    causes = tuple(_causes(error))
    if any(isinstance(cause, TIMED_OUT) for cause in causes):
        return TimeoutError()
    if any(isinstance(cause, LOST) for cause in causes):
        return TemporaryError("the server still closes the connection early")
    specific = (requests.exceptions.SSLError, requests.exceptions.ProxyError)
    if isinstance(error, requests.ConnectionError) and not isinstance(error, specific):
        return RestError(_why_unconnected(error, causes))
    return RestError(str(next(iter(error.args), error)))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and those in its arguments, where requests and urllib3 keep its causes."""
    yield error
    for argument in error.args:
        if isinstance(argument, BaseException):
            yield from _causes(argument)


def _why_unconnected(error: Exception, causes: Iterable[BaseException]) -> str:
    """Return what is at the address in place of a server: no host, nothing, or another program."""
    if lookup := _failed_lookup(error):
        return f"the host is unknown: {lookup.strerror}"
    is_reached = any(isinstance(cause, http.client.HTTPException) for cause in causes)
    return "the answer is not HTTP" if is_reached else "no server answers there"


def _failed_lookup(error: BaseException | None) -> socket.gaierror | None:
    """Return the failed lookup of a host's name that led to an error, or None."""
    while error is not None and not isinstance(error, socket.gaierror):
        error = error.__cause__ or error.__context__  # urllib3 keeps it nowhere else
    return error


def retry_after(headers: Mapping[str, str]) -> float:
    """Return the seconds to wait that a busy server asks for, at most `MAX_DELAY`.

    Args:
        headers: headers of the answer. `Retry-After` may be a number of seconds or a date; if it is
            missing or invalid, the result is 0.
    """
    try:
        return Retry(retry_after_max=MAX_DELAY).parse_retry_after(headers.get("Retry-After", "0"))
    except (InvalidHeader, ValueError, OverflowError):
        return 0.0


def one_line(text: str) -> str:
    """Return a text as one line of at most `MAX_MESSAGE` printable characters."""
    line = "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))
    return line if len(line) <= MAX_MESSAGE else f"{line[: MAX_MESSAGE - 3]}..."

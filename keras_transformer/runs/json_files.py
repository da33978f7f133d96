"""JSON objects in files, which may be damaged or hostile.

Python's reader accepts more than JSON: `NaN`, and a name that occurs twice, of which it keeps the
last. It also raises `RecursionError` for a file of brackets.
"""

import json
import os
from collections import Counter
from typing import Any, NoReturn

from keras_transformer.errors import UserError

MAX_BYTES = 2**20
MAX_DIGITS = 30  # of an integer; Python converts long ones slowly


def read_object(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the object in a JSON file of at most `MAX_BYTES`. A byte order mark is ignored.

    Raises:
        UserError: If the file cannot be read, is too large, or is not a JSON object in UTF-8.
    """
    try:
        content = _parse(_read_bytes(path))
    except RecursionError as error:
        raise UserError(f"{path}: not valid JSON: nested too deeply") from error
    except ValueError as error:  # also for text that is not UTF-8
        raise UserError(f"{path}: not valid JSON: {error}") from error
    if not isinstance(content, dict):
        raise UserError(f"{path}: expected a JSON object")
    return content


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a file, of which no more than `MAX_BYTES` is read."""
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    if len(content) > MAX_BYTES:
        raise UserError(f"{path}: larger than {MAX_BYTES:,} bytes")
    return content


def _parse(content: bytes) -> Any:
    """Return the value that strict JSON in UTF-8 represents."""
    return json.loads(
        content.decode("utf-8-sig"),
        object_pairs_hook=_unique,
        parse_constant=_reject,
        parse_int=_parse_int,
    )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a dict of {name: value} whose names must be unique."""
    found = dict(pairs)
    if len(found) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"{twice[:100]!r} occurs more than once")
    return found


def _reject(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number in JSON")


def _parse_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"the integer {digits[:10]}... has {len(digits)} digits")
    return int(digits)

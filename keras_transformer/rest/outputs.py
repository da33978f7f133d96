"""The outputs in an answer of TensorFlow Serving. Nothing about them is taken for granted.

An answer has the form `{"outputs": {NAME: COLUMN, ...}}`, in which a column is a list with one
element for each input. An answer to a request that failed has the form `{"error": MESSAGE}`.
"""

import base64
import json
import math
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keras_transformer.rest.transport import Answer, RestError

OK = 200
MAX_WEIGHT = 1.001  # an attention weight is at most 1, apart from rounding
PADDING = "<pad>"  # as in `text.special_tokens`, which this package does not import
# Limits of what is plotted. A plot of a label with 200,000 characters takes minutes and 6 GB.
MAX_CHARACTERS, MAX_SUBWORDS, MAX_HEADS = 100, 1000, 128

Json: TypeAlias = Any  # a value of JSON: dict, list, str, int, float, bool or None


class Row(NamedTuple):
    """The subwords of a sentence.

    Attributes:
        labels: the subwords, including start and end.
        width: number of subwords with padding. A server that merges requests pads all sentences to
            the length of the longest.
    """

    labels: list[str]
    width: int


class Outputs:
    """The outputs of a signature, which are validated when they are read.

    Args:
        columns: {name: column}.
    """

    def __init__(self, columns: dict[str, Json]) -> None:
        self.columns = columns

    @classmethod
    def of(cls, answer: Answer, *names: str) -> Self:
        """Return the outputs in an answer.

        Args:
            answer: the answer.
            *names: outputs that it must contain.

        Raises:
            RestError: If the answer is an error, is not from TensorFlow Serving, or lacks outputs.
        """
        content = _parsed(answer.body)
        if answer.status != OK or "outputs" not in content:
            raise RestError(_reason(answer, content))
        outputs = content["outputs"]
        if not isinstance(outputs, dict) or not set(names) <= set(outputs):
            raise RestError(
                f"the model has no output {' and '.join(names)}; "
                "it was not exported by keras_transformer"
            )
        return cls(outputs)

    def column(self, name: str) -> list[Json]:
        """Return the column of an output.

        Raises:
            RestError: If the output is not a list.
        """
        column = self.columns[name]
        if not isinstance(column, list):
            raise RestError(f"the output {name} is not a list")
        return column

    def texts(self, name: str) -> list[str]:
        """Return a column of strings.

        Raises:
            RestError: If an element is not a string.
        """
        return [_text(value, name) for value in self.column(name)]

    def numbers(self, name: str) -> list[float]:
        """Return a column of numbers.

        Raises:
            RestError: If an element is not a finite number.
        """
        return [_number(value, name) for value in self.column(name)]

    def subwords(self, name: str) -> Row:
        """Return the subwords of the only sentence in a column.

        Raises:
            RestError: If the output does not consist of one list of subwords, or it has no start
                and end.
        """
        column = self.column(name)
        if len(column) != 1 or not isinstance(column[0], list):
            raise RestError(f"the output {name} does not contain the subwords of one sentence")
        labels = [_text(value, name) for value in column[0]]
        while labels and labels[-1] == PADDING:
            labels.pop()
        if not 2 <= len(labels) <= MAX_SUBWORDS or max(map(len, labels)) > MAX_CHARACTERS:
            raise RestError(f"the output {name} does not contain the subwords of one sentence")
        return Row(labels, len(column[0]))

    def weights(self, name: str, queries: Row, keys: Row) -> NDArray[np.float64]:
        """Return the attention weights (L, H, query, key) of the only sentence in a column.

        Args:
            name: the output.
            queries: the subwords that attend.
            keys: the subwords attended to.

        Raises:
            RestError: If the output does not have this shape, or an element is not a weight.
        """
        weights = _array(self.column(name), name)
        if not _is_shape(weights.shape, queries.width, keys.width):
            raise RestError(
                f"the output {name} has the shape {weights.shape}; expected (1, layers, "
                f"at most {MAX_HEADS} heads, {queries.width}, {keys.width})"
            )
        if not ((weights >= 0) & (weights <= MAX_WEIGHT)).all():
            raise RestError(f"the output {name} contains numbers that are not from 0 to 1")
        return weights[0, ..., : len(queries.labels), : len(keys.labels)]


def _parsed(body: bytes) -> dict[str, Json]:
    """Return the JSON object in a body, an empty one if the body is anything else."""
    try:
        content = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):  # ValueError: not UTF-8, not JSON, or too many digits
        return {}
    return content if isinstance(content, dict) else {}


def _reason(answer: Answer, content: dict[str, Json]) -> str:
    """Return why an answer has no outputs."""
    error = content.get("error")
    if isinstance(error, str) and error.strip():
        return error
    if 300 <= answer.status < 400 and "Location" in answer.headers:
        return f"the server redirects to {answer.headers['Location']}; redirects are not followed"
    return f"status {answer.status}, not from TensorFlow Serving"


def _text(value: Json, name: str) -> str:
    """Return the text of a JSON value: of a string, or of bytes `{"b64": BASE64}`.

    TensorFlow Serving represents bytes in this way. A string that UTF-8 cannot encode, because it
    contains a lone surrogate, is not text.
    """
    try:
        if isinstance(value, dict) and set(value) == {"b64"}:
            return base64.b64decode(value["b64"], validate=True).decode("utf-8")
        value.encode("utf-8")
    except (AttributeError, TypeError, ValueError):
        raise RestError(f"the output {name} contains a value that is not text") from None
    return value


def _number(value: Json, name: str) -> float:
    """Return a JSON number as a float."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:  # an integer of more than 308 digits
            number = math.inf
        if math.isfinite(number):
            return number
    raise RestError(f"the output {name} contains a value that is not a finite number")


def _is_shape(shape: tuple[int, ...], queries: int, keys: int) -> bool:
    """Return whether a shape is (1, L, H, query, key), with at least one layer and head."""
    if len(shape) != 5 or shape[0] != 1 or shape[3:] != (queries, keys):
        return False
    return shape[1] > 0 and 0 < shape[2] <= MAX_HEADS


def _array(value: Json, name: str) -> NDArray[np.float64]:
    """Return nested lists of numbers as an array."""
    try:
        return np.array(_numbers(value, name), np.float64)
    except (ValueError, RecursionError):  # lists of different lengths, or too many levels
        raise RestError(f"the output {name} is not an array of numbers") from None


def _numbers(value: Json, name: str) -> Json:
    """Return nested lists with all numbers as floats. NumPy would accept strings and booleans."""
    if isinstance(value, list):
        return [_numbers(each, name) for each in value]
    return _number(value, name)

"""Translate sentences through the gRPC interface of TensorFlow Serving.

  python examples/grpc_client.py localhost:8500 en-de "When does your sister get up?"

The script needs only tensorflow-serving-api, and can be copied.
"""

import argparse
import contextlib
import math
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import grpc
    from tensorflow_serving.apis import predict_pb2

TIMEOUT = 60  # seconds


class RequestError(Exception):
    """The reason why a request failed, in one line."""


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("server", metavar="HOST:PORT", help="the server's gRPC port, usually 8500")
    parser.add_argument("model", metavar="MODEL", help="name of the model, such as en-de")
    parser.add_argument("sentences", metavar="SENTENCE", nargs="+", help="sentence to translate")
    text = f"timeout of the request (default {TIMEOUT})"
    parser.add_argument("--timeout", type=seconds, default=TIMEOUT, metavar="SECONDS", help=text)
    return parser


def seconds(text: str) -> float:
    """Return a positive number of seconds.

    Raises:
        ValueError: the text is no such number.
    """
    if not 0 < float(text) < math.inf:
        raise ValueError
    return float(text)


def translate(
    server: str, model: str, sentences: Sequence[str], timeout: float = TIMEOUT
) -> list[str]:
    """Return the translations of sentences, with one request.

    Args:
        server: HOST:PORT.
        model: name of the model.
        sentences: the sentences to translate.
        timeout: in seconds.

    Raises:
        RequestError: the server cannot be reached, does not answer in time, or refuses.
    """
    with silent_stderr():
        import grpc
        from tensorflow_serving.apis import prediction_service_pb2_grpc

    with grpc.insecure_channel(server) as channel:
        service = prediction_service_pb2_grpc.PredictionServiceStub(channel)
        try:
            answer = service.Predict(make_request(model, sentences), timeout=timeout)
        except grpc.RpcError as error:
            raise RequestError(f"{server}: {reason(error, timeout)}") from error
    translations = answer.outputs["translation"].string_val
    if len(translations) != len(sentences):
        raise RequestError(f"{server}: a model without translations: was it made by export.py?")
    return [text.decode("utf-8") for text in translations]


def make_request(model: str, sentences: Sequence[str]) -> "predict_pb2.PredictRequest":
    """Return the request for the translations of sentences."""
    import tensorflow as tf
    from tensorflow_serving.apis import predict_pb2

    request = predict_pb2.PredictRequest()
    request.model_spec.name = model
    encoded = [sentence.encode("utf-8", "replace") for sentence in sentences]
    request.inputs["source"].CopyFrom(tf.make_tensor_proto(encoded, tf.string))
    return request


def reason(error: "grpc.RpcError", timeout: float) -> str:
    """Return why a request failed, in one line."""
    code, details = error.code().name, " ".join((error.details() or "").split())
    if code == "DEADLINE_EXCEEDED":
        return f"no answer within {timeout:g} seconds"
    if code == "UNAVAILABLE":  # also the status of a server whose queue is full
        return f"no server answers there, or it is busy: {details or 'no details'}"
    return details or code


@contextlib.contextmanager
def silent_stderr() -> Iterator[None]:
    """Discard standard error, to which TensorFlow writes when it is imported."""
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def main() -> int:
    arguments = make_parser().parse_args()
    try:
        print(*translate(**vars(arguments)), sep="\n")
    except (RequestError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())

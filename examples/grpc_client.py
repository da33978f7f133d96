"""Translates sentences by the gRPC interface of TensorFlow Serving.

  python examples/grpc_client.py localhost:8500 en-de "When does your sister get up?"

It needs tensorflow-serving-api only, and can be copied.
"""

import argparse
import contextlib
import math
import os
import sys

TIMEOUT = 60  # seconds


class RequestError(Exception):
    """Why there are no translations, in one line."""


def make_parser():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("server", metavar="HOST:PORT", help="a server's gRPC port, mostly 8500")
    parser.add_argument("model", metavar="MODEL", help="name of the model, such as en-de")
    parser.add_argument("sentences", metavar="SENTENCE", nargs="+", help="what is translated")
    text = f"how long to wait for the answer (default {TIMEOUT})"
    parser.add_argument("--timeout", type=seconds, default=TIMEOUT, metavar="SECONDS", help=text)
    return parser


def seconds(text):
    """Return a positive number of seconds."""
    if not 0 < float(text) < math.inf:
        raise ValueError
    return float(text)


def translate(server, model, sentences, timeout=TIMEOUT):
    """Return the translations of sentences, by one request to the model on a server HOST:PORT.

    Raises:
        RequestError: no server answers there in time, or it refuses the request.
    """
    with without_greetings():
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


def make_request(model, sentences):
    """Return the request for the translations of sentences."""
    import tensorflow as tf
    from tensorflow_serving.apis import predict_pb2

    request = predict_pb2.PredictRequest()
    request.model_spec.name = model
    encoded = [sentence.encode("utf-8", "replace") for sentence in sentences]
    request.inputs["source"].CopyFrom(tf.make_tensor_proto(encoded, tf.string))
    return request


def reason(error, timeout):
    """Return why a request failed, in one line."""
    told = {
        "UNAVAILABLE": "no server answers there",
        "DEADLINE_EXCEEDED": f"no answer within {timeout:g} seconds",
    }
    return told.get(error.code().name) or " ".join(error.details().split())


@contextlib.contextmanager
def without_greetings():
    """A context in which nothing is written to standard error, as TensorFlow does at its start."""
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def main():
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

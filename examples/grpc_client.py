"""Translates sentences by the gRPC interface of TensorFlow Serving.

python examples/grpc_client.py localhost:8500 en-de "When does your sister get up?"
"""

import sys

import grpc
import tensorflow as tf
from tensorflow_serving.apis import predict_pb2, prediction_service_pb2_grpc


def translate(server, model, sentences):
    """Translations of sentences, by one request to the model on a server HOST:PORT."""
    request = predict_pb2.PredictRequest()
    request.model_spec.name = model
    request.inputs["source"].CopyFrom(tf.make_tensor_proto(sentences, tf.string))
    with grpc.insecure_channel(server) as channel:
        service = prediction_service_pb2_grpc.PredictionServiceStub(channel)
        answer = service.Predict(request, timeout=60)
    return [text.decode("utf-8") for text in answer.outputs["translation"].string_val]


if __name__ == "__main__":
    server, model, *sentences = sys.argv[1:]
    print(*translate(server, model, sentences), sep="\n")

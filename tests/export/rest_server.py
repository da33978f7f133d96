"""A fake server with the REST interface of TensorFlow Serving.

Requests and responses have the formats of https://www.tensorflow.org/tfx/serving/api_rest: rows
(`instances`, `predictions`) or columns (`inputs`, `outputs`).
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import tensorflow as tf


class RestServer(ThreadingHTTPServer):
    """A server of the model `toy`, as a context manager.

    Args:
        signatures: the signatures of a loaded SavedModel.
        busy: number of requests to reject before the first is answered.
        cors: whether pages may read the answers (`--enable_cors_support` of TensorFlow Serving).

    Attributes:
        bodies: the bodies of all requests received.
    """

    def __init__(self, signatures, busy=0, cors=False):
        super().__init__(("127.0.0.1", 0), Handler)
        self.signatures = signatures
        self.busy = busy
        self.cors = cors
        self.bodies = []

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/v1/models/toy"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.bodies.append(body)
        if self.path != "/v1/models/toy:predict":
            self._answer(404, {"error": "Servable not found for request: Latest(other)"})
        elif self.server.busy:
            self.server.busy -= 1
            self._answer(503, {"error": "The batch scheduling queue is full"})
        else:
            self._predict(body)

    def _predict(self, body):
        name = body.get("signature_name", "serving_default")
        if name not in self.server.signatures:
            return self._answer(400, {"error": f"Serving signature name: {name} not found"})
        return self._answer(200, predict(self.server.signatures[name], body))

    def _answer(self, status, content):
        encoded = json.dumps(content, ensure_ascii=False).encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(encoded)))
        if self.server.cors:
            self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(encoded)

    def log_message(self, *_):
        pass


def predict(signature, body):
    """Return the answer to a body in rows or columns."""
    specs = signature.structured_input_signature[1]
    columns = columns_of(body, list(specs))
    inputs = {name: tf.constant(columns[name], specs[name].dtype) for name in specs}
    outputs = {
        name: listed(tensor.numpy().tolist()) for name, tensor in signature(**inputs).items()
    }
    if "inputs" in body:
        return {"outputs": outputs}
    rows = zip(*outputs.values(), strict=True)
    return {"predictions": [dict(zip(outputs, row, strict=True)) for row in rows]}


def columns_of(body, names):
    """Return {input: column} of a body, which may omit the name of the only input."""
    if "inputs" in body:
        given = body["inputs"]
        return given if isinstance(given, dict) else {names[0]: given}
    rows = [row if isinstance(row, dict) else {names[0]: row} for row in body["instances"]]
    return {name: [row[name] for row in rows] for name in names}


def listed(value):
    if isinstance(value, list):
        return [listed(each) for each in value]
    return value.decode("utf-8") if isinstance(value, bytes) else value

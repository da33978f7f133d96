"""Asks a SavedModel in a process of its own, which knows nothing of this package.

    python check.py DIR < requests.json > answers.json

`requests` is a list of [signature, {input: nested list}]; `answers` has `load_seconds` and, for
each request, {output: nested list}.
"""

import contextlib
import json
import subprocess
import sys
import time


def ask(directory, requests):
    """The answers of a SavedModel, loaded in a new process.

    Raises:
        RuntimeError: it cannot be loaded, or does not answer; what that process said.
    """
    # -P: the directory of this file is no place to import from.
    done = subprocess.run(
        [sys.executable, "-P", __file__, str(directory)],
        input=json.dumps(requests).encode("ascii"),
        capture_output=True,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode("utf-8", "replace")[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


def main(directory):
    import tensorflow as tf

    with contextlib.suppress(ImportError):  # an export that takes ids does not need it
        import tensorflow_text  # noqa: F401 (its operations are in the graph)

    begin = time.perf_counter()
    model = tf.saved_model.load(directory)
    load_seconds = time.perf_counter() - begin
    answers = [_answer(model.signatures[name], inputs) for name, inputs in json.load(sys.stdin)]
    print(json.dumps({"load_seconds": load_seconds, "answers": answers}))


def _answer(signature, inputs):
    import tensorflow as tf

    _, specs = signature.structured_input_signature
    outputs = signature(**{name: tf.constant(inputs[name], specs[name].dtype) for name in specs})
    return {name: _listed(tensor.numpy().tolist()) for name, tensor in outputs.items()}


def _listed(value):
    if isinstance(value, list):
        return [_listed(each) for each in value]
    return value.decode("utf-8") if isinstance(value, bytes) else value


if __name__ == "__main__":
    main(sys.argv[1])

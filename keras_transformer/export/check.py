"""Call the signatures of a SavedModel in a separate process that does not import this package.

    python check.py DIR < requests.json > answers.json

`requests.json` contains a list of [signature, {input: nested list}]. `answers.json` contains an
object: `load_seconds`, and `answers`, a list of {output: nested list}, one for each request. If the
SavedModel cannot be loaded or called, the object has only `error`, a message.
"""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any


def ask(directory: str | os.PathLike[str], requests: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Return the answers of a SavedModel that is loaded in a new process.

    Args:
        directory: the SavedModel.
        requests: the content of `requests.json`, as in the module's docstring.

    Returns:
        The content of `answers.json`, as in the module's docstring.

    Raises:
        RuntimeError: If the SavedModel cannot be loaded or called.
    """
    # -P keeps the directory of this file out of sys.path, where its modules could hide others.
    done = subprocess.run(
        [sys.executable, "-P", __file__, str(directory)],
        input=json.dumps(requests).encode("ascii"),
        capture_output=True,
        env=os.environ | {"CUDA_VISIBLE_DEVICES": "-1"},  # this process may occupy the whole GPU
    )
    if done.returncode:
        raise RuntimeError(_reason_of_end(done))
    found = json.loads(done.stdout.splitlines()[-1])
    if "error" in found:
        raise RuntimeError(found["error"])
    return found


def _reason_of_end(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return why a process ended early: a signal, or the last line of its standard error."""
    if done.returncode < 0:
        return f"killed by signal {-done.returncode}"
    lines = map(str.strip, done.stderr.decode("utf-8", "replace").splitlines())
    return next(filter(None, reversed(list(lines))), f"exit status {done.returncode}")


def main(directory: str) -> None:
    """Print the answers to the requests on standard input, or an error."""
    try:
        result = _answers(directory, json.load(sys.stdin))
    except Exception as error:
        result = {"error": str(error) or type(error).__name__}
    print(json.dumps(result))


def _answers(directory: str, requests: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Load a SavedModel, and return its answers and the time that loading took."""
    import tensorflow as tf

    with contextlib.suppress(ImportError):  # only needed by exports that contain text operations
        import tensorflow_text  # noqa: F401 (registers the operations of the graph)

    begin = time.perf_counter()
    model = tf.saved_model.load(directory)
    load_seconds = time.perf_counter() - begin
    answers = [_answer(model.signatures[name], inputs) for name, inputs in requests]
    return {"load_seconds": load_seconds, "answers": answers}


def _answer(signature: Any, inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the outputs of a signature as nested lists."""
    import tensorflow as tf

    _, specs = signature.structured_input_signature
    outputs = signature(**{name: tf.constant(inputs[name], specs[name].dtype) for name in specs})
    return {name: _decoded(tensor.numpy().tolist()) for name, tensor in outputs.items()}


def _decoded(value: Any) -> Any:
    """Return a nested list with all byte strings decoded from UTF-8."""
    if isinstance(value, list):
        return [_decoded(each) for each in value]
    return value.decode("utf-8") if isinstance(value, bytes) else value


if __name__ == "__main__":
    main(sys.argv[1])

"""Files that accompany a SavedModel (warm-up requests, configuration), and examples of its use."""

import json
import os
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path

from google.protobuf import text_format

from keras_transformer.errors import missing_extra
from keras_transformer.export.operations import newest_server
from keras_transformer.files import write_bytes
from keras_transformer.tensors import Nest

try:
    import tensorflow as tf
    from tensorflow_serving.apis import predict_pb2, prediction_log_pb2
    from tensorflow_serving.config import model_server_config_pb2
except ImportError as error:
    need = "the export as a SavedModel needs tensorflow-serving-api"
    raise missing_extra(need, "serving") from error

WARMUP_FILE = "assets.extra/tf_serving_warmup_requests"
MODELS_FILE = "models.config"
BATCHING_FILE = "batching_parameters.txt"
README_FILE = "README.txt"
FILES = (MODELS_FILE, BATCHING_FILE, README_FILE)  # beside the versions

BATCHING = """\
# How TensorFlow Serving merges simultaneous requests: see docs/serving.md. These values were not
# measured on a server.
max_batch_size { value: 64 }
batch_timeout_micros { value: 2000 }
max_enqueued_batches { value: 100 }
num_batch_threads { value: 2 }
pad_variable_length_inputs: true
"""

# TensorFlow Serving ignores this file, because its name is not a number.
README = """\
{name}: a translator, exported by keras_transformer.

Each directory whose name is a number is a version, a TensorFlow SavedModel. TensorFlow Serving
loads the version with the highest number{condition}. {loading}

{program}"""
XLA_CONDITION = ",\nif it is started with --xla_cpu_compilation_enabled"
TEXT_LOADING = """\
To load one in Python, import tensorflow_text first.
Otherwise loading fails with "Op type not registered 'SentencepieceOp'", or the name of another
operation on subwords.

    pip install tensorflow-text"""
IDS_LOADING = """\
Its inputs and outputs are subword ids,
so it does not need tensorflow_text. To load a version in Python:"""
TEXT_PROGRAM = """\
import tensorflow as tf
import tensorflow_text  # registers the operations on subwords

model = tf.saved_model.load({directory!r})
answer = model.signatures["serving_default"](source=tf.constant({source!r}))
print(answer["translation"][0].numpy().decode())
"""
IDS_PROGRAM = """\
import tensorflow as tf

model = tf.saved_model.load({directory!r})
answer = model.signatures["serving_default"](source_ids=tf.constant({source_ids!r}))
print(answer["target_ids"][0].numpy().tolist())
"""


def write_warmup(
    directory: str | os.PathLike[str], name: str, requests: Iterable[tuple[str, Nest]]
) -> None:
    """Write the warm-up requests that a server processes before it accepts others.

    Args:
        directory: the version directory.
        name: name of the model.
        requests: pairs of a signature and {input: nested list}.
    """
    path = Path(directory) / WARMUP_FILE
    path.parent.mkdir()
    with tf.io.TFRecordWriter(str(path)) as writer:
        for signature, inputs in requests:
            request = predict_pb2.PredictRequest()
            request.model_spec.name = name
            request.model_spec.signature_name = signature
            for key, value in inputs.items():
                request.inputs[key].CopyFrom(tf.make_tensor_proto(value))
            log = prediction_log_pb2.PredictLog(request=request)
            record = prediction_log_pb2.PredictionLog(predict_log=log)
            writer.write(record.SerializeToString())


def write_configuration(
    directory: str | os.PathLike[str],
    name: str,
    version: int,
    inputs: Mapping[str, list],
    xla: bool = False,
) -> None:
    """Write README.txt, and models.config and batching_parameters.txt unless they exist.

    README.txt describes the newest version. The others may have been edited.

    Args:
        directory: the directory of the version directories.
        name: name of the model.
        version: number of the newest version.
        inputs: an example, {"source": strings} or {"source_ids": lists of ids}.
        xla: whether XLA compiles the search of the newest version.
    """
    config = model_server_config_pb2.ModelServerConfig()
    config.model_config_list.config.add(
        name=name, base_path=f"/models/{name}", model_platform="tensorflow"
    )
    files = {
        MODELS_FILE: text_format.MessageToString(config),
        BATCHING_FILE: BATCHING,
    }
    for file_name, content in files.items():
        path = Path(directory) / file_name
        if not path.exists():
            write_bytes(path, content.encode("utf-8"))
    readme = _readme(name, version, inputs, XLA_CONDITION if xla else "")
    write_bytes(Path(directory) / README_FILE, readme.encode("utf-8"))


def _readme(name: str, version: int, inputs: Mapping[str, list], condition: str) -> str:
    """Return the text for those who receive an export."""
    loading = TEXT_LOADING if "source" in inputs else IDS_LOADING
    program = textwrap.indent(_program(str(version), inputs), "    ")
    return README.format(name=name, condition=condition, loading=loading, program=program)


def _program(directory: str, inputs: Mapping[str, list]) -> str:
    """Return a Python program that calls the version in a directory."""
    program = TEXT_PROGRAM if "source" in inputs else IDS_PROGRAM
    return program.format(directory=directory, **inputs)


def docker_command(directory: str | os.PathLike[str], name: str, xla: bool) -> str:
    """Return the shell command that serves a directory of versions.

    Args:
        directory: the directory of the version directories.
        name: name of the model.
        xla: whether XLA compiles the search of the export.
    """
    place = f"/models/{name}"
    flags = ["--enable_batching", f"--batching_parameters_file={place}/{BATCHING_FILE}"]
    if xla:  # small requests are fastest alone: batching would only delay them
        flags = ["--xla_cpu_compilation_enabled"]
    lines = [
        "docker run --rm -p 8500:8500 -p 8501:8501",
        f"{_mount(Path(directory).resolve(), place)} -e MODEL_NAME={name}",
        f"tensorflow/serving:{newest_server().release} {' '.join(flags)}",
    ]
    return " \\\n    ".join(lines)


def _mount(directory: Path, place: str) -> str:
    """Return the option of Docker that shows a directory of the host at a place in a container."""
    if ":" in str(directory):  # separates the parts of -v
        return f"--mount {_quoted(f'type=bind,source={directory},target={place}')}"
    return f"-v {_quoted(f'{directory}:{place}')}"


def curl_command(name: str, inputs: Mapping[str, list], signature: str = "serving_default") -> str:
    """Return the shell command that sends one request to a server.

    Args:
        name: name of the model.
        inputs: {input: nested list}.
        signature: name of the signature.
    """
    body = json.dumps({"signature_name": signature, "inputs": inputs}, ensure_ascii=False)
    return f"curl http://localhost:8501/v1/models/{name}:predict \\\n    -d {_quoted(body)}"


def python_program(directory: str | os.PathLike[str], inputs: Mapping[str, list]) -> str:
    """Return a Python program that loads a version and calls it once.

    Args:
        directory: the version directory.
        inputs: {"source": strings} or {"source_ids": lists of ids}.
    """
    return _program(str(Path(directory).resolve()), inputs)


def _quoted(text: str) -> str:
    """Return a string quoted for the shell, always in single quotes."""
    return "'" + text.replace("'", "'\\''") + "'"

"""What stands beside a SavedModel: warm-up requests, configuration; and the ways to use it."""

import json
import textwrap
from pathlib import Path

from google.protobuf import text_format

from keras_transformer.errors import UserError
from keras_transformer.files import write_bytes

try:
    import tensorflow as tf
    from tensorflow_serving.apis import predict_pb2, prediction_log_pb2
    from tensorflow_serving.config import model_server_config_pb2
except ImportError as error:
    raise UserError('export needs tensorflow-serving-api: pip install -e ".[serving]"') from error

WARMUP_FILE = "assets.extra/tf_serving_warmup_requests"
MODELS_FILE = "models.config"
BATCHING_FILE = "batching_parameters.txt"
README_FILE = "README.txt"

BATCHING = """\
# How requests that come at the same time are put together: see docs/serving.md.
max_batch_size { value: 64 }
batch_timeout_micros { value: 2000 }
max_enqueued_batches { value: 100 }
num_batch_threads { value: 2 }
pad_variable_length_inputs: true
"""

# TensorFlow Serving passes over names that are no numbers, such as that of this file.
README = """\
{name}: a translator, written by export.py of keras_transformer.

Each directory with a number is a version, a TensorFlow SavedModel. TensorFlow Serving loads the
newest. To load one in Python, import tensorflow_text first, or TensorFlow says
"Op type not registered 'SentencepieceOp'", or names another operation on subwords:

    pip install tensorflow-text

{program}
An export with --ids-only does not need tensorflow_text. It takes and gives the ids of subwords.
"""
TEXT_PROGRAM = """\
import tensorflow as tf
import tensorflow_text  # has the operations on subwords

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


def write_warmup(directory, name, requests):
    """Writes the requests that a server answers to itself before others may ask.

    Args:
        directory: the version directory.
        name: name of the model.
        requests: list of (signature, {input: nested list}).
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


def write_configuration(directory, name):
    """Writes models.config, batching_parameters.txt and README.txt, where they are not there yet.

    Args:
        directory: the directory of the version directories.
        name: name of the model.
    """
    config = model_server_config_pb2.ModelServerConfig()
    config.model_config_list.config.add(
        name=name, base_path=f"/models/{name}", model_platform="tensorflow"
    )
    program = textwrap.indent(TEXT_PROGRAM.format(directory="1", source=["..."]), "    ")
    files = {
        MODELS_FILE: text_format.MessageToString(config),
        BATCHING_FILE: BATCHING,
        README_FILE: README.format(name=name, program=program),
    }
    for file_name, content in files.items():
        path = Path(directory) / file_name
        if not path.exists():
            write_bytes(path, content.encode("utf-8"))


def docker_command(directory, name, xla):
    """The command that serves a directory of versions."""
    place = f"/models/{name}"
    flags = ["--enable_batching", f"--batching_parameters_file={place}/{BATCHING_FILE}"]
    if xla:  # for small requests, which batching would only delay
        flags = ["--xla_cpu_compilation_enabled"]
    lines = [
        "docker run --rm -p 8500:8500 -p 8501:8501",
        f"-v {_quoted(f'{Path(directory).resolve()}:{place}')} -e MODEL_NAME={name}",
        f"tensorflow/serving {' '.join(flags)}",
    ]
    return " \\\n    ".join(lines)


def curl_command(name, inputs, signature="serving_default"):
    """The command that asks the server for one answer, with columns of inputs."""
    body = json.dumps({"signature_name": signature, "inputs": inputs}, ensure_ascii=False)
    return f"curl http://localhost:8501/v1/models/{name}:predict \\\n    -d {_quoted(body)}"


def python_program(directory, inputs):
    """Return a program that loads a version and asks it for one answer.

    Args:
        directory: of the version.
        inputs: {"source": strings} or {"source_ids": lists of ids}.
    """
    program = TEXT_PROGRAM if "source" in inputs else IDS_PROGRAM
    return program.format(directory=str(Path(directory).resolve()), **inputs)


def _quoted(text):
    """A string for the shell."""
    return "'" + text.replace("'", "'\\''") + "'"

"""Compiles `run_saved_model.c` against the TensorFlow wheel, and talks with it."""

import os
import shutil
import subprocess
from pathlib import Path

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import tensorflow as tf
    import tensorflow_text
    from tensorflow.core.protobuf import saved_model_pb2

SOURCE = Path(__file__).with_name("run_saved_model.c")
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
TEXT_OPERATIONS = Path(tensorflow_text.__file__).parent / "python/ops/_sentencepiece_tokenizer.so"


def compile_program(directory):
    """Compiles the program into a directory; gives its path."""
    wheel = Path(tf.__file__).parent
    program = Path(directory) / "run_saved_model"
    flags = ["-O2", "-Wall", "-Werror", f"-I{wheel / 'include'}", f"-L{wheel}"]
    libraries = ["-l:libtensorflow_cc.so.2", "-l:libtensorflow_framework.so.2"]
    command = [COMPILER, *flags, str(SOURCE), "-o", str(program), *libraries]
    subprocess.run([*command, f"-Wl,-rpath,{wheel}"], check=True)
    return program


def signatures(directory):
    """{name: SignatureDef} of a SavedModel."""
    content = (Path(directory) / "saved_model.pb").read_bytes()
    return dict(saved_model_pb2.SavedModel.FromString(content).meta_graphs[0].signature_def)


class Program:
    """A running program, for one signature of a SavedModel; a context manager.

    Args:
        program: path of the compiled program.
        directory: version directory of an export.
        signature: name of the signature.
        libraries: libraries of further operations.

    Attributes:
        load_seconds: what loading took.
        seconds: what the last request took.
    """

    def __init__(
        self, program, directory, signature="serving_default", libraries=(TEXT_OPERATIONS,)
    ):
        known = signatures(directory)[signature]
        self.inputs = {name: known.inputs[name].name for name in sorted(known.inputs)}
        self.outputs = {name: known.outputs[name].name for name in sorted(known.outputs)}
        command = [
            str(program),
            str(directory),
            ":".join(map(str, libraries)),
            ",".join(self.inputs.values()),
            ",".join(self.outputs.values()),
        ]
        pipe = subprocess.PIPE
        environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment
        )
        try:
            self.load_seconds = self._time()
        except RuntimeError:
            self.close()
            raise

    def request(self, **inputs):
        """Lists of strings, or of lists of ints -> {output: list of strings}."""
        for name in self.inputs:
            line = "\t".join(_field(value) for value in inputs[name])
            self.process.stdin.write(line.encode("utf-8") + b"\n")
        self.process.stdin.flush()
        lines = {name: self.process.stdout.readline() for name in self.outputs}
        self.seconds = self._time()
        return {
            name: line.decode("utf-8").removesuffix("\n").split("\t")
            for name, line in lines.items()
        }

    def _time(self):
        """The next time it tells; other lines on standard error are TensorFlow's."""
        others = []
        for line in self.process.stderr:
            if line.strip().isdigit():
                return int(line) / 1e6
            others.append(line)
        raise RuntimeError(b"".join(others[-3:]).decode("utf-8", "replace"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the program."""
        self.process.communicate()


def _field(value):
    field = value if isinstance(value, str) else " ".join(map(str, value))
    if set(field) & set("\t\n\0"):
        raise ValueError(f"the program takes no tab, line feed or NUL: {value!r}")
    return field

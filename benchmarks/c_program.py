"""Compile `run_saved_model.c` against the TensorFlow wheel, and send requests to it."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import tensorflow as tf
    import tensorflow_text
    from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2

SOURCE = Path(__file__).with_name("run_saved_model.c")
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
TEXT_OPERATIONS = Path(tensorflow_text.__file__).parent / "python/ops/_sentencepiece_tokenizer.so"


def compile_program(directory: str | os.PathLike[str]) -> Path:
    """Compile the program into a directory, and return its path.

    Raises:
        subprocess.CalledProcessError: the compiler failed.
    """
    wheel = Path(tf.__file__).parent
    program = Path(directory) / "run_saved_model"
    flags = ["-O2", "-Wall", "-Werror", f"-I{wheel / 'include'}", f"-L{wheel}"]
    libraries = ["-l:libtensorflow_cc.so.2", "-l:libtensorflow_framework.so.2"]
    command = [COMPILER, *flags, str(SOURCE), "-o", str(program), *libraries]
    subprocess.run([*command, f"-Wl,-rpath,{wheel}"], check=True)
    return program


def signatures(directory: str | os.PathLike[str]) -> dict[str, meta_graph_pb2.SignatureDef]:
    """Return {name: SignatureDef} of a SavedModel."""
    content = (Path(directory) / "saved_model.pb").read_bytes()
    return dict(saved_model_pb2.SavedModel.FromString(content).meta_graphs[0].signature_def)


class Program:
    """A running program for one signature of a SavedModel; a context manager.

    Args:
        program: path of the compiled program.
        directory: version directory of an export.
        signature: name of the signature.
        libraries: libraries of custom operations.

    Attributes:
        load_seconds: duration of loading the model.
        seconds: duration of the last request.

    Raises:
        RuntimeError: the program cannot load the model.
    """

    def __init__(
        self,
        program: str | os.PathLike[str],
        directory: str | os.PathLike[str],
        signature: str = "serving_default",
        libraries: Iterable[str | os.PathLike[str]] = (TEXT_OPERATIONS,),
    ) -> None:
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

    def request(self, **inputs: Sequence[str] | Sequence[Sequence[int]]) -> dict[str, list[str]]:
        """Send one request, and wait for its answer.

        Args:
            **inputs: for each input a batch, of strings or of sequences of integers.

        Returns:
            {output: batch of strings}.

        Raises:
            ValueError: a string contains a tab, a line feed or NUL.
            RuntimeError: the program has failed.
        """
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

    def _time(self) -> float:
        """Return the next duration that the program prints, in seconds.

        All other lines on standard error are TensorFlow's.
        """
        others = []
        for line in self.process.stderr:
            if line.strip().isdigit():
                return int(line) / 1e6
            others.append(line)
        raise RuntimeError(b"".join(others[-3:]).decode("utf-8", "replace"))

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program."""
        self.process.communicate()


def _field(value: str | Sequence[int]) -> str:
    """Return a value as the program reads it."""
    field = value if isinstance(value, str) else " ".join(map(str, value))
    if set(field) & set("\t\n\0"):
        raise ValueError(f"the program accepts no tab, line feed or NUL: {value!r}")
    return field

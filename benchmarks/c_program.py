"""Compile the C programs against a TensorFlow wheel, and control them."""

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import tensorflow as tf
    from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2

SOURCE = Path(__file__).with_name("run_saved_model.c")
SOAK_SOURCE = Path(__file__).with_name("soak_saved_model.c")
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


@dataclass(frozen=True)
class Installation:
    """The packages tensorflow and tensorflow_text of one release.

    Args:
        directory: the directory that contains them, such as site-packages.
    """

    directory: Path

    @property
    def tensorflow(self) -> Path:
        """The directory of tensorflow, with its headers and libraries."""
        return self.directory / "tensorflow"

    @property
    def text_operations(self) -> Path:
        """The library of the operations on subwords."""
        return self.directory / "tensorflow_text/python/ops/_sentencepiece_tokenizer.so"

    def flags(self) -> list[str]:
        """Return the flags of the compiler for the headers, and of the linker for the C API."""
        folders, libraries = [self.tensorflow], ["-l:libtensorflow_cc.so.2"]
        if not (self.tensorflow / "libtensorflow_cc.so.2").exists():  # before TensorFlow 2.12
            folders.append(self.tensorflow / "python")
            libraries = _extension_of_python()
        paths = [flag for folder in folders for flag in (f"-L{folder}", f"-Wl,-rpath,{folder}")]
        libraries = [*libraries, "-l:libtensorflow_framework.so.2", "-lm", "-pthread"]
        return [f"-I{self.tensorflow / 'include'}", *paths, *libraries]


def _extension_of_python() -> list[str]:
    """Return the flags of the linker for the extension of Python that contains the C API.

    It needs symbols of Python, which any version of Python provides.
    """
    name, folder = map(sysconfig.get_config_var, ("INSTSONAME", "LIBDIR"))
    python = [f"-L{folder}", f"-Wl,-rpath,{folder}", "-Wl,--no-as-needed", f"-l:{name}"]
    extension = "-l:_pywrap_tensorflow_internal.so"
    return [*python, extension, "-Wl,--unresolved-symbols=ignore-in-shared-libs"]


INSTALLED = Installation(Path(tf.__file__).parents[1])


def compile_program(
    directory: str | os.PathLike[str],
    source: Path = SOURCE,
    installation: Installation = INSTALLED,
) -> Path:
    """Compile a program into a directory, and return its path.

    Raises:
        subprocess.CalledProcessError: the compiler failed.
    """
    program = Path(directory) / source.stem
    command = [COMPILER, "-O2", "-Wall", "-Werror", str(source), "-o", str(program)]
    subprocess.run([*command, *installation.flags()], check=True)
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
        libraries: Iterable[str | os.PathLike[str]] = (INSTALLED.text_operations,),
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


class Soak:
    """A running program with several clients that translate text; a context manager.

    Args:
        program: path of the compiled program.
        directory: version directory of an export, whose inputs and outputs all versions have.
        clients: number of clients.
        requests: file of requests and expected answers: for each request a line of sentences, one
            of scores and one of translations, divided by tabs.
        installation: packages with the operations on subwords.
    """

    def __init__(
        self,
        program: str | os.PathLike[str],
        directory: str | os.PathLike[str],
        clients: int,
        requests: str | os.PathLike[str],
        installation: Installation = INSTALLED,
    ) -> None:
        known = signatures(directory)["serving_default"]
        outputs = ",".join(known.outputs[name].name for name in ("score", "translation"))
        libraries, name = str(installation.text_operations), known.inputs["source"].name
        command = [str(program), libraries, name, outputs, str(clients), str(requests)]
        pipe = subprocess.PIPE
        environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, env=environment, text=True
        )

    def send(self, version: str | os.PathLike[str] = "") -> tuple[int, int]:
        """Let the clients use another version, if one is given.

        Returns:
            The numbers of answers and of wrong answers since the start.

        Raises:
            RuntimeError: the program has failed.
        """
        print(version, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the program has failed")
        answers, wrong = map(int, line.split())
        return answers, wrong

    def memory(self) -> int:
        """Return the resident memory of the program in bytes."""
        _, pages, *_ = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def __enter__(self) -> "Soak":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()


def _field(value: str | Sequence[int]) -> str:
    """Return a value as the program reads it."""
    field = value if isinstance(value, str) else " ".join(map(str, value))
    if set(field) & set("\t\n\0"):
        raise ValueError(f"the program accepts no tab, line feed or NUL: {value!r}")
    return field

"""Write the list of operations with which exports are compared.

The script reads the operations and attributes that are registered in other releases of TensorFlow
and tensorflow-text: those from which the newest TensorFlow Serving is built. Their packages need
neither their dependencies nor a Python that could import them:

    pip install --no-deps --only-binary=:all: --target DIR \\
        tensorflow==2.20.0 tensorflow-text==2.20.0

TensorFlow Serving links all operations of tensorflow-text: `SUPPORTED_TENSORFLOW_OPS` in its
tensorflow_serving/model_servers/BUILD contains `ops_lib` of tensorflow_text/BUILD.
"""

import ctypes
import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Any

from keras_transformer.commands import command_line, entry_point
from keras_transformer.errors import UserError
from keras_transformer.files import atomic_open
from keras_transformer.quiet import quiet_stderr

LIST = Path(__file__).parents[1] / "keras_transformer/export/serving_operations.json"
# Kernels without a device run on all. Others run on GPUs or TPUs only.
PROCESSOR = {"CPU", "DEFAULT"}


class Buffer(ctypes.Structure):
    """`TF_Buffer` of TensorFlow's C library."""

    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t), ("free", ctypes.c_void_p)]


def main() -> int:
    parser = command_line.Parser(
        description=__doc__, epilog=f"The list is written to {LIST.name} in the package."
    )
    parser.add_argument("directory", metavar="DIR", help="directory of the other packages")
    directory = Path(parser.parse_args().directory)
    versions = {name: version(directory, name) for name in ("tensorflow", "tensorflow-text")}
    # This process has another TensorFlow, whose symbols would clash.
    other_process = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    with quiet_stderr(), other_process:
        operations = listed(*other_process.submit(registered, directory).result())
    with atomic_open(LIST) as file:
        file.write(text(versions, operations))
    print(f"{LIST}: {len(operations):,} operations")
    return 0


def registered(directory: Path) -> tuple[bytes, bytes]:
    """Return the operations and kernels of other libraries, as an `OpList` and a `KernelList`."""
    ctypes.CDLL(str(directory / "tensorflow/libtensorflow_framework.so.2"), ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(str(directory / "tensorflow/libtensorflow_cc.so.2"), ctypes.RTLD_GLOBAL)
    library.TF_NewStatus.restype = ctypes.c_void_p
    library.TF_GetAllOpList.restype = ctypes.POINTER(Buffer)
    library.TF_GetAllRegisteredKernels.restype = ctypes.POINTER(Buffer)
    status = ctypes.c_void_p(library.TF_NewStatus())
    for path in sorted((directory / "tensorflow_text/python/ops").glob("_*.so")):
        library.TF_LoadLibrary(str(path).encode(), status)
        if library.TF_GetCode(status):
            raise UserError(f"{path}: cannot be loaded")
    operations = library.TF_GetAllOpList().contents
    kernels = library.TF_GetAllRegisteredKernels(status).contents
    return content(operations), content(kernels)


def content(buffer: Buffer) -> bytes:
    """Return the bytes in a buffer."""
    return ctypes.string_at(buffer.data, buffer.length)


def listed(operations: bytes, kernels: bytes) -> dict[str, dict[str, str]]:
    """Return {operation: {attribute: description}} of all operations that a processor can run.

    Operations whose name begins with an underscore are created by TensorFlow itself when it
    optimizes a graph.
    """
    from tensorflow.core.framework import kernel_def_pb2, op_def_pb2

    all_kernels = kernel_def_pb2.KernelList.FromString(kernels).kernel
    runnable = {kernel.op for kernel in all_kernels if kernel.device_type in PROCESSOR}
    return {
        operation.name: dict(map(described, operation.attr))
        for operation in op_def_pb2.OpList.FromString(operations).op
        if operation.name in runnable and not operation.name.startswith("_")
    }


def described(attribute: Any) -> tuple[str, str]:
    """Return the name and description of an `AttrDef`, as `export/operations.py` reads them."""
    import tensorflow as tf

    allowed = attribute.allowed_values.list
    names = [tf.as_dtype(each).name for each in allowed.type]
    names += [each.decode() for each in allowed.s if each]
    mark = "?" if attribute.HasField("default_value") else ""
    limits = f" in {' '.join(names)}" if names else ""
    return f"{attribute.name}{mark}", f"{attribute.type}{limits}"


def version(directory: Path, name: str) -> str:
    """Return the version of a package, which may be the variant for processors only.

    Raises:
        UserError: the directory does not contain the package.
    """
    for each in metadata.distributions(path=[str(directory)]):
        if each.name.replace("_", "-").removesuffix("-cpu") == name:
            return each.version
    raise UserError(f"{directory}: no {name} here")


def text(versions: dict[str, str], operations: dict[str, dict[str, str]]) -> str:
    """Return the content of the list, with one line for each operation."""
    lines = [f"{json.dumps(name)}: {json.dumps(operations[name])}" for name in sorted(operations)]
    head = [f"{json.dumps(name)}: {json.dumps(number)}" for name, number in versions.items()]
    body = ",\n".join(lines)
    return "{\n" + ",\n".join(head) + ',\n"operations": {\n' + body + "\n}\n}\n"


if __name__ == "__main__":
    entry_point.run(main)

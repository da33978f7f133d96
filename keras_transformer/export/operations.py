"""The operations of the newest TensorFlow Serving, and whether they suffice for an export.

TensorFlow Serving is older than the TensorFlow that this package uses. A server rejects a graph
with an operation, an attribute, or a value of an attribute that it does not know. Loading the graph
here does not reveal them, so every export is compared with `serving_operations.json`, which
`benchmarks/serving_operations.py` writes. It maps the name of each operation to its attributes, for
example

    "CountUpTo": {"limit": "int", "T": "type in int32 int64"}

The allowed values of an attribute, if limited, follow `in`. A name that ends with `?` belongs to an
attribute that has a default.
"""

import functools
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias

import tensorflow as tf
from google.protobuf.message import DecodeError
from tensorflow.core.framework import attr_value_pb2, graph_pb2, node_def_pb2
from tensorflow.core.protobuf import saved_model_pb2

from keras_transformer.errors import CheckError

FILE = "serving_operations.json"

AttrValue: TypeAlias = attr_value_pb2.AttrValue
GraphDef: TypeAlias = graph_pb2.GraphDef
NodeDef: TypeAlias = node_def_pb2.NodeDef

# The field of `AttrValue` that holds a value, by the kind of the attribute.
FIELDS = {"string": "s", "int": "i", "float": "f", "bool": "b"}


@dataclass(frozen=True)
class Attribute:
    """An attribute of an operation.

    Args:
        kind: kind of its value, such as "int", "type" or "list(type)".
        allowed: the allowed values; empty if all are.
        required: whether it has no default.
    """

    kind: str
    allowed: frozenset[str]
    required: bool

    def accepts(self, value: AttrValue) -> bool:
        """Return whether the attribute can have a value."""
        if value.WhichOneof("value") == "placeholder":  # an attribute of the enclosing function
            return True
        return self._is_of_kind(value) and (not self.allowed or _names(value) <= self.allowed)

    def _is_of_kind(self, value: AttrValue) -> bool:
        field = value.WhichOneof("value")
        if self.kind.startswith("list("):
            element = self.kind.removeprefix("list(").removesuffix(")")
            filled = [descriptor.name for descriptor, _ in value.list.ListFields()]
            return field == "list" and filled in ([], [FIELDS.get(element, element)])
        return field == FIELDS.get(self.kind, self.kind)


Operations: TypeAlias = Mapping[str, Mapping[str, Attribute]]  # {operation: {name: Attribute}}


@dataclass(frozen=True)
class Server:
    """A release of TensorFlow Serving.

    Args:
        release: the release of TensorFlow, for example "2.20.0".
        operations: the operations that have an implementation for processors.
    """

    release: str
    operations: Operations


@functools.cache
def newest_server() -> Server:
    """Return the newest release of TensorFlow Serving with which exports are compared."""
    text = (resources.files(__package__) / FILE).read_text(encoding="utf-8")
    content = json.loads(text)
    operations = {
        operation: dict(map(_parsed, attributes.items()))
        for operation, attributes in content["operations"].items()
    }
    return Server(content["tensorflow"], operations)


def _parsed(item: tuple[str, str]) -> tuple[str, Attribute]:
    """Return the name of an attribute and the `Attribute`, both as described above."""
    name, description = item
    kind, _, allowed = description.partition(" in ")
    attribute = Attribute(kind, frozenset(allowed.split()), required=not name.endswith("?"))
    return name.removesuffix("?"), attribute


def check_operations(directory: str | os.PathLike[str], server: Server | None = None) -> None:
    """Check that a server knows all operations of a SavedModel, and their attributes.

    Args:
        directory: the SavedModel.
        server: the `Server`; the newest by default.

    Raises:
        CheckError: If the SavedModel cannot be loaded, or the server would reject it.
    """
    server = server or newest_server()
    for meta_graph in _loaded(Path(directory) / "saved_model.pb").meta_graphs:
        if fault := next(_faults(meta_graph.graph_def, server.operations), None):
            raise CheckError(f"TensorFlow Serving {server.release} cannot run the export: {fault}")


def _loaded(path: Path) -> saved_model_pb2.SavedModel:
    """Return the content of a file saved_model.pb."""
    try:
        return saved_model_pb2.SavedModel.FromString(path.read_bytes())
    except DecodeError as error:
        raise CheckError(f"the export cannot be loaded: {path}: {error}") from error


def _faults(graph: GraphDef, operations: Operations) -> Iterator[str]:
    """Yield what a server would reject in a graph and its functions."""
    functions = {function.signature.name for function in graph.library.function}
    for nodes in (graph.node, *(function.node_def for function in graph.library.function)):
        for node in nodes:
            if node.op in operations:
                yield from _faults_of_attributes(node, operations[node.op])
            elif node.op not in functions:
                yield f"it has no operation {node.op}"


def _faults_of_attributes(node: NodeDef, known: Mapping[str, Attribute]) -> Iterator[str]:
    """Yield what a server would reject among the attributes of a node.

    Attributes whose name begins with an underscore are notes, which every server accepts.
    """
    for name, value in node.attr.items():
        if name.startswith("_"):
            continue
        if name not in known:
            yield f"its operation {node.op} has no attribute {name}"
        elif not known[name].accepts(value):
            given = " ".join(str(value).split())
            yield f"its operation {node.op} does not accept {name} = {given}"
    for name, attribute in known.items():
        if attribute.required and name not in node.attr:
            yield f"its operation {node.op} needs the attribute {name}"


def _names(value: AttrValue) -> frozenset[str]:
    """Return the types or strings in the value of an attribute, as the file names them."""
    types = [value.type, *value.list.type] if value.type else value.list.type
    strings: Any = [value.s, *value.list.s] if value.s else value.list.s
    names = [tf.as_dtype(each).name for each in types] + [each.decode() for each in strings]
    return frozenset(names)

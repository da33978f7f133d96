"""Exports against the operations of the newest TensorFlow Serving."""

import pytest
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.protobuf import saved_model_pb2

from keras_transformer.errors import CheckError
from keras_transformer.export.operations import check_operations, newest_server

CONST = 'op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } '
CONST += 'attr { key: "value" value { tensor { dtype: DT_FLOAT } } }'


def saved_model(directory, nodes=(), functions=()):
    """Write a SavedModel whose graph has some nodes and functions; return its directory."""
    nodes = "".join(f"node {{ {node} }}" for node in nodes)
    functions = "".join(f"function {{ {function} }}" for function in functions)
    text = f"meta_graphs {{ graph_def {{ {nodes} library {{ {functions} }} }} }}"
    content = text_format.Parse(text, saved_model_pb2.SavedModel()).SerializeToString()
    (directory / "saved_model.pb").write_bytes(content)
    return directory


def names_of(directory):
    """Return the operations in the graph and all functions of a SavedModel."""
    content = (directory / "saved_model.pb").read_bytes()
    graph = saved_model_pb2.SavedModel.FromString(content).meta_graphs[0].graph_def
    functions = [function.node_def for function in graph.library.function]
    return {node.op for nodes in [graph.node, *functions] for node in nodes}


@pytest.mark.parametrize("kind", ["exported", "exported_ids", "exported_xla", "exported_sampling"])
def test_the_newest_server_can_run_every_kind_of_export(kind, request):
    directory = request.getfixturevalue(kind).directory
    check_operations(directory)
    needs_text = kind in ("exported", "exported_xla")
    assert any(name.startswith("Sentencepiece") for name in names_of(directory)) == needs_text


def test_the_list_contains_what_a_server_can_run():
    """Some operations of TensorFlow and tensorflow-text; PyFunc needs Python."""
    server = newest_server()
    assert server.release == "2.20.0"
    assert {"MatMul", "StatefulPartitionedCall", "SentencepieceOp"} <= server.operations.keys()
    assert not {"PyFunc", "EagerPyFunc", "TPUExecute"} & server.operations.keys()
    matmul = server.operations["MatMul"]
    assert {"T", "transpose_a", "transpose_b"} <= matmul.keys()
    assert matmul["T"].required
    assert not matmul["transpose_a"].required


def test_an_attribute_that_tensorflow_2_21_added_is_rejected_unless_it_has_its_default(tmp_path):
    """`TensorListGetItem` has the attribute `Tshape` since 2.21; its default is int32."""

    def export(dtype):
        module = tf.Module()
        module.call = tf.function(
            lambda x: tf.raw_ops.TensorListGetItem(
                input_handle=tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=[2]),
                index=0,
                element_shape=tf.constant([2], dtype),
                element_dtype=tf.float32,
            ),
            input_signature=[tf.TensorSpec((3, 2))],
        )
        tf.saved_model.save(module, str(tmp_path / dtype.name), signatures=module.call)
        return tmp_path / dtype.name

    check_operations(export(tf.int32))
    with pytest.raises(
        CheckError,
        match="Serving 2.20.0 cannot run .* operation TensorListGetItem has no attribute Tshape",
    ):
        check_operations(export(tf.int64))


ABS = 'name: "a" op: "Abs" input: "c"'


@pytest.mark.parametrize(
    ("node", "fault"),
    [
        ('name: "a" op: "DecodeJxl"', "it has no operation DecodeJxl"),
        ('name: "a" op: "PyFunc"', "it has no operation PyFunc"),
        (
            f'{ABS} attr {{ key: "T" value {{ type: DT_STRING }} }}',
            "Abs does not accept T = type: DT_STRING",
        ),
        (f'{ABS} attr {{ key: "T" value {{ i: 1 }} }}', "Abs does not accept T = i: 1"),
        (ABS, "Abs needs the attribute T"),
        (
            'name: "p" op: "MatrixDiagPartV3" attr { key: "T" value { type: DT_FLOAT } }'
            'attr { key: "align" value { s: "CENTER" } }',
            'MatrixDiagPartV3 does not accept align = s: "CENTER"',
        ),
        (
            'name: "n" op: "IdentityN" attr { key: "T" value { list { i: 1 } } }',
            "IdentityN does not accept T = list { i: 1 }",
        ),
    ],
)
def test_a_server_rejects_what_it_does_not_know(tmp_path, node, fault):
    with pytest.raises(CheckError, match="cannot run the export") as error:
        check_operations(saved_model(tmp_path, [node]))
    assert fault in str(error.value)
    function = f'signature {{ name: "f" }} node_def {{ {node} }}'
    with pytest.raises(CheckError, match="cannot run the export"):
        check_operations(saved_model(tmp_path, functions=[function]))


@pytest.mark.parametrize(
    "node",
    [
        f'name: "c" {CONST}',
        f'name: "c" {CONST} attr {{ key: "_output_shapes" value {{ list {{ }} }} }}',
        'name: "a" op: "Abs" attr { key: "T" value { placeholder: "T" } }',
        'name: "p" op: "MatrixDiagPartV3" attr { key: "T" value { type: DT_FLOAT } }'
        'attr { key: "align" value { s: "LEFT_LEFT" } }',
        'name: "n" op: "IdentityN" attr { key: "T" value { list { type: DT_INT32 } } }',
        'name: "call" op: "f" attr { key: "any" value { i: 1 } }',
    ],
)
def test_a_server_accepts_notes_placeholders_allowed_values_and_calls(tmp_path, node):
    function = 'signature { name: "f" }'
    check_operations(saved_model(tmp_path, [node], [function]))

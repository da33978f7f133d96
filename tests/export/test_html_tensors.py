"""Tensors as bytes."""

import struct

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from keras_transformer.export.html.quantization import quantize
from keras_transformer.export.html.tensors import pack, unpack

weights = arrays(
    np.float32,
    array_shapes(max_dims=2, max_side=5),
    elements=st.floats(-1000, 1000, width=32),
)
named = st.dictionaries(st.text(), st.tuples(weights, st.sampled_from(["int8", "float16"])))


@given(named)
def test_tensors_can_be_read_back(content):
    tensors = {name: quantize(*each) for name, each in content.items()}
    entries, data = pack(tensors)
    found = unpack(entries, data)
    assert list(found) == list(tensors)
    for name, tensor in tensors.items():
        assert found[name].kind == tensor.kind
        np.testing.assert_array_equal(found[name].values, tensor.values)
        np.testing.assert_array_equal(found[name].dequantized(), tensor.dequantized())


@given(named)
def test_offsets_are_multiples_of_four_and_parts_do_not_overlap(content):
    entries, data = pack({name: quantize(*each) for name, each in content.items()})
    end = 0
    for entry in entries:
        count = int(np.prod(entry["shape"]))
        parts = [(entry["offset"], count * {"int8": 1, "float16": 2, "float32": 4}[entry["kind"]])]
        if entry["kind"] == "int8":
            parts.append((entry["scales"], 4 * entry["shape"][0]))
        for offset, size in parts:
            assert offset % 4 == 0
            assert 0 <= offset - end < 4
            end = offset + size
    assert end == len(data)


def test_the_bytes_are_little_endian():
    matrix = np.array([[127, -1], [254, -254], [0, 127]], np.float32)
    tensors = {
        "a": quantize(matrix, "int8"),
        "b": quantize(matrix, "float16"),
        "c": quantize(np.array([0.5, -2], np.float32), "int8"),
    }
    entries, data = pack(tensors)
    assert entries == [
        {"name": "a", "kind": "int8", "shape": [3, 2], "offset": 0, "scales": 8},
        {"name": "b", "kind": "float16", "shape": [3, 2], "offset": 20},
        {"name": "c", "kind": "float32", "shape": [2], "offset": 32},
    ]
    integers = struct.pack("<6b2x3f", 127, -1, 127, -127, 0, 127, 1, 2, 1)
    assert data == integers + struct.pack("<6e2f", *matrix.flat, 0.5, -2)

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.runs.json_files import MAX_BYTES, read_object

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(content=st.dictionaries(st.text(), VALUES), indent=st.sampled_from([None, 2]))
def test_an_object_that_python_writes_is_read(tmp_path_factory, content, indent):
    path = tmp_path_factory.getbasetemp() / "object.json"
    path.write_text(json.dumps(content, indent=indent), encoding="utf-8")
    assert read_object(path) == content


def test_a_byte_order_mark_is_ignored(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert read_object(path) == {"a": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "Expecting value"),
        (b'{"a": 1, "a": 1}', "'a' occurs more than once"),
        (b'{"a": {"b": 1, "b": 2}}', "'b' occurs more than once"),
        (b'{"a": NaN}', "NaN is not a number in JSON"),
        (b'{"a": -Infinity}', "-Infinity is not a number in JSON"),
        (b'{"a": 1' + 400 * b"0" + b"}", "the integer 1000000000... has 401 digits"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"a": "\xff"}', "invalid start byte"),
        ('{"a": 1}'.encode("utf-16"), "invalid start byte"),
        (b'{"a": "\0"}', "Invalid control character"),
        (b"\0" * 10, "Expecting value"),
    ],
)
def test_other_files_are_an_error_of_one_line(tmp_path, content, message):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(UserError) as error:
        read_object(path)
    assert str(error.value).startswith(f"{path}: not valid JSON: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200 + len(str(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[]", "expected a JSON object"),
        (b'"text"', "expected a JSON object"),
        (b'{"a": 1}' + b" " * MAX_BYTES, "larger than 1,048,576 bytes"),
    ],
)
def test_a_file_must_be_an_object_of_limited_size(tmp_path, content, message):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(UserError) as error:
        read_object(path)
    assert str(error.value) == f"{path}: {message}"


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(UserError, match="cannot be read: Is a directory"):
        read_object(tmp_path)
    with pytest.raises(UserError, match="cannot be read: No such file"):
        read_object(tmp_path / "missing.json")


def test_a_name_that_occurs_twice_among_many_is_found(tmp_path):
    names = [*(f"{n:x}" for n in range(100_000)), "last", "last"]
    path = tmp_path / "a.json"
    path.write_text("{" + ",".join(f'"{name}":0' for name in names) + "}")
    with pytest.raises(UserError, match="'last' occurs more than once"):
        read_object(path)

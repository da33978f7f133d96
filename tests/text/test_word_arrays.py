import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.text.word_arrays import read_arrays, write_arrays

WORDS = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n")), min_size=1
)


@given(WORDS, st.lists(st.integers(-(2**60), 2**60)))
def test_reading_inverts_writing(tmp_path_factory, words, numbers):
    path = tmp_path_factory.getbasetemp() / "words.npz"
    write_arrays(path, {"words": words}, {"numbers": np.array(numbers, np.int64)})
    [found], [array] = read_arrays(path, ("words",), ("numbers",))
    assert (found, array.tolist()) == (words, numbers)


def test_damaged_files_are_detected(tmp_path):
    path = tmp_path / "words.npz"
    write_arrays(path, {"words": ["a"]}, {"numbers": np.arange(1000)})
    with pytest.raises(UserError, match=r"words\.npz: damaged"):
        read_arrays(path, ("words",), ("others",))
    content = bytearray(path.read_bytes())
    for place in range(0, len(content), 37):  # a modified byte is detected or harmless
        damaged = content.copy()
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        try:
            [found], [array] = read_arrays(path, ("words",), ("numbers",))
        except UserError:
            continue
        assert (found, array.tolist()) == (["a"], list(range(1000)))


def test_pickled_objects_are_not_loaded(tmp_path):
    path = tmp_path / "words.npz"
    np.savez(path, words=np.array([object()], dtype=object), allow_pickle=True)
    with pytest.raises(UserError, match="damaged"):
        read_arrays(path, ("words",), ())

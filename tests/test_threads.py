import os

import pytest
import tensorflow as tf

from keras_transformer.threads import divide_cores


@pytest.mark.parametrize(
    ("cores", "parts", "threads"), [(8, 2, 4), (2, 2, 1), (1, 2, 1), (3, 2, 1)]
)
def test_each_operation_uses_an_equal_part_of_the_cores(monkeypatch, cores, parts, threads):
    found = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    monkeypatch.setattr(tf.config.threading, "set_intra_op_parallelism_threads", found.append)
    divide_cores(parts)
    assert found == [threads]


def test_dividing_cores_after_the_first_operation_is_ignored():
    tf.zeros(()).numpy()
    divide_cores(2)  # no error

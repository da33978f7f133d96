import threading
import time

import pytest
import tensorflow as tf

from keras_transformer.translation import parallel
from keras_transformer.translation.parallel import divide_cores, side_by_side


def test_results_are_in_the_order_of_the_items():
    def slow_first(item):
        time.sleep(0.05 * (item == 0))
        return item**2

    assert side_by_side(slow_first, list(range(7)), workers=3) == [0, 1, 4, 9, 16, 25, 36]
    assert side_by_side(slow_first, []) == []


def test_workers_are_at_work_at_the_same_time():
    meeting = threading.Barrier(3, timeout=30)  # nobody passes alone
    assert len(side_by_side(lambda _: meeting.wait(), [0, 1, 2], workers=3)) == 3


def test_after_an_error_what_has_not_begun_is_left():
    begun = []

    def fail(item):
        begun.append(item)
        if item == 2:
            raise KeyboardInterrupt
        time.sleep(0.01 * (item > 2))  # the error is heard of long before all are done
        return item

    with pytest.raises(KeyboardInterrupt):
        side_by_side(fail, list(range(1000)), workers=1)
    assert begun[:3] == [0, 1, 2]
    assert len(begun) < 1000


def test_by_default_there_is_at_least_one_worker():
    assert side_by_side(str, [1]) == ["1"]


@pytest.mark.parametrize(
    ("cores", "parts", "threads"), [(8, 2, 4), (2, 2, 1), (1, 2, 1), (3, 2, 1)]
)
def test_an_operation_has_its_part_of_the_cores(monkeypatch, cores, parts, threads):
    found = []
    monkeypatch.setattr(parallel, "_usable_cores", lambda: cores)
    monkeypatch.setattr(tf.config.threading, "set_intra_op_parallelism_threads", found.append)
    divide_cores(parts)
    assert found == [threads]


def test_cores_are_not_divided_once_tensorflow_runs():
    tf.zeros(()).numpy()
    divide_cores(2)  # no error

import threading
import time

import pytest

from keras_transformer.translation.parallel import map_batches, parallel_map


def test_results_are_in_the_order_of_the_items():
    def slow_first(item):
        time.sleep(0.05 * (item == 0))
        return item**2

    assert parallel_map(slow_first, list(range(7)), workers=3) == [0, 1, 4, 9, 16, 25, 36]
    assert parallel_map(slow_first, []) == []


def test_workers_run_at_the_same_time():
    meeting = threading.Barrier(3, timeout=30)  # passed only by three threads together
    assert len(parallel_map(lambda _: meeting.wait(), [0, 1, 2], workers=3)) == 3


def test_an_error_cancels_items_that_are_not_started():
    started = []

    def fail(item):
        started.append(item)
        if item == 2:
            raise KeyboardInterrupt
        time.sleep(0.01 * (item > 2))  # the error is raised long before all items are done
        return item

    with pytest.raises(KeyboardInterrupt):
        parallel_map(fail, list(range(1000)), workers=1)
    assert started[:3] == [0, 1, 2]
    assert len(started) < 1000


def test_the_default_is_at_least_one_worker():
    assert parallel_map(str, [1]) == ["1"]


def test_several_batches_run_at_the_same_time():
    meeting = threading.Barrier(3, timeout=30)

    def waiting(batch):
        meeting.wait()
        return batch

    assert map_batches(waiting, [1, 2, 3], batch_size=1, workers=3) == [0, 1, 2]


def test_batches_have_items_of_similar_length_and_results_their_order():
    lengths, batches = [5, 1, 4, 2, 3], []

    def negated(batch):
        batches.append([lengths[i] for i in batch])
        return [-lengths[i] for i in batch]

    assert map_batches(negated, lengths, batch_size=2) == [-5, -1, -4, -2, -3]
    assert sorted(batches) == [[1, 2], [3, 4], [5]]
    assert map_batches(negated, [], batch_size=2) == []

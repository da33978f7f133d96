"""Batches side by side.

The operations of a search are too small to divide each among cores: with a thread an operation and
a batch a core, two cores search about twice as fast as with both cores on each operation.
"""

import contextlib
import os
from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf


def one_thread_an_operation():
    """For programs that only translate: no operation is divided among cores.

    It is for all operations, so it comes before the first; after that it changes nothing.
    """
    with contextlib.suppress(RuntimeError):  # TensorFlow has begun
        tf.config.threading.set_intra_op_parallelism_threads(1)


def divide_cores(parts):
    """For programs that compute so many things at once: an operation has its part of the cores.

    As above, it comes before the first operation.
    """
    with contextlib.suppress(RuntimeError):
        threads = max(1, _usable_cores() // parts)
        tf.config.threading.set_intra_op_parallelism_threads(threads)


def side_by_side(function, items, workers=None):
    """What `function` gives for each of the items, computed by so many threads.

    Args:
        function: is given an item.
        items: list.
        workers: threads; by default one for each core, or one if there is a GPU.

    Returns:
        List of results, in the order of the items.

    Raises:
        Exception: whatever `function` raises. Items that have not been started are skipped.
    """
    if len(items) == 1:  # a thread for it would cost more than some of them
        return [function(*items)]
    with ThreadPoolExecutor(workers or _cores()) as pool:
        return list(pool.map(function, items))  # after an error it cancels what has not begun


def _cores():
    return 1 if tf.config.list_logical_devices("GPU") else _usable_cores()


def _usable_cores():
    usable = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(usable(0)) if usable else os.cpu_count() or 1

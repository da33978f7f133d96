"""Batches computed in parallel.

The operations of a search are too small to be divided among cores. It is faster to search one batch
on each core, with one thread for each operation.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import tensorflow as tf

from keras_transformer.cores import usable_cores

Item = TypeVar("Item")
Result = TypeVar("Result")


def parallel_map(
    function: Callable[[Item], Result], items: Sequence[Item], workers: int | None = None
) -> list[Result]:
    """Apply a function to items in threads.

    Args:
        function: a function of one item.
        items: the items.
        workers: number of threads; by default one for each core, or one if there is a GPU.

    Returns:
        The results in the order of the items.

    Raises:
        Exception: If `function` raises one. Items that have not been started are then skipped.
    """
    if len(items) == 1:  # starting a thread would take longer than some calls
        return [function(*items)]
    with ThreadPoolExecutor(workers or _default_workers()) as pool:
        return list(pool.map(function, items))  # after an error it cancels pending items


def map_batches(
    function: Callable[[list[int]], Iterable[Result]],
    lengths: Sequence[int],
    batch_size: int,
    workers: int | None = None,
) -> list[Result]:
    """Apply a function to batches of items of similar length, in threads.

    The longest batches come first, so that no core waits long for another at the end.

    Args:
        function: maps the indices of the items of a batch to their results.
        lengths: the length of each item.
        batch_size: number of items in a batch.
        workers: number of threads; see `parallel_map`.

    Returns:
        The results in the order of the items.
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batches = [order[i : i + batch_size] for i in range(0, len(order), batch_size)][::-1]
    found: dict[int, Result] = {}
    for batch, results in zip(batches, parallel_map(function, batches, workers), strict=True):
        found.update(zip(batch, results, strict=True))
    return [found[i] for i in range(len(lengths))]


def _default_workers() -> int:
    return 1 if tf.config.list_logical_devices("GPU") else usable_cores()

"""The worker processes of a training run, and what they tell each other."""

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import tensorflow as tf
from numpy.typing import ArrayLike, NDArray

from keras_transformer.tensors import Tensor, Variable
from keras_transformer.training.cluster import Cluster, Worker, read_cluster

Item = TypeVar("Item")


class Workers:
    """The processes that train together; there is only one without a multi-worker strategy.

    The methods are collective: if one worker calls a method, all of them must. Worker 0, the
    chief, decides what concerns all, and only it writes to the run directory.

    Args:
        strategy: the `tf.distribute.Strategy` of the training run.

    Attributes:
        strategy: the strategy.
        cluster: the `Cluster`.
    """

    def __init__(self, strategy: tf.distribute.Strategy) -> None:
        self.strategy = strategy
        is_multiworker = isinstance(strategy, tf.distribute.MultiWorkerMirroredStrategy)
        alone = Cluster((Worker(0, "worker", 0, "localhost"),), 0)
        self.cluster = read_cluster() if is_multiworker else alone

        # One signature for all values: there is no new graph for each shape.
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float64)], autograph=False)
        def add(values: Tensor) -> Tensor:
            return strategy.reduce(tf.distribute.ReduceOp.SUM, values, axis=None)

        self._add = add

    @property
    def is_chief(self) -> bool:
        """Whether this process is the chief."""
        return self.cluster.number == 0

    def part(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return the items that this worker processes."""
        return items[self.cluster.number :: len(self.cluster.workers)]

    def sum(self, values: ArrayLike) -> NDArray:
        """Return the sum of the values of all workers, computed in float64."""
        values = np.asarray(values)
        if not self.cluster.others:
            return values
        total = self._add(values.ravel().astype(np.float64)).numpy()
        return total.reshape(values.shape).astype(values.dtype)

    def largest(self, number: int) -> int:
        """Return the largest of the numbers of all workers."""
        numbers = np.zeros(len(self.cluster.workers), np.int64)
        numbers[self.cluster.number] = number
        return int(self.sum(numbers).max())

    def chief_says(self, flag: bool) -> bool:
        """Return the flag of the chief."""
        return bool(self.largest(flag and self.is_chief))

    def chief_value(self, number: float) -> float:
        """Return the number of the chief."""
        return float(self.sum(number if self.is_chief else 0.0))

    def agree(self, text: str) -> bool:
        """Return whether all workers call this method with the same text."""
        numbers = np.zeros(len(self.cluster.workers), np.int64)
        digest = hashlib.sha256(text.encode("utf-8")).digest()
        numbers[self.cluster.number] = int.from_bytes(digest[:6], "big")  # exact in float64
        return len(set(self.sum(numbers).tolist())) == 1

    def wait(self) -> None:
        """Wait until all workers call this method."""
        self.largest(0)

    def share(self, variables: Iterable[Variable]) -> None:
        """Give variables the chief's values on all workers."""
        if not self.cluster.others:
            return
        for variable in variables:
            value = variable.numpy()
            variable.assign(self.sum(value if self.is_chief else np.zeros_like(value)))

    def assign(self, variables: Iterable[Variable], assign: Callable[[], None]) -> None:
        """Let the chief assign values to variables, and copy these to the other workers.

        Args:
            variables: the variables.
            assign: assigns the values; only the chief calls it.
        """
        if self.is_chief:
            assign()
        self.share(variables)

    @contextlib.contextmanager
    def chief_first(self) -> Iterator[None]:
        """Execute the context on the chief, and on the other workers when the chief is done."""
        if not self.is_chief:
            self.wait()
        yield
        if self.is_chief:
            self.wait()

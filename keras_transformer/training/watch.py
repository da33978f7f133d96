"""The end of a worker whose peers no longer respond.

A collective operation of TensorFlow waits for all workers. Each worker therefore checks in a thread
that the others still respond. If one does not, pending operations are aborted, so that the training
loop ends with an error. If the main thread does not end soon after, for example because it is in
a long computation, the process is ended.
"""

import contextlib
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence

import tensorflow as tf

# TensorFlow's own health check of collective operations has no public name.
from tensorflow.python.eager import context as eager

from keras_transformer.errors import WorkerLost
from keras_transformer.training.cluster import Worker

INTERVAL = 1.0  # seconds between two rounds of checks
TIMEOUT = 5.0  # seconds until the checks of all workers fail, but at least MIN_TIMEOUT for each
MIN_TIMEOUT = 1.0
ATTEMPTS = 3  # consecutive failed checks after which a worker is lost
GRACE = 20.0  # seconds that the main thread has to end
# What an operation raises whose peer has ended.
BROKEN = (
    tf.errors.AbortedError,
    tf.errors.CancelledError,
    tf.errors.DeadlineExceededError,
    tf.errors.FailedPreconditionError,
    tf.errors.InternalError,
    tf.errors.UnavailableError,
    tf.errors.UnknownError,
)
STATUS = 2  # exit status of a process that is ended, like that of an error in the command


class Watch(threading.Thread):
    """A thread that checks whether other workers respond.

    Args:
        others: the other workers.

    Attributes:
        lost: the first worker that no longer responded, or None.
    """

    def __init__(self, others: Sequence[Worker]) -> None:
        super().__init__(daemon=True)
        self.lost: Worker | None = None
        self._others = others
        self._timeout = max(MIN_TIMEOUT, TIMEOUT / len(others))
        self._is_found = threading.Event()
        self._is_over = threading.Event()

    def run(self) -> None:
        """Check the workers until one is lost or `stop` is called."""
        failures: Counter[Worker] = Counter()
        while not self._is_over.wait(INTERVAL):
            for worker in self._others:
                is_alive = responds(worker, self._timeout)
                failures[worker] = 0 if is_alive else failures[worker] + 1
                if failures[worker] == ATTEMPTS:
                    self._end(worker)
                    return

    def stop(self) -> None:
        """Stop checking."""
        self._is_over.set()

    def wait_for_loss(self) -> Worker | None:
        """Return the lost worker, after waiting long enough to find it; None if there is none."""
        longest_round = INTERVAL + self._timeout * len(self._others)
        self._is_found.wait((ATTEMPTS + 1) * longest_round)
        return self.lost

    def _end(self, worker: Worker) -> None:
        """Make the main thread raise an error; if that has no effect, end the process."""
        if self._is_over.is_set():
            return
        self.lost = worker
        self._is_found.set()
        eager.context().abort_collective_ops(tf.errors.UNAVAILABLE, message(worker))
        if not self._is_over.wait(GRACE):
            print(f"error: {message(worker)}", file=sys.stderr, flush=True)
            os._exit(STATUS)


def responds(worker: Worker, timeout: float) -> bool:
    """Return whether a worker is the process that it was at the beginning, and responds.

    Args:
        worker: the worker.
        timeout: seconds to wait for its response.
    """
    try:
        eager.context().check_collective_ops_peer_health(worker.task, int(1000 * timeout))
    except tf.errors.OpError:
        return False
    return True


def message(worker: Worker) -> str:
    """Return the error message about a lost worker."""
    return f"{worker} no longer responds; training can resume from the last saved state"


@contextlib.contextmanager
def watched(others: Sequence[Worker]) -> Iterator[None]:
    """End the context with an error if another worker no longer responds.

    Raises:
        WorkerLost: If another worker no longer responds.
    """
    if not others:
        yield
        return
    watch = Watch(others)
    watch.start()
    try:
        yield
    except BROKEN as error:
        lost = watch.wait_for_loss()
        if lost is None:
            raise
        raise WorkerLost(message(lost)) from error
    finally:
        watch.stop()

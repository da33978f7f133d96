"""How many threads TensorFlow uses for one operation, in the whole process."""

import contextlib

import tensorflow as tf

from keras_transformer.cores import usable_cores
from keras_transformer.xla import compile_for_one_thread


def one_thread_per_operation() -> None:
    """Stop TensorFlow from dividing operations among cores, for programs that only translate.

    XLA compiles for one thread, too. The setting applies to the whole process. It has no effect
    after the first operation.
    """
    compile_for_one_thread()
    with contextlib.suppress(RuntimeError):  # TensorFlow is already initialized
        tf.config.threading.set_intra_op_parallelism_threads(1)


def divide_cores(parts: int) -> None:
    """Give each operation an equal part of the cores, for programs that run `parts` at a time.

    The setting applies to the whole process. It has no effect after the first operation.
    """
    with contextlib.suppress(RuntimeError):  # TensorFlow is already initialized
        threads = max(1, usable_cores() // parts)
        tf.config.threading.set_intra_op_parallelism_threads(threads)

"""The `tf.distribute` strategies: one device, all local devices, or several machines."""

import functools

import tensorflow as tf

from keras_transformer.tensors import Tensor
from keras_transformer.training.cluster import MIRRORED, MULTIWORKER, read_cluster


def make_strategy(name: str | None) -> tf.distribute.Strategy:
    """Return a strategy.

    TensorFlow must not have executed any operation before the "multiworker" strategy is made. The
    first call returns when all workers are connected. Later calls return the same object: a second
    one would number its collective operations like the first, which fails if the shapes differ.

    Args:
        name: None for one device; "mirrored" for all GPUs of this machine, or all of its logical
            CPUs if it has no GPU; "multiworker" for the workers in TF_CONFIG.

    Raises:
        UserError: If TF_CONFIG is missing or invalid.
    """
    if name == MIRRORED:
        return _mirrored()
    if name == MULTIWORKER:
        return _multiworker()
    return tf.distribute.get_strategy()


@functools.cache
def _mirrored() -> tf.distribute.MirroredStrategy:
    return tf.distribute.MirroredStrategy(_local_devices())


@functools.cache
def _multiworker() -> tf.distribute.MultiWorkerMirroredStrategy:
    read_cluster()
    return tf.distribute.MultiWorkerMirroredStrategy(communication_options=_communication())


def _local_devices() -> list[str]:
    config = tf.config
    devices = config.list_logical_devices("GPU") or config.list_logical_devices("CPU")
    return [device.name for device in devices]


def _communication() -> tf.distribute.experimental.CommunicationOptions:
    """Return the options of communication: NCCL between GPUs, otherwise TensorFlow's ring."""
    kinds = tf.distribute.experimental.CommunicationImplementation
    has_gpu = bool(tf.config.list_physical_devices("GPU"))
    return tf.distribute.experimental.CommunicationOptions(
        implementation=kinds.AUTO if has_gpu else kinds.RING
    )


def rows_of_replicas(
    batches: tf.data.Dataset, context: tf.distribute.InputContext
) -> tf.data.Dataset:
    """Return the rows of each batch that the replicas of one process train on.

    Replica r of n gets the rows r, r + n, r + 2n, ... of every batch. Together, the replicas thus
    train on the same batches as a single device. A replica may get no rows of a small batch.

    Args:
        batches: a dataset of (source (B, S), target (B, T)), the same in every process.
        context: the process.

    Returns:
        A dataset with an element for each replica of the process, batch after batch.
    """
    count = context.num_replicas_in_sync
    if count == 1:
        return batches
    local = count // context.num_input_pipelines
    first = context.input_pipeline_id * local

    def divide(source: Tensor, target: Tensor) -> tf.data.Dataset:
        replicas = tf.data.Dataset.range(first, first + local, output_type=tf.int32)
        return replicas.map(lambda replica: (source[replica::count], target[replica::count]))

    return batches.flat_map(divide)

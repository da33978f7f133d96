"""The machines that the environment variable TF_CONFIG names for a distributed training run."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass

from keras_transformer.errors import UserError

# Names of the strategies, here because this module does not need TensorFlow.
MIRRORED, MULTIWORKER = "mirrored", "multiworker"
STRATEGIES = (MIRRORED, MULTIWORKER)
VARIABLE = "TF_CONFIG"
JOBS = ("chief", "worker")  # in the order in which TensorFlow numbers their processes
EXAMPLE = (
    '{"cluster": {"worker": ["HOST0:PORT", "HOST1:PORT"]}, "task": {"type": "worker", "index": 0}}'
)


@dataclass(frozen=True)
class Worker:
    """A worker process.

    Attributes:
        number: its number in the cluster; the chief is worker 0.
        job: "chief" or "worker".
        index: its index within the job.
        address: HOST:PORT.
    """

    number: int
    job: str
    index: int
    address: str

    @property
    def task(self) -> str:
        """The name by which TensorFlow calls the process."""
        return f"/job:{self.job}/replica:0/task:{self.index}"

    def __str__(self) -> str:
        return f"worker {self.number} ({self.address})"


@dataclass(frozen=True)
class Cluster:
    """The workers of a training run.

    Attributes:
        workers: all of them, the chief first.
        number: number of the worker that is this process.
    """

    workers: tuple[Worker, ...]
    number: int

    @property
    def others(self) -> tuple[Worker, ...]:
        """The workers that are other processes."""
        return tuple(worker for worker in self.workers if worker.number != self.number)


def read_cluster(environment: Mapping[str, str] = os.environ) -> Cluster:
    """Return the `Cluster` in TF_CONFIG.

    Raises:
        UserError: If TF_CONFIG is missing or invalid.
    """
    text = environment.get(VARIABLE)
    if not text:
        raise UserError(f"{VARIABLE} is not set in the environment; it must be like {EXAMPLE}")
    try:
        content = json.loads(text)
        workers = _workers(content["cluster"])
        own = content["task"]["type"], int(content["task"]["index"])
        return Cluster(workers, [(each.job, each.index) for each in workers].index(own))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UserError(f"{VARIABLE} is invalid; it must be like {EXAMPLE}") from error


def _workers(jobs: Mapping[str, list[str]]) -> tuple[Worker, ...]:
    """Return the workers of {job: addresses}."""
    unknown = jobs.keys() - set(JOBS)
    if unknown:
        raise ValueError(unknown)
    if not all(isinstance(addresses, list) for addresses in jobs.values()):
        raise TypeError(jobs)
    if not all(isinstance(address, str) for addresses in jobs.values() for address in addresses):
        raise TypeError(jobs)
    if len(jobs.get("chief", [])) > 1:
        raise ValueError(jobs)
    tasks = [(job, *task) for job in JOBS for task in enumerate(jobs.get(job, []))]
    return tuple(Worker(number, *task) for number, task in enumerate(tasks))

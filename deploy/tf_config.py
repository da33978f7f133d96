"""Set TF_CONFIG in a pod of a Kubernetes Job, then run a command.

Kubernetes names the pods of an Indexed Job or of a JobSet NAME-0, NAME-1, ..., and tells each its
number in JOB_COMPLETION_INDEX. With a headless service, the pods reach each other by these names.
The number of pods must be in WORKERS:

    WORKERS=4 python tf_config.py keras-transformer train --strategy multiworker
"""

import json
import os
import socket
import sys

PORT = 2222


def worker_addresses(host: str, index: int, workers: int) -> list[str]:
    """Return the addresses of all workers.

    Args:
        host: the full name of the host of one worker, such as "train-1.train.default.svc".
        index: the number of this worker.
        workers: the number of workers.

    Raises:
        ValueError: If the name is not that of such a worker, or has no domain.
    """
    name, _, domain = host.partition(".")
    prefix = name.removesuffix(f"-{index}")
    if index >= workers:
        raise ValueError(f"worker {index} does not exist: the number of workers is {workers}")
    if prefix == name:
        raise ValueError(f"the name of worker {index} must end in -{index}, but is {name}")
    if not domain:
        raise ValueError(f"{name} has no domain: is its subdomain that of a headless service?")
    return [f"{prefix}-{number}.{domain}:{PORT}" for number in range(workers)]


def tf_config(host: str, index: int, workers: int) -> str:
    """Return the value of TF_CONFIG for a worker; the arguments are those of `worker_addresses`."""
    cluster = {"worker": worker_addresses(host, index, workers)}
    return json.dumps({"cluster": cluster, "task": {"type": "worker", "index": index}})


def main(command: list[str]) -> None:
    """Replace this process by a command, with TF_CONFIG in its environment."""
    try:
        index, workers = (int(os.environ[name]) for name in ("JOB_COMPLETION_INDEX", "WORKERS"))
        os.environ["TF_CONFIG"] = tf_config(socket.getfqdn(), index, workers)
    except KeyError as error:
        sys.exit(f"error: the environment variable {error} is not set")
    except ValueError as error:
        sys.exit(f"error: {error}")
    # Not a child process: the command must receive the SIGTERM that Kubernetes sends to the pod.
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"error: {command[0]}: {error.strerror}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: tf_config.py COMMAND [ARGUMENT ...]")
    main(sys.argv[1:])

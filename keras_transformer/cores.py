"""The processor cores that this process may use."""

import os


def usable_cores() -> int:
    """Return the number of processor cores that this process may use; the machine may have more."""
    affinity = getattr(os, "sched_getaffinity", None)  # not available on every system
    return len(affinity(0)) if affinity else os.cpu_count() or 1

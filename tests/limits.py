"""A limit on the size of files, at which writing fails as on a full disk."""

import contextlib
import resource
from collections.abc import Iterator


@contextlib.contextmanager
def limited_files(size: int) -> Iterator[None]:
    """Limit the size of the files that this process writes, in bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

"""The number of processor cores that this process may use."""

import os

import pytest

from keras_transformer.cores import usable_cores


def test_cores_that_the_process_may_not_use_do_not_count(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {3, 5, 6}, raising=False)
    assert usable_cores() == 3


@pytest.mark.parametrize(("count", "cores"), [(6, 6), (None, 1)])
def test_without_affinities_all_cores_of_the_machine_count(monkeypatch, count, cores):
    """The number of cores may be unknown."""
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: count)
    assert usable_cores() == cores

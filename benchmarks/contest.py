"""Programs that are measured against each other, each in a process of its own.

A contestant prints `ready` once it has loaded. For each line on its standard input it does its
work once, and prints its throughput: the amount of work, such as tokens, per second. The rounds of
the contestants alternate, every other round in the opposite order, so that a machine that is busy
for a while slows all of them down. A contestant that waits uses no processor time.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Contestant:
    """A program that takes part.

    Args:
        name: its name in the table.
        module: the module that runs, as named from this directory, such as "trainers.ours".
        arguments: command-line arguments; paths must be absolute.
        python: the Python that runs it.
        environment: environment variables; by default those of this process.

    Raises:
        RuntimeError: the program ended before it was ready.
    """

    def __init__(
        self,
        name: str,
        module: str,
        arguments: Iterable[object] = (),
        python: str = sys.executable,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.rounds: list[float] = []
        # With -m, Python finds the modules of this directory.
        self.process = subprocess.Popen(
            [python, "-m", module, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=HERE,
            env=environment,
        )
        self._answer()

    def work(self) -> None:
        """Run one round."""
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        self.rounds.append(float(self._answer()))

    def finish(self) -> None:
        """Wait for the end of the program.

        Raises:
            RuntimeError: the program failed.
        """
        self.process.stdin.close()
        if self.process.wait():
            raise RuntimeError(f"{self.name} failed")

    def _answer(self) -> str:
        line = self.process.stdout.readline().strip()
        if not line:
            raise RuntimeError(f"{self.name} ended without an answer")
        return line

    @property
    def median(self) -> float:
        """The median throughput."""
        return statistics.median(self.rounds)


def compete(contestants: Sequence[Contestant], rounds: int) -> None:
    """Run all rounds of all contestants, after a warm-up round that is not counted."""
    for number in range(rounds + 1):
        for each in contestants[:: 1 if number % 2 else -1]:
            each.work()
    for each in contestants:
        del each.rounds[0]
        each.finish()


def ratio(one: Contestant, other: Contestant) -> str:
    """Return how many times as fast one contestant is as the other, as `summary` formats it."""
    return summary([a / b for a, b in zip(one.rounds, other.rounds, strict=True)])


def summary(values: Sequence[float]) -> str:
    """Return the median and the quartiles of values, such as "1.04 (1.02 to 1.07)"."""
    if len(values) < 2:
        return f"{values[0]:.2f}"
    first, median, third = statistics.quantiles(values, n=4, method="inclusive")
    return f"{median:.2f} ({first:.2f} to {third:.2f})"


def serve(work: Callable[[], float]) -> None:
    """Take part as a contestant; `work` does the work once and returns its amount."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # the output of a library would be taken for an answer
    print("ready", file=answers, flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        amount = work()
        print(amount / (time.perf_counter() - begin), file=answers, flush=True)

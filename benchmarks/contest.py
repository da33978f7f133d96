"""Programs that are measured against each other, each in a process of its own.

A contestant says `ready` once it is warm. For each line that it reads it does its work once, and
answers with a number: what it did, such as tokens, a second. Rounds alternate, every other one in
the opposite order, so that a machine that is busy for a while is busy for all; who waits sleeps.
"""

import statistics
import subprocess
import sys
import time


class Contestant:
    """One program.

    Args:
        name: its name in the table.
        command: program and arguments.
        environment: its variables; by default those of this process.
    """

    def __init__(self, name, command, environment=None):
        self.name = name
        self.rounds = []
        self.process = subprocess.Popen(
            list(map(str, command)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        if self._answer() != "ready":
            raise RuntimeError(f"{name} did not start")

    def work(self):
        """One round."""
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        self.rounds.append(float(self._answer()))

    def _answer(self):
        return self.process.stdout.readline().strip()

    @property
    def median(self):
        return statistics.median(self.rounds)


def compete(contestants, rounds):
    """Lets each contestant work in each of the rounds; one round before them is not counted."""
    for number in range(rounds + 1):
        for each in contestants[:: 1 if number % 2 else -1]:
            each.work()
    for each in contestants:
        del each.rounds[0]
        each.process.stdin.close()
        each.process.wait()


def ratio(one, other):
    """The median over the rounds of how many times as fast one was as the other."""
    return statistics.median(a / b for a, b in zip(one.rounds, other.rounds, strict=True))


def serve(work):
    """The contestant's side: `work` does its work once and returns how much it did."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # a library that prints would be taken for an answer
    print("ready", file=answers, flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        amount = work()
        print(amount / (time.perf_counter() - begin), file=answers, flush=True)

"""Kill training and averaging at random moments, then run the same command again.

Each case starts a command in a new directory and kills it (SIGKILL) once or twice: at any time, in
the first second, or while files are written. The same command must then finish with the same files
as a command that was not interrupted, or report one clear line. It must never start from scratch if
a checkpoint existed.

    python benchmarks/robustness/kill_training.py 200
"""

import os
import random
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

import forks
import outcomes
import toys
from forks import Child, Finished
from outcomes import CORRECT, Outcome, defect

EPOCHS = 3
MEAN = "mean"
TRAIN = [*toys.TRAIN, "--epochs", EPOCHS]
AVERAGE = ["--checkpoint", toys.RUN, "--output", MEAN, "--last", 2]


class Changes:
    """Counts how often the names of the files in a directory have changed."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.number = 0
        self.names: set[str] = set()

    def count(self) -> int:
        # Unlike Path.rglob, os.walk ignores directories that disappear.
        names = {
            f"{root}/{name}" for root, *found in os.walk(self.directory) for name in sum(found, [])
        }
        self.number += names != self.names
        self.names = names
        return self.number


class Case(ABC):
    """A command that is killed and run again.

    Args:
        work: directory of the script.
        seed: seed of the moments at which the command is killed.
    """

    name: str
    arguments: list[object]
    output: str
    moment: str | None = None  # name of the method that chooses when to kill; None: a random one

    def __init__(self, work: Path, seed: int) -> None:
        self.work = work
        self.seed = seed
        self.random = random.Random(seed)
        self.reference = work / f"reference-{self.name}"
        self.home = work / f"case-{self.name}"

    @abstractmethod
    def prepare(self, home: Path) -> None:
        """Create the directory in which the command runs."""

    def make_reference(self) -> None:
        """Run the command without an interruption, unless that is done already."""
        if not (self.reference / "changes").is_file():
            self.prepare(self.reference)
            changes = Changes(self.reference / self.output)
            done = Child(self.name, self.arguments, self.reference).wait(
                lambda: changes.count() < 0
            )
            assert done.status == 0, done.stderr
            (self.reference / "changes").write_text(f"{changes.number} {done.seconds}")

    def run(self) -> tuple[str, str, str]:
        """Return the kind, the result and the details of the case."""
        self.make_reference()
        self.prepare(self.home)
        moments = [self.kill() for _ in range(self.random.choice([1, 1, 2]))]
        had_checkpoint = any((self.home / self.output).glob("ckpt-*.index"))
        done = forks.run(self.name, self.arguments, self.home)
        result = self.judge(done, had_checkpoint)
        if result.startswith(outcomes.DEFECT):
            outcomes.keep(self.home, self.work / f"defect-{self.seed}")
        detail = f"killed {', '.join(moments)}: {outcomes.last_line(done.stderr or done.stdout)}"
        return f"{self.name}, {moments[0].split(' (')[0]}", result, detail

    def kill(self) -> str:
        """Run the command and kill it at a random moment; describe the moment."""
        chosen = self.random.choice([self.any_time, self.first_second, self.a_write])
        moment, until = getattr(self, self.moment)() if self.moment else chosen()
        child = Child(self.name, self.arguments, self.home)
        finished = child.wait(lambda: until(child.seconds))
        return f"{moment} ({finished.seconds:.2f} s)"

    def typical(self) -> tuple[int, float]:
        """Return the number of changes and the seconds of the reference."""
        changes, seconds = (self.reference / "changes").read_text().split()
        return int(changes), float(seconds)

    def any_time(self) -> tuple[str, Callable[[float], bool]]:
        end = self.random.uniform(0, self.typical()[1])
        return "at any time", lambda seconds: seconds > end

    def first_second(self) -> tuple[str, Callable[[float], bool]]:
        end = self.random.uniform(0, 1)
        return "in the first second", lambda seconds: seconds > end

    def a_write(self) -> tuple[str, Callable[[float], bool]]:
        changes = Changes(self.home / self.output)
        number = self.random.randint(1, self.typical()[0])
        delays = iter(range(self.random.choice([0, 0, 1, 3, 10])))  # polls of about 1 ms
        return "while writing", lambda _: changes.count() >= number and next(delays, None) is None

    def a_save(self) -> tuple[str, Callable[[float], bool]]:
        output = self.home / self.output
        return "after a save", lambda _: len([*output.glob("ckpt-*.index")]) > 1

    def judge(self, done: Finished, had_checkpoint: bool) -> str:
        """Return the result of the command that was run again."""
        if done.status != 0:
            return self.rejected(done)
        if had_checkpoint and not self.resumed(done):
            return defect("started from scratch")
        return self.compare()

    def rejected(self, done: Finished) -> str:
        return outcomes.rejection(done.status, done.stderr)

    def resumed(self, done: Finished) -> bool:
        return True

    def compare(self) -> str:
        """Compare the files with those of the reference."""
        wanted, found = (toys.contents(home / self.output) for home in (self.reference, self.home))
        if left := found.keys() - wanted.keys():
            return defect(f"files left over: {generic(min(left))}")
        if missing := wanted.keys() - found.keys():
            return defect(f"missing: {generic(min(missing))}")
        different = [name for name in wanted if wanted[name] != found[name]]
        return defect(f"different: {generic(different[0])}") if different else CORRECT


def generic(name: str) -> str:
    """Return the name of a file without numbers, so that equal defects are counted together."""
    return "".join("N" if character.isdigit() else character for character in name)


class Training(Case):
    """Training of a new run."""

    name = "train"
    arguments = TRAIN
    output = toys.RUN

    def prepare(self, home: Path) -> None:
        toys.make_home(home)

    def resumed(self, done: Finished) -> bool:
        return any(words in done.stdout for words in ("resuming after", "already finished"))


class Averaging(Case):
    """Averaging of the checkpoints of a finished run."""

    name = "average"
    arguments = AVERAGE
    output = MEAN

    def prepare(self, home: Path) -> None:
        finished = Training(self.work, 0)
        finished.make_reference()
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(finished.reference, home)
        (home / "changes").unlink()

    def rejected(self, done: Finished) -> str:
        """After an error of one line, the result must be missing, or translate correctly."""
        result = super().rejected(done)
        translate = ["--checkpoint", MEAN, "--scores", *toys.SENTENCES]
        found = forks.run("translate", translate, self.home)
        if found.status:
            return outcomes.worst([result, outcomes.rejection(found.status, found.stderr)])
        wanted = forks.run("translate", translate, self.reference)
        return result if found.stdout == wanted.stdout else defect("wrong translation")


def main() -> int:
    parser = outcomes.make_parser(__doc__)
    text = "when to kill (default: random for each case)"
    moments = ("any_time", "first_second", "a_write", "a_save")
    parser.add_argument("--moment", choices=moments, help=text)
    arguments = parser.parse_args()
    work = outcomes.work_directory("kill_training", arguments.work)

    def run(number: int) -> Outcome:
        case = Averaging(work, number) if number % 5 == 4 else Training(work, number)
        case.moment = arguments.moment
        return Outcome(number, *case.run())

    return outcomes.run_cases(arguments, work, run)


if __name__ == "__main__":
    sys.exit(main())

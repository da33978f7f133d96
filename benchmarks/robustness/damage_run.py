"""Damage a run directory at random, then translate, resume training, evaluate and average.

Each command must give the result of the intact run, or report one clear line. Resumed training must
end with the weights of the intact run, also if it resumes from an older checkpoint, and never start
from scratch.

    python benchmarks/robustness/damage_run.py 200
"""

import shutil
import sys
from functools import cache
from pathlib import Path

import forks
import outcomes
import toys
from damages import DAMAGES, Damager
from forks import Finished
from outcomes import CORRECT, Outcome, defect

EPOCHS, MORE_EPOCHS = 2, 3
MEAN = "mean"
AVERAGE = ["--checkpoint", toys.RUN, "--output", MEAN, "--last", 2]


class Runs:
    """An intact run, another run, and the results of the commands on the intact run.

    Args:
        work: directory of the script.
    """

    def __init__(self, work: Path) -> None:
        self.work = work
        self.intact, self.other = work / "intact", work / "other"
        for seed, home in enumerate((self.intact, self.other)):
            if not (home / "done").is_file():
                finished = toys.train(toys.make_home(home, seed), EPOCHS)
                assert finished.status == 0, finished.stderr
                (home / "done").touch()

    def copy(self, original: Path, name: str) -> Path:
        """Return a copy of a directory with a run."""
        home = self.work / name
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(original, home, symlinks=True)
        return home

    @cache  # noqa: B019 - there is one object
    def translations(self) -> str:
        return forks.run("translate", toys.TRANSLATE, self.intact).stdout

    @cache  # noqa: B019
    def report(self) -> dict[str, object]:
        return toys.report(forks.run("evaluate", toys.EVALUATE, self.intact))

    @cache  # noqa: B019
    def resumed(self) -> tuple[dict[str, bytes], str]:
        """Return the final state of the resumed run, and its translations."""
        home = self.copy(self.intact, "intact-resumed")
        assert toys.train(home, MORE_EPOCHS).status == 0
        return toys.newest_state(home / toys.RUN), forks.run(
            "translate", toys.TRANSLATE, home
        ).stdout

    @cache  # noqa: B019
    def mean(self) -> dict[str, bytes]:
        home = self.copy(self.intact, "intact-mean")
        assert forks.run("average", AVERAGE, home).status == 0
        return toys.contents(home / MEAN / "best")


class Case:
    """A damaged run.

    Args:
        runs: the `Runs`.
        number: number of the case, which decides on the damage.
    """

    def __init__(self, runs: Runs, number: int) -> None:
        self.runs = runs
        self.number = number
        self.damaged = runs.copy(runs.intact, "damaged")
        damage = DAMAGES[number % len(DAMAGES)]
        self.kind = damage.__name__.replace("_", " ")
        self.detail = damage(Damager(self.damaged / toys.RUN, runs.other / toys.RUN, number))

    def outcome(self) -> Outcome:
        last = self.evaluate if self.number % 2 else self.average
        results = {step.__name__: step() for step in (self.translate, self.resume, last)}
        details = [f"{name}: {result} ({line})" for name, (result, line) in results.items()]
        result = outcomes.worst(result for result, _ in results.values())
        if result.startswith(outcomes.DEFECT):
            outcomes.keep(self.damaged, self.runs.work / f"defect-{self.number}")
        return Outcome(self.number, self.kind, result, "\n  ".join([self.detail, *details]))

    def translate(self) -> tuple[str, str]:
        done = forks.run("translate", toys.TRANSLATE, self.runs.copy(self.damaged, "translated"))
        is_right = done.stdout == self.runs.translations()
        return judged(done, CORRECT if is_right else defect("wrong translation"))

    def resume(self) -> tuple[str, str]:
        home = self.runs.copy(self.damaged, "resumed")
        command = toys.train if self.number % 4 < 2 else toys.resume
        done = command(home, MORE_EPOCHS)
        weights, translations = self.runs.resumed()
        if f"epoch 1/{MORE_EPOCHS}" in done.stdout:
            return defect("started from scratch"), outcomes.last_line(done.stdout)
        if done.status == 0 and toys.newest_state(home / toys.RUN) != weights:
            return defect("resumed to other weights"), outcomes.last_line(done.stdout)
        if done.status == 0:
            done = forks.run("translate", toys.TRANSLATE, home)
            is_right = done.stdout == translations
            return judged(done, CORRECT if is_right else defect("wrong translation after resume"))
        return judged(done, CORRECT)

    def evaluate(self) -> tuple[str, str]:
        home = self.runs.copy(self.damaged, "evaluated")
        done = forks.run("evaluate", toys.EVALUATE, home)
        if done.status:
            return judged(done, CORRECT)
        pairs_changed = self.kind == "change the corpus"  # which the user names as test pairs
        is_right = pairs_changed or toys.report(done) == self.runs.report()
        return judged(done, CORRECT if is_right else defect("wrong report"))

    def average(self) -> tuple[str, str]:
        home = self.runs.copy(self.damaged, "averaged")
        done = forks.run("average", AVERAGE, home)
        if done.status:
            return judged(done, CORRECT)
        is_right = toys.contents(home / MEAN / "best") == self.runs.mean()
        return judged(done, CORRECT if is_right else defect("wrong average"))


def judged(done: Finished, result: str) -> tuple[str, str]:
    """Return a result and the last line of output; a failed command has a result of its own."""
    if done.status:
        result = outcomes.rejection(done.status, done.stderr)
    return result, outcomes.last_line(done.stderr or done.stdout)


def main() -> int:
    arguments = outcomes.make_parser(__doc__).parse_args()
    work = outcomes.work_directory("damage_run", arguments.work)
    runs = Runs(work)
    return outcomes.run_cases(arguments, work, lambda number: Case(runs, number).outcome())


if __name__ == "__main__":
    sys.exit(main())

"""Give hostile settings files to the commands that read them.

Each file is given to `train.py --config`, and to another command as the config.json of a run, once
with the run's manifest and once without. The command must do what the file says, or report one
clear line, without taking much memory or time.

    python benchmarks/robustness/hostile_configs.py 200
"""

import json
import shutil
import sys
from pathlib import Path

import forks
import outcomes
import toys
from forks import Finished
from hostile import hostile_file
from outcomes import CORRECT, Outcome, defect

MAX_MEGABYTES = 3000
COMMANDS: list[tuple[str, list[str]]] = [
    ("translate", toys.TRANSLATE),
    ("evaluate", toys.EVALUATE),
    ("average", ["--checkpoint", toys.RUN, "--output", "mean"]),
    ("export", ["--checkpoint", toys.RUN, "--output", "exported"]),
    ("train", ["--checkpoint", toys.RUN, "--epochs", "2"]),
]
FROM_FILE = ["--config", "hostile.json", "--checkpoint", "new"]
# They keep training short if the file is valid.
SHORT = ["--train", toys.PAIRS, "--epochs", "1", "--bleu-sentences", "5", "--average-last", "0"]


class Case:
    """A hostile file.

    Args:
        work: directory of the script.
        number: number of the case.
    """

    def __init__(self, work: Path, number: int) -> None:
        self.number = number
        self.original = work / "run"
        if not (self.original / "done").is_file():
            assert toys.train(toys.make_home(self.original), epochs=1).status == 0
            (self.original / "done").touch()
        self.home = work / "case"
        config = json.loads((self.original / toys.RUN / "config.json").read_text("utf-8"))
        self.kind, self.content = hostile_file(config, number)

    def outcome(self) -> Outcome:
        name, arguments = COMMANDS[self.number % len(COMMANDS)]
        steps = {
            "train --config": self.run("train", [*FROM_FILE, *SHORT]),
            name: self.run(name, arguments),
            f"{name} without a manifest": self.run(name, arguments, without="manifest.json"),
        }
        details = [f"{step}: {judged(done)} ({last_words(done)})" for step, done in steps.items()]
        detail = "\n  ".join([repr(self.content[:100]), *details])
        return Outcome(self.number, self.kind, outcomes.worst(map(judged, steps.values())), detail)

    def run(self, name: str, arguments: list[str], without: str | None = None) -> Finished:
        """Run a command in a copy of the run that contains the hostile file."""
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(self.original, self.home)
        if without:
            (self.home / toys.RUN / without).unlink(missing_ok=True)
        for path in ("hostile.json", f"{toys.RUN}/config.json"):
            (self.home / path).write_bytes(self.content)
        return forks.run(name, arguments, self.home)


def last_words(done: Finished) -> str:
    return outcomes.last_line(done.stderr or done.stdout)


def judged(done: Finished) -> str:
    if done.megabytes > MAX_MEGABYTES:
        return defect("much memory")
    return outcomes.rejection(done.status, done.stderr) if done.status else CORRECT


def main() -> int:
    arguments = outcomes.make_parser(__doc__).parse_args()
    work = outcomes.work_directory("hostile_configs", arguments.work)
    return outcomes.run_cases(arguments, work, lambda number: Case(work, number).outcome())


if __name__ == "__main__":
    sys.exit(main())

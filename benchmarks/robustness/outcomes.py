"""Outcomes of many cases: a file of JSON lines that a later run continues, and a table.

A case ends in the correct result, in one clear line of error, or in a defect.
"""

import argparse
import collections
import hashlib
import json
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import keras_transformer

CORRECT = "correct"
REJECTED = "one clear line"
DEFECT = "DEFECT: "  # prefix of all other results
INCOMPLETE = 3  # exit status if the time was too short for all cases
# How TensorFlow and abseil begin a line of their logs.
LOG = re.compile(r"^([IWEF]\d{4} |\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")


@dataclass(frozen=True)
class Outcome:
    """The outcome of a case.

    Attributes:
        case: number of the case, which is also its seed.
        kind: what was done to the program, without details.
        result: `CORRECT`, `REJECTED`, or `DEFECT` and what is wrong.
        detail: what was done exactly, and what the program printed.
    """

    case: int
    kind: str
    result: str
    detail: str = ""

    @property
    def is_defect(self) -> bool:
        return self.result.startswith(DEFECT)


def defect(reason: str) -> str:
    """Return the result of a case with a defect."""
    return DEFECT + reason


def worst(results: Iterable[str]) -> str:
    """Return the result of a case that consists of several steps."""
    results = list(results)
    defects = [result for result in results if result.startswith(DEFECT)]
    rejected = [result for result in results if result == REJECTED]
    return next(iter(defects + rejected), CORRECT)


def rejection(status: int, stderr: str) -> str:
    """Return the result of a command that failed: one clear line with status 2, or a defect.

    Args:
        status: exit status; negative for a signal.
        stderr: what the command wrote to standard error. Warnings may precede the error.
    """
    lines = [line for line in re.split(r"[\r\n]", stderr) if line.strip()]
    if "Traceback" in stderr:
        return defect("traceback")
    if status < 0:
        return defect(f"killed by signal {-status}")
    if any(LOG.match(line) for line in lines):
        return defect("TensorFlow's log around an error")
    errors = [line for line in lines if line.startswith("error: ")]
    if status != 2 or len(errors) != 1 or lines[-1:] != errors or len(errors[0]) > 1000:
        return defect(f"status {status} without one clear line")
    return REJECTED


def keep(directory: Path, copy: Path) -> None:
    """Keep a copy of a directory, in which a defect was found."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(directory, copy, symlinks=True)


def last_line(text: str) -> str:
    """Return the last line of a program's output, shortened."""
    return next(iter(reversed(text.strip().splitlines())), "")[-300:]


def make_parser(description: str | None, number: int = 200) -> argparse.ArgumentParser:
    """Return a parser of the arguments that all scripts have."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    add = parser.add_argument
    add("number", nargs="?", type=int, default=number, help=f"number of cases (default {number})")
    add("--first", type=int, default=0, metavar="N", help="number of the first case (default 0)")
    add("--minutes", type=float, default=90, metavar="N", help="time limit (default 90)")
    text = "directory for runs and results; a rerun with the same code continues there"
    add("--work", type=Path, metavar="DIR", help=f"{text} (default: a temporary directory)")
    return parser


def work_directory(name: str, chosen: Path | None) -> Path:
    """Return the directory of a script, which belongs to the current code of the package."""
    parent = chosen or Path(tempfile.gettempdir()) / "keras_transformer_robustness"
    work = parent / f"{name}-{code_fingerprint()}"
    work.mkdir(parents=True, exist_ok=True)
    return work.resolve()


def code_fingerprint() -> str:
    """Return a hash of the package and of these scripts."""
    found = hashlib.sha256()
    for home in (Path(keras_transformer.__file__).parent, Path(__file__).parent):
        for path in sorted(home.rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


def run_cases(arguments: argparse.Namespace, work: Path, run: Callable[[int], Outcome]) -> int:
    """Run the cases that have no outcome yet, print a table, and return the exit status.

    Args:
        arguments: arguments of `make_parser`.
        work: the directory of the script, in which results.jsonl receives the outcomes.
        run: runs a case, given its number.
    """
    path = work / "results.jsonl"
    done = {outcome.case: outcome for outcome in read(path)}
    wanted = range(arguments.first, arguments.first + arguments.number)
    end = time.monotonic() + 60 * arguments.minutes
    for case in wanted:
        if case not in done and time.monotonic() < end:
            done[case] = run(case)
            append(path, done[case])
    outcomes = [done[case] for case in wanted if case in done]
    print(table(outcomes))
    print(f"{len(outcomes)} of {arguments.number} cases; results: {path}")
    if any(outcome.is_defect for outcome in outcomes):
        return 1
    return 0 if len(outcomes) == arguments.number else INCOMPLETE


def read(path: Path) -> list[Outcome]:
    """Return the outcomes in a file, which need not exist."""
    if not path.is_file():
        return []
    return [Outcome(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def append(path: Path, outcome: Outcome) -> None:
    """Append an outcome to a file; print it if it is a defect."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(outcome)) + "\n")
    if outcome.is_defect:
        print(f"case {outcome.case}, {outcome.kind}: {outcome.result}\n  {outcome.detail}")


def table(outcomes: Iterable[Outcome]) -> str:
    """Return a Markdown table with a row for each kind and a column for each result."""
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for outcome in outcomes:
        counts[outcome.kind][outcome.result] += 1
        counts["all"][outcome.result] += 1
    results = sorted({CORRECT, REJECTED} | set(counts["all"]), key=lambda r: (DEFECT in r, r))
    kinds = [*sorted(set(counts) - {"all"}), "all"]
    rows = [["case", *results], ["---", *["---:"] * len(results)]]
    rows += [[kind, *(str(counts[kind][result]) for result in results)] for kind in kinds]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)

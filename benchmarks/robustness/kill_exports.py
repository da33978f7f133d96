"""Kill exports at random moments, then export again.

Each case starts an export of a small run and sends SIGKILL, SIGTERM or SIGINT once or twice: at any
time, in the first second, or while files are written. A version that has a number must then be
complete, and after SIGTERM and SIGINT nothing else may be left. Only an export that was visible
before the signal may end with status 0. The same command must then finish, with a complete version
and no other files. Every third export has the format of CTranslate2.

    python benchmarks/robustness/kill_exports.py 200
"""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import outcomes
import toys
from forks import Child, Finished
from kill_training import Case, Training
from outcomes import CORRECT, Outcome, defect

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
# Exit statuses of an interrupted export.
STATUSES = {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}


class SignaledChild(Child):
    """An export that gets any signal.

    Args:
        arguments: arguments of the command.
        home: the current directory of the process.
        number: the signal.
        exports: returns the finished exports.

    Attributes:
        earlier: the finished exports at the start.
        is_early: whether a signal was sent, before another finished export was visible.
    """

    def __init__(
        self,
        arguments: Sequence[object],
        home: Path,
        number: signal.Signals,
        exports: Callable[[], list[Path]],
    ) -> None:
        self.signal = number
        self.exports = exports
        self.earlier = exports()
        self.is_early = False
        super().__init__(Exporting.name, arguments, home)

    def has_started(self) -> bool:
        """Return whether the command handles signals: it has reported its first step."""
        return self.files[1].stat().st_size > 0

    def kill(self) -> Finished:
        self.is_early = len(self.exports()) == len(self.earlier)
        os.kill(self.pid, self.signal)
        return self._finished(*os.wait4(self.pid, 0)[1:])


class Exporting(Case):
    """An export of a finished run as a SavedModel."""

    name = "export"
    output = "serving"
    arguments = ["--ids-only", "--checkpoint", toys.RUN, "--output", "serving/toy"]

    def prepare(self, home: Path) -> None:
        finished = Training(self.work, 0)
        finished.make_reference()
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(finished.reference, home)
        (home / "changes").unlink()
        self.faults: list[str] = []

    def kill(self) -> str:
        """Export, and send a random signal at a random moment; describe the moment."""
        moment, until = self.random.choice([self.any_time, self.first_second, self.a_write])()
        number = self.random.choice(SIGNALS)
        child = SignaledChild(self.arguments, self.home, number, self.exports)
        finished = child.wait(lambda: child.has_started() and until(child.seconds))
        self.faults += self.faults_after(child, finished)
        return f"{moment} ({number.name}, {finished.seconds:.2f} s)"

    def faults_after(self, child: SignaledChild, finished: Finished) -> list[str]:
        """Return what is wrong after an export that was killed."""
        number = child.signal
        faults = [] if self.is_complete() else [defect("an incomplete version")]
        if not self.is_expected(child, finished):
            faults.append(defect(f"status {finished.status} after {number.name}"))
        if "Traceback" in finished.stderr:
            faults.append(defect(f"traceback after {number.name}"))
        if number != signal.SIGKILL and self.hidden():
            faults.append(defect(f"files left over after {number.name}"))
        return faults

    def is_expected(self, child: SignaledChild, finished: Finished) -> bool:
        """Return whether an export that was killed ended with a correct status."""
        statuses = {STATUSES[child.signal]} | (set() if child.is_early else {0})
        return finished.status in statuses

    def is_complete(self) -> bool:
        """Return whether all versions have the same files as that of the reference."""
        wanted = names(self.reference / "serving/toy/1")
        return all(names(path) == wanted for path in self.exports())

    def exports(self) -> list[Path]:
        """Return the finished exports, which are visible."""
        home = self.home / "serving/toy"
        return [path for path in home.glob("[!.]*") if path.is_dir()]

    def hidden(self) -> list[Path]:
        """Return the hidden files and directories of unfinished exports."""
        return list((self.home / "serving").rglob(".*"))

    def compare(self) -> str:
        """Return the result after the last export, which was not interrupted."""
        faults = list(self.faults)
        if not self.exports() or not self.is_complete():
            faults.append(defect("no complete version at the end"))
        if self.hidden():
            faults.append(defect("files left over at the end"))
        return outcomes.worst(faults) if faults else CORRECT


class ExportingForCTranslate2(Exporting):
    """An export of a finished run for CTranslate2."""

    arguments = ["--format", "ctranslate2", *Exporting.arguments[1:]]

    def __init__(self, work: Path, seed: int) -> None:
        super().__init__(work, seed)
        self.reference = work / "reference-ctranslate2"

    def is_complete(self) -> bool:
        wanted = names(self.reference / "serving/toy")
        return all(names(path) == wanted for path in self.exports())

    def exports(self) -> list[Path]:
        return list((self.home / "serving").glob("[!.]*"))

    def is_expected(self, child: SignaledChild, finished: Finished) -> bool:
        """The export before may have been finished before its signal."""
        is_taken = bool(child.earlier) and already_exists(finished)
        return is_taken or super().is_expected(child, finished)

    def rejected(self, done: Finished) -> str:
        """The first export may have been finished before the signal."""
        is_done = self.exports() and already_exists(done)
        return self.compare() if is_done else super().rejected(done)


def already_exists(done: Finished) -> bool:
    """Return whether an export was rejected because there is one."""
    return done.status == 2 and "already exists" in done.stderr


def names(directory: Path) -> dict[str, bool]:
    """Return {relative path: whether it has content} of the files in a directory."""
    files = (path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.stat().st_size > 0 for path in files}


def main() -> int:
    arguments = outcomes.make_parser(__doc__).parse_args()
    work = outcomes.work_directory("kill_exports", arguments.work)
    kinds: list[Callable[[Path, int], Case]] = [Exporting, Exporting, ExportingForCTranslate2]
    return outcomes.run_cases(
        arguments, work, lambda number: Outcome(number, *kinds[number % 3](work, number).run())
    )


if __name__ == "__main__":
    sys.exit(main())

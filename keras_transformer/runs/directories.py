"""Which directories contain runs, and renaming them."""

import difflib
import itertools
import os
from pathlib import Path

from keras_transformer.errors import DamagedRun, NoRun, PathTaken, UserError
from keras_transformer.runs.checkpoints import has_remains
from keras_transformer.runs.config_file import VERSIONS, is_average, read_config
from keras_transformer.runs.json_files import read_object
from keras_transformer.runs.layout import BEST, CONFIG, LATER, LOCK, MANIFEST, ROOT
from keras_transformer.runs.manifest import Manifest


def newest_run(root: str | os.PathLike[str] = ROOT) -> Path:
    """Return the run directory under `root` that was saved last, ignoring averages.

    Raises:
        NoRun: If there is none.
    """
    saved = [(path, path.parents[0]) for path in Path(root).glob("*/checkpoint")]
    saved += [(path, path.parents[1]) for path in Path(root).glob(f"*/{BEST}/checkpoint")]
    for _, run in sorted(saved, key=lambda each: each[0].stat().st_mtime, reverse=True):
        if not is_average(run):
            return run
    raise NoRun(f"no run under {root}/")


def check_has_config(directory: Path) -> None:
    """Raise a `NoRun` that names a run which may be meant, if a directory has no config.json."""
    if not (directory / CONFIG).is_file():
        raise NoRun(f"{directory}: no run here (no {CONFIG}){_run_nearby(directory)}")


def _run_nearby(directory: Path) -> str:
    """Return a remark on a run in a directory, or one like a missing directory, or nothing."""
    if below := _runs_in(directory):
        return f"; there is one in {below[0]}"
    if directory.exists():
        return ""
    runs = {run.name: run for run in [*_runs_in(Path(ROOT)), *_runs_in(directory.parent)]}
    similar = difflib.get_close_matches(directory.name, runs, 1)
    return f"; did you mean {runs[similar[0]]}?" if similar else ""


def _runs_in(directory: Path) -> list[Path]:
    return sorted(path.parent for path in directory.glob(f"[!.]*/{CONFIG}"))


def check_is_run(directory: str | os.PathLike[str]) -> None:
    """Raise a `PathTaken` if a directory contains no run."""
    directory = Path(directory)
    try:
        is_run = has_run(directory)
    except UserError:  # a damaged run may be renamed, too
        is_run = has_remains(directory) or has_remains(directory / BEST)
    if not is_run:
        raise PathTaken(f"{directory} is not a run directory, so it is not renamed")


def has_run(directory: Path) -> bool:
    """Return whether a directory contains a run, or the beginning of one.

    Raises:
        PathTaken: If manifest.json is that of another program.
        UserError: If config.json is, or the manifest of a run with states is damaged.
    """
    try:
        if Manifest.load(directory):
            return True
    except DamagedRun as error:
        if has_remains(directory):
            raise
        raise PathTaken(
            f"{directory} contains no run: its {MANIFEST} is not one of a run"
        ) from error
    if (directory / CONFIG).is_file():
        read_config(directory / CONFIG)
        return VERSIONS in read_object(directory / CONFIG)  # an empty object is another program's
    return False


def check_is_run_or_empty(directory: Path) -> None:
    """Check that a directory contains a run, parts of one, or nothing.

    Raises:
        PathTaken: If the directory contains something else.
        UserError: See `has_run`.
    """
    if has_run(directory) or has_remains(directory):
        return
    visible = visible_names(directory)
    if visible and not visible.intersection(LATER):
        raise PathTaken(f"{directory} contains other files, but no run")


def visible_names(directory: Path) -> set[str]:
    """Return the names in a directory, except for hidden ones and the lock."""
    return {path.name for path in directory.iterdir() if not path.name.startswith(".")} - {LOCK}


def set_aside(directory: str | os.PathLike[str]) -> Path:
    """Rename a run directory NAME to the first unused name of NAME.1, NAME.2, ...

    Returns:
        The new path.

    Raises:
        PathTaken: If the directory contains no run.
    """
    directory = Path(directory).resolve()
    check_is_run(directory)
    free = next(
        path
        for number in itertools.count(1)
        if not (path := directory.with_name(f"{directory.name}.{number}")).exists()
    )
    return directory.rename(free)

"""The origins of a run: the run that it starts from, and those from which that run descends."""

from collections.abc import Mapping
from pathlib import Path

from keras_transformer.errors import PathTaken, StartMismatch
from keras_transformer.runs.layout import CONFIG
from keras_transformer.runs.run import Run


def origins(start: object) -> list[Path]:
    """Return the run that a run starts from, the one that this run started from, and so on.

    If their settings form a cycle, the list ends with the first run that it already contains.

    Args:
        start: the setting `start_from` of the first run.
    """
    found: list[Path] = []
    places: set[Path] = set()
    while start and len(places) == len(found):  # no run is there twice
        directory = Path(str(start))
        found.append(directory)
        places.add(directory.resolve())
        # A run that does not exist is reported when it is needed.
        is_run = (directory / CONFIG).is_file()
        start = Run.open(directory).config.training.start_from if is_run else None
    return found


def check_start(directory: Path, chosen: Mapping[str, object]) -> None:
    """Raise `PathTaken` if a run would start from itself, or from a run that started from it."""
    if directory.resolve() in _places(origins(chosen.get("start_from"))):
        raise PathTaken(f"{directory} cannot start from itself, or from a run that started from it")


def check_origins(start: str) -> None:
    """Raise `StartMismatch` if one of the `origins` started from itself, directly or not.

    Its settings say so after it has been moved to the directory of the run that it started from.
    """
    found = origins(start)
    places = _places(found)
    cycle = found[places.index(places[-1]) : -1]
    if not cycle:
        return
    by_way = f" by way of {', '.join(map(str, cycle[1:]))}" if cycle[1:] else ""
    raise StartMismatch(
        f"{cycle[0]}: its settings say that it was started from itself{by_way}, so its old pairs "
        "cannot be found: if it has replaced the run that it started from, resume its training "
        "with the new directory of that run as start_from; a new run with mix 0 trains without old "
        "pairs"
    )


def _places(directories: list[Path]) -> list[Path]:
    return [directory.resolve() for directory in directories]

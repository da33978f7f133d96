"""Tuned settings for some corpora, as files in the format of a run's config.json."""

from contextlib import AbstractContextManager
from importlib import resources
from pathlib import Path

SUFFIX = ".json"


def names() -> list[str]:
    """Return the names of the recipes."""
    files = (Path(file.name) for file in resources.files(__name__).iterdir())
    return sorted(file.stem for file in files if file.suffix == SUFFIX)


def path(name: str) -> AbstractContextManager[Path]:
    """Return a context manager that yields the path of a recipe.

    Args:
        name: one of `names`.
    """
    return resources.as_file(resources.files(__name__) / f"{name}{SUFFIX}")

"""Imports point downward only, as docs describe the architecture."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import keras_transformer

PACKAGE = Path(keras_transformer.__file__).parent
# Each module or package of the top level, with what it may import besides itself.
BASE = {
    "cores",
    "counting",
    "errors",
    "files",
    "memory",
    "onednn",
    "quiet",
    "signals",
    "tensors",
    "threads",
    "version",
    "workspace",
    "xla",
}
ALLOWED = {
    "cores": set(),
    "counting": set(),
    "errors": set(),
    "tensors": set(),
    "version": set(),
    "signals": {"errors"},
    "threads": {"cores", "xla"},
    "files": {"errors", "signals"},
    "memory": set(),
    "onednn": set(),
    "xla": set(),
    "quiet": {"signals"},
    "workspace": {"files", "signals"},
    "config": {"errors"},
    "kernels": {"tensors"},
    "search": {"errors", "kernels", "tensors"},
    "model": {"kernels", "tensors"},
    "phrasebook": set(),
    "pictures": BASE,
    "recipes": set(),
    "text": BASE | {"phrasebook"},
    "corrections": {"text"},
    "runs": BASE | {"config", "model", "text"},
    "translation": BASE | {"config", "corrections", "kernels", "model", "runs", "search", "text"},
    "rest": {"counting"},
    "client": {"corrections", "errors", "rest", "text", "translation"},
}
TOP = BASE | {
    "config",
    "corrections",
    "kernels",
    "model",
    "phrasebook",
    "runs",
    "search",
    "text",
    "translation",
}
ALLOWED |= {
    "inspection": TOP | {"pictures"},
    "training": TOP | {"inspection", "pictures", "recipes"},
    "export": TOP,
    "commands": TOP | {"client", "export", "inspection", "pictures", "recipes", "rest", "training"},
    "__init__": TOP | {"client", "export", "inspection", "pictures", "training"},
    "__main__": {"commands"},
}


def imported(source, package="keras_transformer"):
    """Return the names of the top level of keras_transformer that a module imports.

    Args:
        source: the source code of the module.
        package: the package of the module, to which relative imports refer.
    """
    names = set()
    for node in ast.walk(ast.parse(source)):
        names |= {name for name in full_names(node, package) if name[0] == "keras_transformer"}
    return {top_level(name) for name in names}


def full_names(node, package):
    """Return the absolute names that a statement imports, each as a tuple of its parts."""
    if isinstance(node, ast.Import):
        return [tuple(alias.name.split(".")) for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    parents = package.split(".")
    base = parents[: len(parents) - node.level + 1] if node.level else []
    base += node.module.split(".") if node.module else []
    return [(*base, *alias.name.split(".")) for alias in node.names]


def top_level(name):
    """Return the module or package of the top level that contains a name."""
    first = name[1] if len(name) > 1 else "__init__"
    exists = (PACKAGE / first).is_dir() or (PACKAGE / f"{first}.py").is_file()
    return first if exists else "__init__"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import keras_transformer", {"__init__"}),
        ("import keras_transformer.runs.run as run", {"runs"}),
        ("from keras_transformer import __version__", {"__init__"}),
        (
            "from keras_transformer import (\n    phrasebook,\n    quiet as q,\n)",
            {"phrasebook", "quiet"},
        ),
        ("from keras_transformer.config import Config", {"config"}),
        ("def f():\n    from keras_transformer.runs import run", {"runs"}),
        ("from . import beam", {"search"}),
        ("from .beam import Beam", {"search"}),
        ("from .. import client", {"client"}),
        ("from ..runs.run import Run", {"runs"}),
        ("import keras\nfrom pathlib import Path", set()),
        ("'import keras_transformer.config'", set()),
    ],
)
def test_imports_are_found_in_every_form(source, names):
    assert imported(source, "keras_transformer.search") == names


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_imports_point_downward(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    names = imported(path.read_text(encoding="utf-8"), ".".join(parts[:-1]))
    assert names <= ALLOWED[parts[1]] | {parts[1]}


@pytest.mark.parametrize("name", ["numpy", "tensorflow", "keras"])
def test_corrections_need_text_alone(name):
    """A client of a server starts without these libraries."""
    program = (
        "import pkgutil, sys, keras_transformer.corrections as package\n"
        "for each in pkgutil.iter_modules(package.__path__, package.__name__ + '.'):\n"
        "    __import__(each.name)\n"
        f"sys.exit({name!r} in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)

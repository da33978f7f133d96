"""Imports point downward only, as docs describe the architecture."""

import re
from pathlib import Path

import pytest

import keras_transformer

PACKAGE = Path(keras_transformer.__file__).parent
# Each module or package of the top level, with what it may import besides itself.
BASE = {"errors", "files", "quiet", "tensors"}
ALLOWED = {
    "errors": set(),
    "tensors": set(),
    "files": {"errors"},
    "quiet": set(),
    "config": {"errors"},
    "kernels": {"tensors"},
    "search": {"kernels", "tensors"},
    "model": {"kernels", "tensors"},
    "phrasebook": set(),
    "pictures": set(),
    "recipes": set(),
    "text": BASE | {"phrasebook"},
    "runs": BASE | {"config", "model", "text"},
    "translation": BASE | {"config", "kernels", "model", "pictures", "runs", "search", "text"},
    "client": {"errors", "tensors", "translation"},
}
TOP = BASE | {"config", "kernels", "model", "phrasebook", "runs", "search", "text", "translation"}
ALLOWED |= {
    "training": TOP,
    "export": TOP,
    "commands": TOP | {"client", "export", "pictures", "recipes", "training"},
    "__init__": TOP | {"client", "export", "pictures", "training"},
}


def imported(path):
    """Return the names of the top level of the package that a module imports."""
    text = path.read_text(encoding="utf-8")
    names = set(re.findall(r"(?:from|import) keras_transformer\.(\w+)", text))
    for line in re.findall(r"from keras_transformer import ([\w, ]+)", text):
        names |= {name.strip() for name in line.split(",")} - {"__version__"}
    return names


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_imports_point_downward(path):
    name = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert imported(path) <= ALLOWED[name] | {name}

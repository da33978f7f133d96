"""docs/architecture.md agrees with the code and with tests/test_architecture.py."""

import re

from tests.programs import HOME
from tests.test_architecture import ALLOWED, BASE, PACKAGE

PAGE = (HOME / "docs/architecture.md").read_text(encoding="utf-8")
LAYOUT = PAGE[PAGE.index("keras_transformer/\n") : PAGE.index("    tests/")]


def names(cell):
    """Return the names in a cell of a table."""
    return set(re.findall(r"`(\w+)`", cell))


def test_the_layout_names_every_package_and_every_module_of_the_top_level():
    files = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py"}
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    lines = re.findall(r"^ {8}(\w+(?:, \w+)*)/? ", LAYOUT, re.MULTILINE)
    assert sorted(name for line in lines for name in line.split(", ")) == sorted(files | packages)


def test_the_layout_names_only_modules_that_exist():
    """Words before and between commas and semicolons are modules where the line says so."""
    for package in ("model", "search", "training"):
        text = re.search(rf" {package}/ +(.*?)\n        \w", LAYOUT, re.DOTALL)[1]
        modules = re.sub(r"\(.*?\)|.*order:|: one .*", "", " ".join(text.split()))
        for module in re.split("[,;] ", modules.strip()):
            assert (PACKAGE / package / f"{module.strip()}.py").is_file(), module


def test_the_table_of_imports_is_the_one_that_is_checked():
    table = PAGE[PAGE.index("| package |") : PAGE.index("`tests/test_architecture.py`")]
    documented = {}
    for left, right in re.findall(r"^\| (`.*?) \| ?(.*?) ?\|$", table, re.MULTILINE):
        documented |= dict.fromkeys(names(left), names(right))
    documented["commands"] = set(documented) - {"commands"}
    tested = {name: allowed - BASE for name, allowed in ALLOWED.items()}
    assert {name: tested[name] for name in documented} == documented
    assert set(tested) - set(documented) == BASE | {"__init__", "__main__"}

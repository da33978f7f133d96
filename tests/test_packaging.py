"""The wheel contains all files of the package."""

import configparser
from pathlib import Path

from tests.programs import HOME

PACKAGE = HOME / "keras_transformer"


def test_package_data_includes_every_data_file():
    setup = configparser.ConfigParser()
    setup.read(HOME / "setup.cfg")
    included = {
        path
        for package, patterns in setup["options.package_data"].items()
        for pattern in patterns.split(", ")
        for path in Path(HOME, *package.split(".")).glob(pattern)
    }
    files = (path for path in PACKAGE.rglob("*") if path.is_file())
    data = {path for path in files if path.suffix not in (".py", ".pyc")}
    assert PACKAGE / "recipes" / "multi30k.json" in data
    assert data == included


def test_every_folder_with_modules_is_a_package():
    assert all((path.parent / "__init__.py").is_file() for path in PACKAGE.rglob("*.py"))

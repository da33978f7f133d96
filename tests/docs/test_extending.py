"""The extensions that docs/extending.md describes, applied to a copy of the package."""

import os
import re
import shutil
import subprocess
import sys

from tests.programs import HOME

EXTENDING = HOME / "docs/extending"
PAGE = HOME / "docs/extending.md"


def changed_lines(patch):
    """Return {file: number of added and removed lines} of a patch."""
    files = re.split(r"^diff --git ", patch.read_text(), flags=re.MULTILINE)[1:]
    lines = {
        text.split()[0]: re.findall(r"^[+-](?![+-]{2} )", text, re.MULTILINE) for text in files
    }
    return {name: len(found) for name, found in lines.items()}


def test_a_search_strategy_is_one_new_file_and_one_line():
    assert changed_lines(EXTENDING / "no_repeat.patch") == {
        "a/keras_transformer/search/settings.py": 1
    }


def test_rms_norm_changes_three_files():
    assert len(changed_lines(EXTENDING / "rms_norm.patch")) <= 3


def test_the_page_includes_the_files():
    included = re.findall(r"^<!-- file: docs/extending/(\S+) -->$", PAGE.read_text(), re.MULTILINE)
    assert sorted(included) == sorted(path.name for path in EXTENDING.iterdir())


def test_the_extensions_work(tmp_path):
    package = tmp_path / "keras_transformer"
    shutil.copytree(HOME / "keras_transformer", package, ignore=shutil.ignore_patterns("*.tsv"))
    shutil.copy(EXTENDING / "no_repeat.py", package / "search")
    for patch in sorted(EXTENDING.glob("*.patch")):
        subprocess.run(["git", "apply", str(patch)], cwd=tmp_path, check=True)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "TF_CPP_MIN_LOG_LEVEL": "3"}
    program = str(HOME / "tests/docs/extensions.py")
    done = subprocess.run(
        [sys.executable, "-P", program], cwd=tmp_path, env=environment, capture_output=True
    )
    assert done.stdout.decode() == "the extensions work\n", done.stderr.decode()[-2000:]

"""The page's modules in Node: a test passes JSON to a script, and gets JSON back."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent


def run_node(script: str | Path, value: object) -> Any:
    """Return what a script writes, or skip the running test without Node.

    Args:
        script: the script, which reads JSON and writes JSON: its name in this directory, or its
            absolute path.
        value: what it reads.
    """
    if not (node := shutil.which("node")):
        # Intended: Node is not a Python package, and users of the package do not need it.
        pytest.skip("needs Node.js")
    # With ASCII, JSON can contain lone surrogates.
    text = json.dumps(value, ensure_ascii=True).encode("ascii")
    done = subprocess.run([node, str(FOLDER / script)], input=text, capture_output=True)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return json.loads(done.stdout)

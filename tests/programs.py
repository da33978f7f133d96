"""Helpers for tests of commands and scripts."""

import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from keras_transformer.commands import COMMANDS

HOME = Path(__file__).parents[1]


def load_script(name: str) -> ModuleType:
    """Return the module of a command, or of a script of the repository, such as "benchmarks/a"."""
    if name in COMMANDS:
        return importlib.import_module(f"keras_transformer.commands.{name}")
    spec = importlib.util.spec_from_file_location(name, HOME / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_python(*arguments: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run Python in a new process, in the directory of the repository.

    The variables with which this process configured TensorFlow are not passed on.
    """
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, cwd=HOME, **{"env": user_environment()} | options
    )


def user_environment() -> dict[str, str]:
    """Return the environment without the variables that commands set for TensorFlow."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "XLA_"))}

"""The start of a program, which handles signals before it imports anything else."""

import importlib
from typing import NoReturn

from keras_transformer.signals import signals


def run_program() -> NoReturn:
    """Run the installed program `keras-transformer`, whose first argument names a command."""
    run("main")


def run(command: str) -> NoReturn:
    """Run a command with the arguments of the process, and exit.

    Args:
        command: the name of its module in `keras_transformer.commands`.
    """
    with signals.handled():
        with signals.held():
            from keras_transformer.commands import entry_point

            module = importlib.import_module(f"keras_transformer.commands.{command}")
        entry_point.run(module.main)

"""The flag that names a trained run, and the run that is chosen without it."""

import sys
from pathlib import Path

from keras_transformer.commands.advice import advice
from keras_transformer.commands.command_line import AddArgument, program
from keras_transformer.errors import NoRun
from keras_transformer.quiet import quiet_stderr


def add_checkpoint_flag(add: AddArgument) -> None:
    """Add the flag that names a trained run."""
    text = "run directory (default: the most recently trained run in checkpoints/)"
    add("--checkpoint", metavar="DIR", help=text)


def add_server_flag(add: AddArgument) -> None:
    """Add the flag that names a model on a server."""
    text = "translate with TensorFlow Serving: http://HOST:8501/v1/models/NAME"
    add("--server", metavar="URL", help=text)


def chosen_run(directory: str | None) -> str | Path:
    """Return the run directory that the user chose; otherwise print the newest and return it.

    Raises:
        UserError: If the user chose no run, and checkpoints/ contains none.
    """
    if directory:
        return directory
    with quiet_stderr():
        from keras_transformer.runs.directories import newest_run

    with advice({NoRun: f"train one with {program('train')}, or give --checkpoint"}):
        newest = newest_run()
    print(f"using {newest}", file=sys.stderr)
    return newest

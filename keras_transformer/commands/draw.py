"""Draw a picture of a translator, or of how it works."""

from collections.abc import Sequence

from keras_transformer.commands import command_line, dispatch
from keras_transformer.commands.drawing import KINDS

DESCRIPTION = """\
Draws pictures of a translator, and of how it works.

  %(prog)s attention "Where can I buy a ticket?" --output attention.png
  %(prog)s network --output network.png
"""


def make_parser() -> command_line.Parser:
    """Return a parser for the first argument, which names the kind of picture."""
    return dispatch.make_parser(command_line.program("draw"), DESCRIPTION, "kind", KINDS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    package = "keras_transformer.commands.drawing"
    return dispatch.run(make_parser(), "kind", KINDS, package, arguments)

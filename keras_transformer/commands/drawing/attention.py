"""Draw the attention between a sentence and its translation."""

from collections.abc import Sequence

from keras_transformer.commands import command_line, translate
from keras_transformer.commands.drawing import flags

DESCRIPTION = """\
Draws one heat map for each attention head, between a sentence and its translation.

  %(prog)s "Where can I buy a ticket?" --output attention.png
"""


def make_parser() -> command_line.Parser:
    """Return the parser of the kind."""
    parser = command_line.make_parser("draw attention", DESCRIPTION)
    add = parser.add_argument
    add("sentence", metavar="SENTENCE", help="the sentence to translate")
    command_line.add_checkpoint_flag(add)
    flags.add_output_flag(add)
    text = "which attention to draw (default cross: from target to source)"
    add("--attention", choices=("encoder", "decoder", "cross"), default="cross", help=text)
    text = "which layer to draw, counted from 1 (default: the last)"
    add("--layer", type=int, metavar="N", help=text)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    flags.check_picture(chosen.output)
    given = ["--attention", chosen.attention]
    given += [] if chosen.layer is None else ["--layer", str(chosen.layer)]
    given += [] if chosen.checkpoint is None else ["--checkpoint", chosen.checkpoint]
    return translate.main([*given, "--plot", chosen.output, "--", chosen.sentence])

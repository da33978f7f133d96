"""Draw the positional encoding, or a sentence before and after positions are added."""

import argparse
from collections.abc import Sequence

from keras_transformer.commands import checks, command_line, run_flag, settings_flags
from keras_transformer.commands.drawing import flags
from keras_transformer.errors import UserError
from keras_transformer.quiet import quiet_stderr

LENGTH, D_MODEL, OFFSET, VIEW = 50, 256, 4, "all"
VIEWS = ("heatmap", "waves", "similarity", "rotation", "all")

DESCRIPTION = """\
Draws the sinusoidal positional encoding as a heat map and as waves, the similarity of positions,
and the rotation that maps each position to a later one. No run is needed.

  %(prog)s --length 50 --d-model 256 --output positions.png

With --rings, draws an animation in which each pair of dimensions is a hand on a ring.

  %(prog)s --rings rings.gif

With --sentence, draws the subwords of a sentence before and after a run's encoder adds positions to
them, projected to two principal components.

  %(prog)s --sentence "A dog and a cat sleep." --output sentence.png
"""


def make_parser() -> command_line.Parser:
    """Return the parser of the kind."""
    parser = command_line.make_parser("draw positions", DESCRIPTION)
    add = parser.add_argument
    text = (
        "file of the picture, required without --rings; its extension selects the format: .png, "
        ".svg, .pdf, .gif or another format"
    )
    add("-o", "--output", metavar="FILE", help=text)
    add("--rings", metavar="FILE.gif", help="file of an animation, instead of or besides --output")
    text = f"number of positions (default {LENGTH})"
    add("--length", type=int, metavar="N", help=text)
    text = f"depth of the encoding, an even number (default {D_MODEL})"
    add("--d-model", type=int, metavar="N", help=text)
    text = (
        f"distance in positions that the rotation covers (default {OFFSET}; less if --length is "
        "small)"
    )
    add("--offset", type=int, metavar="K", help=text)
    text = f"which part to draw (default {VIEW})"
    add("--view", choices=VIEWS, help=text)
    text = "draw this sentence before and after positions are added to it"
    add("--sentence", metavar="TEXT", help=text)
    text = "with --sentence: run directory (default: the most recently trained run in checkpoints/)"
    add("--checkpoint", metavar="DIR", help=text)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    if chosen.sentence is None:
        draw_encoding(chosen)
    else:
        draw_sentence(chosen)
    return 0


def draw_encoding(chosen: argparse.Namespace) -> None:
    """Draw the encoding, its animation, or both."""
    check_files(chosen)
    from keras_transformer.inspection import positions

    size = (
        LENGTH if chosen.length is None else chosen.length,
        D_MODEL if chosen.d_model is None else chosen.d_model,
    )
    offset = max(0, min(OFFSET, size[0] - 1)) if chosen.offset is None else chosen.offset
    with settings_flags.naming_flags(["length", "d_model", "offset"]):
        positions.check(*size, offset)
        if chosen.rings is not None:
            positions.check_rings(*size)
    if chosen.output is not None:
        flags.write(positions.plot_positions(*size, offset, chosen.view or VIEW), chosen)
    if chosen.rings is not None:
        positions.save_rings(chosen.rings, *size)
        flags.report(chosen.rings)


def check_files(chosen: argparse.Namespace) -> None:
    """Raise a `UserError` if a file of the encoding cannot be written, or flags need another."""
    if chosen.checkpoint is not None:
        raise UserError("--checkpoint needs --sentence: the encoding does not depend on a run")
    if chosen.output is None:
        if chosen.rings is None:
            raise UserError("give --output or --rings")
        for name in ("view", "offset"):
            if getattr(chosen, name) is not None:
                raise UserError(f"--{name} needs --output: the rings do not depend on it")
    if chosen.offset is not None and chosen.view not in (None, "all", "rotation"):
        raise UserError(f"--view {chosen.view} does not depend on --offset")
    checks.check_output(chosen, "rings", {"--output": [chosen.output]})
    flags.check_picture(chosen.output)
    flags.check_picture(chosen.rings, [".gif"])


def draw_sentence(chosen: argparse.Namespace) -> None:
    """Draw a sentence before and after positions are added to it."""
    for name in ("rings", "length", "d_model", "offset", "view"):
        if getattr(chosen, name) is not None:
            raise UserError(f"{settings_flags.flag(name)} cannot be combined with --sentence")
    if chosen.output is None:
        raise UserError("--sentence needs --output")
    if not chosen.sentence.strip():
        raise UserError("the sentence is empty")
    flags.check_picture(chosen.output)
    directory = run_flag.chosen_run(chosen.checkpoint)
    with quiet_stderr():
        from keras_transformer.inspection.embedded_sentence import plot_embedded_sentence
        from keras_transformer.text.reading import as_read
        from keras_transformer.translation.translator import Translator
    translator = Translator.load(directory)
    sentence = as_read(chosen.sentence, translator.source_subwords.lang)
    flags.write(plot_embedded_sentence(translator, sentence), chosen)

"""Draw the curves of training runs, and a film of how attention becomes aligned."""

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from keras_transformer.commands import checks, command_line, console, run_flag
from keras_transformer.commands.drawing import flags
from keras_transformer.quiet import quiet_stderr

if TYPE_CHECKING:
    from keras_transformer.inspection.history.logs import History

FILM = ".gif"
MILLISECONDS, LAST = 300, 2500  # duration of a frame, and of the last one
DESCRIPTION = """\
Draws the loss, perplexity, BLEU, accuracy, learning rate and throughput of one or more training
runs, as curves over the training steps, and prints a table of their best values.

  %(prog)s --output history.png
  %(prog)s checkpoints/first checkpoints/second --output both.svg

Or shows how the cross-attention of a validation sentence becomes aligned during training, as an
animation.

  %(prog)s --film alignment.gif
"""


def make_parser() -> command_line.Parser:
    """Return the parser of the kind."""
    parser = command_line.make_parser("draw history", DESCRIPTION)
    add = parser.add_argument
    text = "a run directory (default: the most recently trained run in checkpoints/)"
    add("runs", nargs="*", metavar="RUN", help=text)
    add("--checkpoint", metavar="DIR", help="the same as RUN, as in other commands")
    flags.add_output_flag(add, required=False)
    text = f"write an animation of the cross-attention of one run; the name must end in {FILM}"
    add("--film", metavar="FILE", help=text)
    text = "the decoder layer in the film, counted from 1 (default: the last)"
    add("--layer", type=int, metavar="N", help=text)
    text = "the heads in the film: one, counted from 1, their mean (default), or all of them"
    add("--heads", type=flags.number_or("all", "mean"), metavar="N|mean|all", help=text)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser()
    chosen = parser.parse_args(arguments)
    _check(parser, chosen)
    with quiet_stderr():
        from keras_transformer.inspection.history import curves, film
        from keras_transformer.pictures.saving import save_animation
    histories = _histories(chosen)
    # Both are checked before anything is written.
    figure = curves.plot_histories(histories) if chosen.output else None
    frames = film.frames(histories[0], chosen.layer, chosen.heads or "mean") if chosen.film else ()
    with console.open_output() as output:
        print(*curves.table(histories), sep="\n", file=output, flush=True)
    if figure:
        flags.write(figure, chosen)
    if frames:
        colors = film.shades_of(histories[0], chosen.heads or "mean")
        save_animation(frames, chosen.film, MILLISECONDS, LAST, exact=colors)
        flags.report(chosen.film)
    return 0


def _check(parser: command_line.Parser, chosen: argparse.Namespace) -> None:
    """Check the flags before any other work.

    Raises:
        UserError: If flags contradict each other, or a picture cannot be written.
    """
    if chosen.output is None and chosen.film is None:
        parser.error("give --output FILE for curves, --film FILE for an animation, or both")
    if chosen.film is None and (chosen.layer, chosen.heads) != (None, None):
        parser.error("--layer and --heads need --film")
    if chosen.film is not None and len(_given(chosen)) > 1:
        parser.error(f"--film shows one run, not {len(_given(chosen))}")
    flags.check_picture(chosen.output)
    flags.check_picture(chosen.film, (FILM,))
    checks.check_output(chosen, "film", {"--output": [chosen.output]})


def _given(chosen: argparse.Namespace) -> list[str]:
    """Return the different run directories that the user gave, by either name."""
    given = [*chosen.runs, *([] if chosen.checkpoint is None else [chosen.checkpoint])]
    return list({os.path.realpath(each): each for each in given}.values())


def _histories(chosen: argparse.Namespace) -> "list[History]":
    """Read the histories of the chosen runs."""
    from keras_transformer.inspection.history.logs import read_history

    directories = _given(chosen) or [str(run_flag.chosen_run(None))]
    return [read_history(directory) for directory in directories]

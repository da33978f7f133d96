"""Averages the newest checkpoints of a run."""

from keras_transformer.commands import command_line
from keras_transformer.errors import PathTaken
from keras_transformer.quiet import quiet_stderr

DESCRIPTION = """\
Averages the weights of a run's newest checkpoints: often a better translator than any of them.
train.py --average-last N does so by itself at the end; this is for a run that has not ended, or for
another number. What it makes is never the default run: name it with --checkpoint.

  python average.py --checkpoint checkpoints/mine --last 5 --output checkpoints/mine-average
"""


def make_parser():
    parser = command_line.Parser(description=DESCRIPTION)
    add = parser.add_argument
    command_line.add_checkpoint_flag(add)
    add(
        "--output",
        required=True,
        metavar="DIR",
        help="run directory that is made, to translate with",
    )
    text = "checkpoints that are averaged (default: all that the run has kept)"
    add("--last", type=int, metavar="N", help=text)
    return parser


def main():
    arguments = make_parser().parse_args()
    with quiet_stderr():
        from keras_transformer.runs.averaging import average

    checkpoint = command_line.chosen_run(arguments.checkpoint)
    with command_line.advice({PathTaken: "give another --output"}):
        paths = average(checkpoint, arguments.output, arguments.last)
    names = ", ".join(path.name for path in paths)
    print(f"{arguments.output}: the mean of {len(paths)} checkpoints of {checkpoint}: {names}")
    return 0


if __name__ == "__main__":
    command_line.run(main)

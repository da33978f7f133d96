"""Average the newest checkpoints of a run."""

from collections.abc import Sequence

from keras_transformer.commands import command_line, run_flag
from keras_transformer.commands.advice import advice
from keras_transformer.counting import counted
from keras_transformer.errors import PathTaken, UserError
from keras_transformer.quiet import quiet_stderr

DESCRIPTION = """\
Averages the weights of a run's newest checkpoints, each saved at the end of an epoch. The average
often translates better than any of them. Training with --average-last N averages at the end; this
command is for unfinished runs, or for a different number of checkpoints. No command uses the result
by default: name it with --checkpoint.

  %(prog)s --checkpoint checkpoints/mine --output checkpoints/mine-average
"""


def make_parser() -> command_line.Parser:
    """Return the parser of the command."""
    parser = command_line.make_parser("average", DESCRIPTION)
    add = parser.add_argument
    run_flag.add_checkpoint_flag(add)
    add("-o", "--output", required=True, metavar="DIR", help="run directory to create")
    text = "number of newest checkpoints to average (default: all that the run has kept)"
    add("--last", type=int, metavar="N", help=text)
    text = "include checkpoints saved within an epoch, by --save-every or an interruption"
    add("--within-epochs", action="store_true", help=text)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    with quiet_stderr():
        from keras_transformer.runs.averaging import OnlyWithinEpochs, average

    checkpoint = run_flag.chosen_run(chosen.checkpoint)
    hints: dict[type[UserError], str] = {
        PathTaken: "give another --output",
        OnlyWithinEpochs: "give --within-epochs to average those saved within one",
    }
    with advice(hints):
        paths = average(checkpoint, chosen.output, chosen.last, chosen.within_epochs)
    names = ", ".join(path.name for path in paths)
    number = counted(len(paths), "checkpoint")
    print(f"{chosen.output}: the mean of {number} of {checkpoint}: {names}")
    return 0

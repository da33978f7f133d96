"""Make the datastore of nearest neighbors of a run."""

from collections.abc import Sequence

from keras_transformer.commands import command_line, run_flag
from keras_transformer.commands.advice import advice
from keras_transformer.commands.progress import report_progress
from keras_transformer.errors import RunLocked
from keras_transformer.quiet import quiet_stderr

DESCRIPTION = """\
Makes the datastore in which translate and evaluate search with --neighbors: each subword of the
training targets, with the features from which the network predicts it. The files of the training
pairs must still be there. After further training, make the datastore again.

  %(prog)s --checkpoint checkpoints/mine
"""


def make_parser() -> command_line.Parser:
    """Return the parser of the command."""
    parser = command_line.make_parser("datastore", DESCRIPTION)
    run_flag.add_checkpoint_flag(parser.add_argument)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    with quiet_stderr():
        from keras_transformer.commands.failures import as_user_errors
        from keras_transformer.runs.lock import locked
        from keras_transformer.runs.run import Run
        from keras_transformer.training.datastore_building import build_datastore

    run = Run.open(run_flag.chosen_run(chosen.checkpoint))
    with advice({RunLocked: "stop it first"}), as_user_errors(), locked(run.directory):
        found = build_datastore(run, report_progress)
    share, temperature = found.datastore.interpolation
    print(
        f"{run.directory}: {len(found.datastore.ids):,} subwords; validation BLEU "
        f"{found.network_bleu:.2f}, with neighbors {found.bleu:.2f} (share {share:g}, temperature "
        f"{temperature:.3g})"
    )
    flags = ["--neighbors"] if found.bleu > found.network_bleu else []
    if not flags:
        print("the neighbors do not improve its translations")
    print("next:", command_line.program("translate", "--checkpoint", run.directory, *flags))
    return 0

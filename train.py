"""Trains a translator."""

from typing import TYPE_CHECKING

from keras_transformer.commands import command_line
from keras_transformer.errors import PathTaken, RunMismatch, TrainingDiverged
from keras_transformer.quiet import quiet_stderr

if TYPE_CHECKING:
    from keras_transformer.training.session import Result

DESCRIPTION = """\
Trains a translator and saves it in a run directory. Ctrl-C saves and stops; the same command run
again resumes the training.

  python train.py
  python train.py --train pairs.tsv --source-lang en --target-lang de --checkpoint checkpoints/mine
  python train.py --train train.en train.de --validation val.en val.de --epochs 10
  python train.py --train tfds:ted_hrlr_translate/pt_to_en --source-lang pt --target-lang en
  python train.py --config keras_transformer/recipes/multi30k.json --train train.en train.de
"""

# Which flag helps against an error.
ADVICE = {
    PathTaken: "give another --checkpoint",
    RunMismatch: "give another --checkpoint, or --fresh to start over",
    TrainingDiverged: "give --fresh to start over",
}


def make_parser():
    parser = command_line.Parser(description=DESCRIPTION)
    parser.add_argument(
        "--checkpoint",
        metavar="DIR",
        help="run directory (default: checkpoints/CORPUS-SOURCE-TARGET)",
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="start over; an existing run is kept as DIR.1, DIR.2, ...",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="settings in a JSON file, of the form of a run's config.json; flags go before them",
    )
    command_line.add_settings(parser)
    return parser


def main():
    settings = vars(make_parser().parse_args())
    directory, fresh, config = (settings.pop(name) for name in ("checkpoint", "fresh", "config"))
    with quiet_stderr():
        from keras_transformer.training.objective import SHARES
        from keras_transformer.training.session import train
        from keras_transformer.translation.parallel import divide_cores

    divide_cores(SHARES)
    with command_line.advice(ADVICE):
        result = train(settings, directory, fresh, config)
    print(next_step(result))
    return 0 if result.finished else command_line.INTERRUPTED


def next_step(result: "Result") -> str:
    """Return what the user can do after the training."""
    if not result.finished:
        return "run the same command again to resume"
    command = f'python translate.py --checkpoint {result.directory} "{result.example or "..."}"'
    if result.was_finished:
        return f"a larger --epochs or --patience resumes, --fresh starts over\nnext: {command}"
    return f"next: {command}"


if __name__ == "__main__":
    command_line.run(main)

"""Trains a translator."""

from keras_transformer.commands import command_line
from keras_transformer.quiet import quiet_stderr

DESCRIPTION = """\
Trains a translator and keeps it in a run directory. The same command run again goes on where it
stopped; Ctrl-C saves and stops.

  python train.py
  python train.py --train pairs.tsv --source-lang en --target-lang de --checkpoint checkpoints/mine
  python train.py --train train.en train.de --validation val.en val.de --epochs 10
  python train.py --train tfds:ted_hrlr_translate/pt_to_en --source-lang pt --target-lang en
  python train.py --config keras_transformer/recipes/multi30k.json --train train.en train.de
"""


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
        help="begin anew; a run that is there already is kept as DIR.1, DIR.2, ...",
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
    return 0 if train(settings, directory, fresh, config) else command_line.INTERRUPTED


if __name__ == "__main__":
    command_line.run(main)

"""Train a translator."""

import contextlib
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from keras_transformer import recipes
from keras_transformer.commands import command_line, settings_flags
from keras_transformer.commands.advice import advice
from keras_transformer.commands.failures import as_user_errors
from keras_transformer.config import Config
from keras_transformer.errors import (
    DamagedRun,
    OutOfMemory,
    PathTaken,
    RunLocked,
    RunMismatch,
    UserError,
)
from keras_transformer.quiet import quiet_stderr
from keras_transformer.training.cluster import STRATEGIES

if TYPE_CHECKING:
    from keras_transformer.training.session import Result

DESCRIPTION = """\
Trains a translator and saves it in a run directory. Ctrl-C saves the state and stops; the same
command without --fresh resumes training. Without --train, the built-in corpus and settings tuned
for it are used. The defaults below are those for other corpora; --hours and --start-from choose
many settings differently, which --dry-run shows.

  %(prog)s
  %(prog)s --train pairs.tsv --source-lang en --target-lang de --checkpoint checkpoints/mine
  %(prog)s --train train.en train.de --validation val.en val.de --epochs 10
  %(prog)s --train tfds:ted_hrlr_translate/pt_to_en --source-lang pt --target-lang en
  %(prog)s --config multi30k --train train.en train.de
  %(prog)s --train train.en train.de --hours 1.5
  %(prog)s --start-from checkpoints/mine --train more.tsv --checkpoint checkpoints/more
"""

# {class of an error: hint about a flag that resolves it}
ADVICE = {
    PathTaken: "give another --checkpoint",
    RunMismatch: "give another --checkpoint, or --fresh to start over",
    DamagedRun: "restore it from a copy, or give --fresh to start over",
    RunLocked: "stop it first, or give another --checkpoint",
    OutOfMemory: "a run with a smaller --batch-size needs less",
}


def make_parser() -> command_line.Parser:
    """Return the parser of the command."""
    parser = command_line.make_parser("train", DESCRIPTION)
    add = parser.add_argument
    text = "run directory (default: checkpoints/CORPUS-SOURCE-TARGET)"
    add("--checkpoint", metavar="DIR", help=text)
    text = "start over; an existing run is kept as DIR.1, DIR.2, ..."
    add("--fresh", action="store_true", help=text)
    text = (
        "settings of a recipe, or of a JSON file like a run's config.json; flags take precedence "
        f"(recipes: {', '.join(recipes.names())})"
    )
    add("--config", metavar="RECIPE|FILE", help=text)
    text = (
        "train on all GPUs of this machine, or on the machines that the environment variable "
        "TF_CONFIG names (default: on one device)"
    )
    add("--strategy", choices=STRATEGIES, help=text)
    text = (
        "do not train; print the settings, statistics of the corpus, and the memory and the time "
        "that training needs, for which a few steps are measured; --checkpoint, --fresh and "
        "--strategy have no effect"
    )
    add("--dry-run", action="store_true", help=text)
    settings_flags.add_settings(parser)
    return parser


@contextlib.contextmanager
def open_config(name: str | None) -> Iterator[Path | None]:
    """Yield the path of a recipe or of a settings file; None if `name` is None.

    Raises:
        UserError: If there is no such recipe or file.
    """
    if name is None:
        yield None
    elif name in recipes.names():
        with recipes.path(name) as path:
            yield path
    elif Path(name).exists():
        yield Path(name)
    else:
        known = ", ".join(recipes.names())
        raise UserError(f"--config {name}: no such file or recipe; recipes: {known}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    settings = vars(make_parser().parse_args(arguments))
    names = "checkpoint", "fresh", "config", "strategy", "dry_run"
    directory, fresh, config, strategy, is_dry_run = (settings.pop(name) for name in names)
    with open_config(config) as path, settings_flags.naming_flags(Config().flat(), path):
        with quiet_stderr():
            from keras_transformer.training.session import train

        if is_dry_run:
            with advice(ADVICE), as_user_errors():
                print_preparation(settings, path)
            return 0
        with advice(ADVICE), as_user_errors():
            result = train(settings, directory, fresh, path, strategy)
    print(next_step(result, fresh))
    return 0 if result.signal is None else 128 + result.signal  # as in a shell


def print_preparation(settings: dict[str, object], path: Path | None) -> None:
    """Print what --dry-run finds out."""
    from keras_transformer.training.dry_run import dry_run
    from keras_transformer.training.dry_run_report import describe

    found = dry_run(settings, path)
    print("\n".join(describe(found)))
    print(found.config.to_json())


def next_step(result: "Result", fresh: bool) -> str:
    """Return a message about what the user can do next.

    Args:
        result: the `Result` of the training.
        fresh: whether --fresh was given.
    """
    if not result.finished:
        return f"run the same command again{' without --fresh' if fresh else ''} to resume"
    translate = command_line.program("translate", "--checkpoint", result.directory)
    command = f"{translate} {quoted(result.example or '...')}"
    if result.was_finished:
        return f"a larger {limits(result)} resumes; --fresh starts over\nnext: {command}"
    if result.stopped_early:
        return f"a larger {limits(result)} resumes\nnext: {command}"
    return f"next: {command}"


def quoted(sentence: str) -> str:
    """Return a sentence as an argument in a shell, in double quotes if possible.

    Not all shells know single quotes, but in double quotes some characters have a meaning.
    """
    is_plain = not set('"$`\\!').intersection(sentence)
    return f'"{sentence}"' if is_plain else shlex.quote(sentence)


def limits(result: "Result") -> str:
    """Return the flags of all settings that ended the training, with a remark."""
    flags = {
        "--hours": result.time_was_up,
        "--epochs": result.epochs_were_up,
        "--patience (0: no early stopping)": result.stopped_early,
    }
    return " and ".join(flag for flag, has_ended in flags.items() if has_ended)

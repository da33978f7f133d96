"""Draw a network as a diagram, or print all tensors between a sentence and the next subword."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from keras_transformer.commands import command_line, console, run_flag, train
from keras_transformer.commands.drawing import flags
from keras_transformer.config import Config, required
from keras_transformer.errors import UserError
from keras_transformer.quiet import quiet_stderr

if TYPE_CHECKING:
    from keras_transformer.inspection.network.reading import Reading
    from keras_transformer.model.transformer import Transformer
    from keras_transformer.translation.translator import Translator

DESCRIPTION = """\
Draws a run's network as a diagram: each part with its name in the code, the shapes of its tensors
and its number of weights. With --walk, prints a table of all tensors between the characters of a
sentence and the probabilities of the next subword.

  %(prog)s --output network.png
  %(prog)s "Where is the station?" --output network.png
  %(prog)s --walk "Where is the station?"
  %(prog)s --walk "Where is the station?" --prefix "Wo ist"
  %(prog)s --config multi30k --output network.png
"""


def make_parser() -> command_line.Parser:
    """Return the parser of the kind."""
    parser = command_line.make_parser("draw network", DESCRIPTION)
    add = parser.add_argument
    text = "the sentence that the network reads (default: the diagram leaves lengths open)"
    add("sentence", nargs="?", metavar="SENTENCE", help=text)
    run_flag.add_checkpoint_flag(add)
    text = (
        "draw the network of a recipe, or of a JSON file like a run's config.json, before it is "
        "trained"
    )
    add("--config", metavar="RECIPE|FILE", help=text)
    text = "print the tensors as a table; needs a sentence"
    add("--walk", action="store_true", help=text)
    text = (
        "the target prefix, which the decoder reads (default: the translation; with --walk only "
        "the start token)"
    )
    add("--prefix", metavar="TEXT", help=text)
    flags.add_output_flag(add, required=False)
    return parser


def check(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if arguments are invalid or cannot be combined."""
    for name in ("walk", "prefix"):
        if getattr(arguments, name) not in (None, False) and arguments.sentence is None:
            raise UserError(f"--{name} needs a sentence")
    if arguments.sentence is not None and not arguments.sentence.strip():
        raise UserError("the sentence is empty")
    if arguments.config and arguments.checkpoint:
        raise UserError("give --config or --checkpoint, not both")
    if arguments.config and arguments.sentence is not None:
        raise UserError("--config draws a network before training, which cannot read a sentence")
    if not arguments.output and not arguments.walk:
        raise UserError("give --output, or --walk for a table")
    flags.check_picture(arguments.output)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    check(chosen)
    if chosen.sentence is not None:
        inspect_sentence(chosen)
    else:
        with quiet_stderr():
            from keras_transformer.inspection.network.diagram import plot_network

        model = untrained(chosen.config) if chosen.config else load(chosen).model
        flags.write(plot_network(model), chosen)
    return 0


def load(arguments: argparse.Namespace) -> "Translator":
    """Load the translator that the user chose."""
    with quiet_stderr():
        from keras_transformer.translation.translator import Translator

    return Translator.load(run_flag.chosen_run(arguments.checkpoint))


def untrained(config: str) -> "Transformer":
    """Return the network of a recipe or a settings file, with new weights.

    Its vocabulary has `vocab_size` subwords, which are fewer in training if the corpus is small.
    """
    with quiet_stderr():
        from keras_transformer.runs.config_file import naming_file, read_settings
        from keras_transformer.runs.network import build_network

    with train.open_config(config) as path:
        assert path is not None
        chosen = read_settings(path)
    with naming_file(config):
        settings = Config().with_settings(chosen).resolved()
        size = required(settings.text.vocab_size) + 2  # the start and the end token
        return build_network(settings, size, size)


def inspect_sentence(arguments: argparse.Namespace) -> None:
    """Print the table of a sentence, draw its diagram, or both."""
    translator = load(arguments)
    with quiet_stderr():
        from keras_transformer.inspection.network.walk import walk

    source, target = readings(translator, arguments)
    stages = walk(translator.model, source.ids, target.ids)
    if arguments.walk:
        from keras_transformer.inspection.network.walk_table import table

        with console.open_output() as output:
            print(*table(stages, translator.model, source, target), sep="\n", file=output)
    if arguments.output:
        from keras_transformer.inspection.network.diagram import Sentence, plot_network
        from keras_transformer.inspection.network.walk import predicted_ids

        predicted = target.subwords.labels(predicted_ids(stages))
        sentence = Sentence(source.labels(), target.labels(), predicted)
        flags.write(plot_network(translator.model, sentence), arguments)


def readings(
    translator: "Translator", arguments: argparse.Namespace
) -> tuple["Reading", "Reading"]:
    """Return what the encoder and the decoder read."""
    from keras_transformer.inspection.network import reading
    from keras_transformer.text.reading import as_read

    sentence = as_read(arguments.sentence, translator.source_subwords.lang)
    source = reading.source_reading(translator, sentence)
    if arguments.walk or arguments.prefix is not None:
        return source, reading.prefix_reading(translator, arguments.prefix or "")
    return source, reading.translation_reading(translator, sentence)

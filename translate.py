"""Translates with a trained run."""

import sys
from typing import NamedTuple

from keras_transformer.commands import command_line, console
from keras_transformer.commands.confidence_warnings import Doubts
from keras_transformer.errors import UserError
from keras_transformer.quiet import quiet_stderr
from keras_transformer.search.settings import RERANKED
from keras_transformer.translation.line_translator import LineTranslator

DESCRIPTION = """\
Translates sentences given as arguments, in a file, or on standard input: one line in, one line out.

  python translate.py "Where can I buy a ticket?"
  python translate.py --input source.txt --output target.txt --beam-size 1
  python translate.py --plot attention.png "Where can I buy a ticket?"
"""


def make_parser():
    parser = command_line.Parser(description=DESCRIPTION)
    add = parser.add_argument
    add("sentences", nargs="*", metavar="SENTENCE", help="a sentence to translate")
    command_line.add_checkpoint_flag(add)
    text = "translate by TensorFlow Serving: http://HOST:8501/v1/models/NAME"
    add("--server", metavar="URL", help=text)
    text = "text file to translate, a sentence a line; .gz also"
    add("-i", "--input", metavar="FILE", help=text)
    text = "write the translations to this file, when all are there (default: standard output)"
    add("-o", "--output", metavar="FILE", help=text)
    add_search_flags(parser.add_argument_group("search and output").add_argument)
    add_picture_flags(parser.add_argument_group("picture").add_argument)
    return parser


def add_search_flags(add):
    command_line.add_search_flags(add, RERANKED)
    text = "translations of each line, each after the line's number and a tab (default 1)"
    add("--n-best", type=int, default=1, metavar="N", help=text)
    text = (
        "a score and a tab before each translation: its log probability, divided by the length "
        "penalty; the sum of it for a line of several sentences"
    )
    add("--scores", action="store_true", help=text)
    command_line.add_rerank_flag(add)
    text = "take each line for one sentence (default: split it into sentences)"
    add("--no-split", action="store_true", help=text)
    text = "no warnings about translations that may be wrong"
    add("-q", "--quiet", action="store_true", help=text)
    command_line.add_batch_flag(add)
    text = "lines read before they are translated together; 1 answers at once (default 1024)"
    add("--buffer-size", type=int, default=1024, metavar="N", help=text)
    text = "compile the search for a line alone, by XLA: for --buffer-size 1, with many lines"
    add("--xla", action="store_true", help=text)


def add_picture_flags(add):
    add("--plot", metavar="FILE.png", help="draw the attention of one sentence; .pdf and .svg also")
    text = "which attention is drawn (default cross: from target to source)"
    add("--attention", choices=("encoder", "decoder", "cross"), help=text)
    text = "which layer is drawn, from 1 (default: the last)"
    add("--layer", type=int, metavar="N", help=text)


def check(arguments):
    """Raises a `UserError` where arguments do not go together."""
    command_line.search_settings(arguments)
    command_line.check_at_least_one(arguments, "batch_size", "buffer_size")
    if arguments.server:
        check_server(arguments)
    if arguments.sentences and arguments.input:
        raise UserError("give sentences or --input, not both")
    check_picture(arguments)


def check_server(arguments):
    """Raises a `UserError` where a flag is not for a server."""
    if arguments.checkpoint:
        raise UserError("give --server or --checkpoint, not both")
    if arguments.xla:
        raise UserError("--xla is not for --server: give it to export.py")
    if command_line.search_settings(arguments) != RERANKED:
        raise UserError("the search of a server is fixed at export, by flags of export.py")


def check_picture(arguments):
    """Raises a `UserError` where a picture is not asked for rightly, or could not be written."""
    for name in ("attention", "layer"):
        if getattr(arguments, name) is not None and not arguments.plot:
            raise UserError(f"--{name} is for --plot")
    if arguments.layer is not None:
        command_line.check_at_least_one(arguments, "layer")
    if arguments.plot:
        if len(arguments.sentences) != 1:
            raise UserError("--plot draws one sentence: give it as the argument")
        from keras_transformer.translation import plotting

        plotting.check_file(arguments.plot)


class Opened(NamedTuple):
    """A `translator` of `languages`, the arguments of its `search`, and where it is from.

    `network` is the translator before reranking, whose attention is drawn. `assessor` tells how
    confident it is, and `copier` repairs names and numbers; None where the run does not know.
    """

    translator: object
    network: object
    search: dict
    languages: tuple
    place: str
    assessor: object = None
    copier: object = None


def open_translator(arguments):
    """Return the translator that the user chose, as `Opened`."""
    return open_served(arguments) if arguments.server else open_run(arguments)


def open_served(arguments):
    """Return the translator of a server; TensorFlow is not needed, so it is not waited for."""
    from keras_transformer.client import ServedTranslator

    served = ServedTranslator(arguments.server)
    # A server does not tell its languages: sentences are split as those of English.
    return Opened(served, served, {}, ("en", ""), arguments.server)


def open_run(arguments):
    """Return the translator of a run directory."""
    with quiet_stderr():
        from keras_transformer.runs.run import Run, chosen_run
        from keras_transformer.translation.compiled import BatchSearch, XlaSearch
        from keras_transformer.translation.confidence import Assessor
        from keras_transformer.translation.copying import Copier
        from keras_transformer.translation.parallel import one_thread_per_operation
        from keras_transformer.translation.reranking import Reranker, reranked
        from keras_transformer.translation.translator import Translator

    one_thread_per_operation()
    directory = chosen_run(arguments.checkpoint)
    network = Translator.load(directory, XlaSearch if arguments.xla else BatchSearch)
    search = {"search": command_line.search_settings(arguments)}
    run = Run.open(directory)
    is_reranked = arguments.strategy == "beam" and not arguments.no_rerank
    reranker = Reranker.of(run) if is_reranked else None
    lexicon = reranker.lexicon if reranker else None
    assessor = None if arguments.quiet else Assessor.of(network, run, lexicon)
    languages = run.config.text.source_lang, run.config.text.target_lang
    opened = reranked(network, reranker), network, search, languages, str(directory)
    return Opened(*opened, assessor, Copier.of(run))


def line_translator(opened, arguments):
    """Return the `LineTranslator` that the user chose; a picture shows what the network wrote."""
    split, copier = not arguments.no_split, None if arguments.plot else opened.copier
    return LineTranslator(opened.translator, *opened.languages, split, copier)


def translate(opened, arguments, output):
    """Translates what the user gives, and writes the translations to `output`."""
    source = arguments.sentences, arguments.input, opened.languages[0], opened.place
    lines, at_once = console.source_lines(*source)
    buffer_size = 1 if at_once else arguments.buffer_size
    search = {"batch_size": arguments.batch_size, **opened.search}
    translator = line_translator(opened, arguments)
    doubts = Doubts(opened.assessor)
    for line in console.translate_lines(
        translator, lines, doubts, buffer_size=buffer_size, scores=arguments.scores, **search
    ):
        print(line, file=output, flush=buffer_size == 1)


def translate_for_picture(opened, arguments, output):
    """Return the best `Translation` of the one sentence; writes translations as `translate`."""
    from keras_transformer.translation import plotting

    plotting.check_layer(arguments.layer, opened.network.num_layers(arguments.attention or "cross"))
    lines = line_translator(opened, arguments)
    [line] = lines.translate(arguments.sentences, **opened.search)
    if len(line.sentences) > 1:
        raise UserError(
            f"--plot draws one sentence, not {len(line.sentences)}: "
            "give them one at a time, or --no-split"
        )
    Doubts(opened.assessor, each=True).examine([line])
    [found] = line.found
    for line in console.output_lines(1, found, arguments.n_best, arguments.scores):
        print(line, file=output, flush=True)
    return found[0]


def plot(opened, arguments, translation):
    """Draws the attention between the one sentence and its `Translation`."""
    from keras_transformer.translation import plotting

    picture = arguments.attention or "cross", arguments.layer
    figure = plotting.plot_translation(opened.network, *arguments.sentences, translation, *picture)
    plotting.save(figure, arguments.plot)
    print(f"{arguments.plot} is written", file=sys.stderr)


def main():
    arguments = make_parser().parse_args()
    check(arguments)
    with console.open_output(arguments.output) as output:
        opened = open_translator(arguments)
        if not arguments.plot:
            translate(opened, arguments, output)
            return 0
        translation = translate_for_picture(opened, arguments, output)
    plot(opened, arguments, translation)  # the translation is kept, come what may
    return 0


if __name__ == "__main__":
    command_line.run(main)

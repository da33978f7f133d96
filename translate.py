"""Translates with a trained run."""

import sys

from keras_transformer import command_line
from keras_transformer.errors import UserError

DESCRIPTION = """\
Translates sentences given as arguments, in a file, or on standard input: one line in, one line out.

  python translate.py "When does your sister get up?"
  python translate.py --input source.txt --beam-size 1 > target.txt
  python translate.py --plot attention.png "When does your sister get up?"
"""


def make_parser():
    parser = command_line.Parser(description=DESCRIPTION)
    add = parser.add_argument
    add("sentences", nargs="*", metavar="SENTENCE", help="a sentence to translate")
    add("--checkpoint", metavar="DIR", help="run directory (default: the newest in checkpoints/)")
    text = "translate by TensorFlow Serving: http://HOST:8501/v1/models/NAME"
    add("--server", metavar="URL", help=text)
    add("--input", metavar="FILE", help="text file to translate, a sentence a line; .gz also")
    add_search_flags(parser.add_argument_group("search and output").add_argument)
    add_picture_flags(parser.add_argument_group("picture").add_argument)
    return parser


def add_search_flags(add):
    command_line.add_search_flags(add)
    text = "translations of each line, each after the line's number and a tab (default 1)"
    add("--n-best", type=int, default=1, metavar="N", help=text)
    text = "a score and a tab before each translation: its log probability, length-penalized"
    add("--scores", action="store_true", help=text)
    command_line.add_batch_flag(add)
    text = "lines read before they are translated together; 1 answers at once (default 1024)"
    add("--buffer-size", type=int, default=1024, metavar="N", help=text)
    text = "compile the search for a line alone, by XLA: for --buffer-size 1, with many lines"
    add("--xla", action="store_true", help=text)


def add_picture_flags(add):
    add("--plot", metavar="FILE.png", help="draw the attention of one sentence")
    text = "which attention is drawn (default cross: from target to source)"
    add("--attention", choices=("encoder", "decoder", "cross"), default="cross", help=text)
    text = "which layer is drawn, from 1 (default: the last)"
    add("--layer", type=int, metavar="N", help=text)


def check(arguments):
    """Raises a `UserError` where arguments do not go together."""
    command_line.check_search(arguments)
    command_line.check_at_least_one(arguments, "n_best", "batch_size", "buffer_size")
    if arguments.n_best > arguments.beam_size:
        raise UserError("--n-best must not be greater than --beam-size")
    if arguments.server:
        check_server(arguments)
    if arguments.sentences and arguments.input:
        raise UserError("give sentences or --input, not both")
    if arguments.layer is not None and not arguments.plot:
        raise UserError("--layer is for --plot")
    if arguments.plot and len(arguments.sentences) != 1:
        raise UserError("--plot draws one sentence: give it as the argument")


def check_server(arguments):
    """Raises a `UserError` where a flag is not for a server."""
    if arguments.checkpoint:
        raise UserError("give --server or --checkpoint, not both")
    if arguments.xla:
        raise UserError("--xla is not for --server: give it to export.py")
    search = arguments.beam_size, arguments.length_penalty, arguments.n_best
    if search != (command_line.BEAM_SIZE, command_line.LENGTH_PENALTY, 1):
        raise UserError("the search of a server is fixed at export, by flags of export.py")


def open_translator(arguments):
    """The translator, the arguments of its search, and the language for the prompt."""
    if arguments.server:  # TensorFlow is not needed, so it is not waited for
        from keras_transformer.serving.client import ServedTranslator

        return ServedTranslator(arguments.server), {}, "source"
    with command_line.quiet_start():
        from keras_transformer.checkpoints import newest_run
        from keras_transformer.translation.parallel import one_thread_an_operation
        from keras_transformer.translation.translator import Translator
        from keras_transformer.translation.xla_translator import XlaTranslator

    one_thread_an_operation()
    kind = XlaTranslator if arguments.xla else Translator
    translator = kind.load(arguments.checkpoint or newest_run())
    search = {"beam_size": arguments.beam_size, "alpha": arguments.length_penalty}
    return translator, search, translator.source_subwords.bpemb.lang


def main():
    arguments = make_parser().parse_args()
    check(arguments)
    translator, search, lang = open_translator(arguments)
    from keras_transformer.translation import console

    form = {"n_best": arguments.n_best, "scores": arguments.scores}
    lines, at_once = console.source_lines(arguments.sentences, arguments.input, lang)
    buffer_size = 1 if at_once else arguments.buffer_size
    if arguments.plot:
        from keras_transformer.translation.plotting import plot_translation

        [translations] = translator.translate(lines, n_best=arguments.n_best, **search)
        picture = arguments.plot, arguments.attention, arguments.layer
        plot_translation(translator, *lines, translations[0], *picture)
        output = console.output_lines(1, translations, **form)
    else:
        output = console.translate_lines(
            translator, lines, buffer_size, batch_size=arguments.batch_size, **form, **search
        )
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    for line in output:
        print(line, flush=buffer_size == 1)
    return 0


if __name__ == "__main__":
    command_line.run(main)

"""Draw the masks of a small batch, and the attention weights that result from them."""

from collections.abc import Sequence

from keras_transformer.commands import command_line
from keras_transformer.commands.drawing import flags
from keras_transformer.errors import UserError
from keras_transformer.quiet import quiet_stderr

DESCRIPTION = """\
Draws the padding mask, the look-ahead mask and the combined mask of a small batch, and the
attention weights that result from them. A position is hidden where a mask is 1.

Without --checkpoint, no run is needed: words are split at spaces, and all visible positions have
the same weight. With --checkpoint, the sentences are translated, and the weights are those with
which the decoder of the run reads the translations.

  %(prog)s "The dog sees the cat." "Good morning!" --output masks.png
"""


def make_parser() -> command_line.Parser:
    """Return the parser of the kind."""
    parser = command_line.make_parser("draw masks", DESCRIPTION)
    add = parser.add_argument
    text = "a sentence of the batch; give several of different lengths to see padding"
    add("sentences", metavar="SENTENCE", nargs="+", help=text)
    flags.add_output_flag(add)
    text = "run directory (default: none, so that words are drawn)"
    add("--checkpoint", metavar="DIR", help=text)
    text = "with --checkpoint: decoder layer, counted from 1 (default: the last)"
    add("--layer", type=int, metavar="N", help=text)
    text = "with --checkpoint: attention head, counted from 1 (default: the mean of all heads)"
    add("--head", type=int, metavar="N", help=text)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    flags.check_picture(chosen.output)
    if chosen.checkpoint is None and (chosen.layer is not None or chosen.head is not None):
        raise UserError("--layer and --head need --checkpoint: words have no network")
    with quiet_stderr():
        from keras_transformer.inspection import masks
        from keras_transformer.text.reading import as_read
        from keras_transformer.translation.translator import Translator
    if chosen.checkpoint is None:
        figure = masks.plot_word_masks(chosen.sentences)
    else:
        masks.check_sentences(chosen.sentences)
        translator = Translator.load(chosen.checkpoint)
        sentences = [as_read(each, translator.source_subwords.lang) for each in chosen.sentences]
        figure = masks.plot_translation_masks(translator, sentences, chosen.layer, chosen.head)
    flags.write(figure, chosen)
    return 0

"""Show how the characters of a text are merged to subwords."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from keras_transformer.commands import command_line, console, run_flag
from keras_transformer.commands.drawing import flags
from keras_transformer.errors import UserError
from keras_transformer.quiet import quiet_stderr

if TYPE_CHECKING:
    from keras_transformer.inspection.merges import Word

DESCRIPTION = """\
Shows byte-pair encoding merge by merge, from the characters of a text to the subwords of a run.

  %(prog)s "unbelievable words" --output subwords.png

Each line is a merge with its rank. Brackets mark the two symbols that are merged. The space before
a word is a symbol, too, and is shown as ␣.
"""


def make_parser() -> command_line.Parser:
    """Return the parser of the kind."""
    parser = command_line.make_parser("draw subwords", DESCRIPTION)
    add = parser.add_argument
    add("text", metavar="TEXT", help="the text to split")
    run_flag.add_checkpoint_flag(add)
    flags.add_side_flag(add, "the language whose subwords to use")
    text = "also draw the merges as trees, to this file; its extension selects the format"
    add("-o", "--output", metavar="FILE", help=text)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    flags.check_picture(chosen.output)
    with quiet_stderr():
        from keras_transformer.inspection import merges
        from keras_transformer.runs.run import Run

    merges.check_length(chosen.text)
    run = Run.open(run_flag.chosen_run(chosen.checkpoint))
    source, target = run.subwords()
    encoding = merges.BytePairEncoding(source if chosen.side == "source" else target)
    words = encoding.words(chosen.text)
    if not words:
        raise UserError("the text contains nothing but white space")
    with console.open_output() as output:
        print("\n\n".join("\n".join(lines(word)) for word in words), file=output)
    if chosen.output:
        flags.write(merges.plot_merges(words, chosen.text), chosen)
    return 0


def lines(word: "Word") -> Iterator[str]:
    """Yield the lines that describe a word: its characters, each merge, the subwords, their ids."""
    from keras_transformer.inspection.merges import label

    ranks = [f"merge {merge.rank}" for merge in word.merges]
    width = max(map(len, ["characters", *ranks]))
    states = [[label(span.text) for span in state] for state in word.states()]
    yield f"{'characters':{width}}  {' '.join(states[0])}"
    for rank, merge, state, spans in zip(ranks, word.merges, states, word.states(), strict=False):
        place = spans.index(merge.left)
        left, right = state[place : place + 2]
        marked = [*state[:place], f"[{left} {right}]", *state[place + 2 :]]
        yield f"{rank:>{width}}  {' '.join(marked)}"
    yield f"{'subwords':{width}}  {' '.join(label(span.text) for span in word.subwords)}"
    yield f"{'ids':{width}}  {' '.join(map(str, word.ids))}"

"""Draw a map of a run's embeddings, and find words with similar embeddings."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from keras_transformer.commands import checks, command_line, console, run_flag
from keras_transformer.commands.advice import advice
from keras_transformer.commands.drawing import flags
from keras_transformer.counting import counted
from keras_transformer.errors import UserError
from keras_transformer.quiet import quiet_stderr
from keras_transformer.text.columns import columns, padded

if TYPE_CHECKING:
    from keras_transformer.inspection.embeddings.vectors import Embeddings, Neighbor, Term

DESCRIPTION = """\
Draws a map of the most frequent subwords of a run. Subwords with similar embeddings are close.

  %(prog)s --output embeddings.png

Prints the subwords that are most similar to a word, or to a sum and difference of words:

  %(prog)s --neighbors Monday

  %(prog)s --analogy bought - buy + see

Similarity is the cosine of the angle between embeddings. Subwords that occur fewer than five times
in the training sentences are ignored. A hyphen precedes subwords that continue a word. In languages
without spaces between words, ␣ precedes subwords that follow a space.
"""
# Flags of the map, with their defaults.
DEFAULTS = {"method": "pca", "count": None, "seed": 0}
WANTED = ("output", "neighbors", "analogy", "projector")  # flags that say what to do
# {flag: the flags of which it needs one}
NEEDS = dict.fromkeys(DEFAULTS, ("output",)) | {"top": ("neighbors", "analogy")}


def make_parser() -> command_line.Parser:
    """Return the parser of the kind."""
    parser = command_line.make_parser("draw embeddings", DESCRIPTION)
    add = parser.add_argument
    run_flag.add_checkpoint_flag(add)
    flags.add_side_flag(add, "the language whose subwords to use")
    _add_map_flags(parser)
    group = parser.add_argument_group("similar words")
    add = group.add_mutually_exclusive_group().add_argument
    text = "print the subwords most similar to a word; --output marks them on the map"
    add("--neighbors", metavar="WORD", help=text)
    text = "the same for a sum of words, such as king - man + woman, in quotes or without"
    add("--analogy", nargs="+", metavar="WORD", help=text)
    text = "number of similar subwords (default 10, or all if there are fewer)"
    group.add_argument("--top", type=int, metavar="N", help=text)
    group = parser.add_argument_group("export")
    text = "write the embeddings to files that the Embedding Projector of TensorBoard loads"
    group.add_argument("--projector", metavar="DIR", help=text)
    return parser


def _add_map_flags(parser: command_line.Parser) -> None:
    """Add the flags of the map."""
    add = parser.add_argument_group("map").add_argument
    text = "file of the map; its extension selects the format: .png, .svg, .pdf or another"
    add("-o", "--output", metavar="FILE", help=text)
    text = (
        "number of subwords on the map, the most frequent ones (default 200, or all if there are "
        "fewer)"
    )
    add("--count", type=int, metavar="N", help=text)
    text = "projection to the plane: principal components (default), or t-SNE, by scikit-learn"
    add("--method", choices=("pca", "tsne"), help=text)
    add("--seed", type=int, metavar="N", help="seed of t-SNE (default 0)")


def check(arguments: argparse.Namespace) -> None:
    """Set defaults, and raise a `UserError` if flags are invalid or a file cannot be written."""
    check_needs(arguments)
    for name, default in DEFAULTS.items():
        if not is_given(arguments, name):
            setattr(arguments, name, default)
    given = [name for name in ("count", "top") if is_given(arguments, name)]
    checks.check_at_least_one(arguments, *given)
    checks.check_seed(arguments.seed)
    flags.check_picture(arguments.output)


def check_needs(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if there is nothing to do, or a flag needs another one."""
    if not any(is_given(arguments, name) for name in WANTED):
        *others, last = (f"--{name}" for name in WANTED)
        raise UserError(f"nothing to do: give {', '.join(others)} or {last}")
    for name, needed in NEEDS.items():
        if is_given(arguments, name) and not any(is_given(arguments, each) for each in needed):
            raise UserError(f"--{name} needs {' or '.join(f'--{each}' for each in needed)}")
    if is_given(arguments, "seed") and arguments.method != "tsne":
        raise UserError("--seed needs --method tsne")


def is_given(arguments: argparse.Namespace, name: str) -> bool:
    """Return whether the user gave a flag."""
    return getattr(arguments, name) is not None


def parse_sum(parts: Sequence[str]) -> list["Term"]:
    """Return the words of a sum, such as ["king", "-", "man", "+", "woman"].

    Args:
        parts: the words and signs, which may also be separated by spaces within a string.

    Raises:
        UserError: If words and signs do not alternate.
    """
    from keras_transformer.inspection.embeddings.vectors import Term

    words = " ".join(parts).split()
    signs = {"+": 1, "-": -1}
    are_signs = [word in signs for word in words]
    if are_signs != [bool(i % 2) for i in range(len(words))] or len(words) % 2 == 0:
        raise UserError(
            f"--analogy {' '.join(words)}: give words with + or - between them and spaces around "
            "these, such as king - man + woman"
        )
    return [Term(words[0]), *(Term(words[i + 1], signs[words[i]]) for i in range(1, len(words), 2))]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    check(chosen)
    with quiet_stderr():
        from keras_transformer.inspection.embeddings.maps import check_method
        from keras_transformer.inspection.embeddings.projector import (
            check_directory,
            export_projector,
        )
        from keras_transformer.inspection.embeddings.vectors import Embeddings, Term

    check_method(chosen.method)
    if chosen.projector is not None:
        check_directory(chosen.projector)
    terms = parse_sum(chosen.analogy) if chosen.analogy else []
    terms += [Term(chosen.neighbors)] if chosen.neighbors is not None else []
    embeddings = Embeddings.load(run_flag.chosen_run(chosen.checkpoint), chosen.side)
    rows = chosen_rows(embeddings, chosen.count) if chosen.output else []
    marked = show_nearest(embeddings, terms, chosen.top) if terms else []
    if chosen.projector is not None:
        export_projector(embeddings, chosen.projector, f"{chosen.side} embeddings")
        flags.report(chosen.projector)
    if chosen.output:
        draw(embeddings, rows, marked, chosen)
    return 0


def chosen_rows(embeddings: "Embeddings", count: int | None) -> list[int]:
    """Return the numbers of the subwords on the map."""
    from keras_transformer.inspection.embeddings.vectors import TooFewSubwords

    with advice({TooFewSubwords: "give a smaller --count"}):
        return embeddings.most_frequent(count)


def show_nearest(embeddings: "Embeddings", terms: Sequence["Term"], count: int | None) -> list[int]:
    """Print the subwords nearest to a sum of words; return the numbers of all subwords involved."""
    from keras_transformer.inspection.embeddings.vectors import TooFewSubwords

    with advice({TooFewSubwords: "give a smaller --top"}):
        nearest = embeddings.nearest(terms, count)
    rows = [embeddings.rows(term.word) for term in terms]
    for term, parts in zip(terms, rows, strict=True):
        if len(parts) > 1:
            names = " ".join(embeddings.labels[row] for row in parts)
            text = f"{term.word} is {len(parts)} subwords, {names}: their mean is used"
            print(text, file=sys.stderr)
    with console.open_output() as output:
        print(table(nearest), file=output)
    return [*(row for parts in rows for row in parts), *(each.row for each in nearest)]


def table(neighbors: Sequence["Neighbor"]) -> str:
    """Return neighbors as a table of words and cosines."""
    width = max(map(columns, ["word", *(each.label for each in neighbors)]))
    lines = [f"{padded(each.label, width)}  {each.cosine:6.3f}" for each in neighbors]
    return "\n".join([f"{padded('word', width)}  cosine", *lines])


def draw(
    embeddings: "Embeddings",
    rows: Sequence[int],
    marked: Sequence[int],
    arguments: argparse.Namespace,
) -> None:
    """Draw the map, and say how many subwords have no label."""
    from keras_transformer.inspection.embeddings.maps import plot_embeddings
    from keras_transformer.pictures.style import printable

    title = f"Embeddings of the {len(rows)} most frequent subwords of the {arguments.side}"
    words = arguments.neighbors or " ".join(arguments.analogy or ())
    text = [f"Bold: {printable(words)}, and the subwords most similar to it."] if words else []
    how = arguments.method, arguments.seed
    drawn = plot_embeddings(embeddings, rows, *how, title, text, marked)
    flags.write(drawn.figure, arguments)
    if drawn.unlabelled:
        count = len(drawn.unlabelled)
        print(f"no room for the labels of {counted(count, 'point')}", file=sys.stderr)

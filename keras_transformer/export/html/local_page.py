"""Export of a run as a single HTML file that translates in a browser."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from keras_transformer.errors import UserError
from keras_transformer.export.html.check import Agreement, check
from keras_transformer.export.html.content import Content, Options, Origin
from keras_transformer.export.html.new_file import check_is_free, new_file
from keras_transformer.files import naming
from keras_transformer.runs.network import number_of_weights
from keras_transformer.runs.run import Run
from keras_transformer.translation.translator import Translator

MAX_WEIGHTS = 20_000_000  # 27 MB as int8


class TooManyWeights(UserError):
    """A network with more weights than a page can contain."""


@dataclass(frozen=True)
class Report:
    """A description of an export.

    Args:
        path: the file.
        size: size in bytes.
        weights: number of weights.
        examples: the `Agreement` with the run for the examples of the page.
        random: the `Agreement` for sentences of random words.
        origin: the `Origin` of the examples in the page.
    """

    path: Path
    size: int
    weights: int
    examples: Agreement
    random: Agreement
    origin: Origin


def export_html(
    checkpoint: str | os.PathLike[str],
    output: str | os.PathLike[str],
    options: Options | None = None,
    tell: Callable[[str], object] = lambda text: None,
) -> Report:
    """Write an HTML file that translates without a server, and shows how.

    Args:
        checkpoint: run directory.
        output: the file, which must not exist.
        options: the `Options`, or None for their defaults.
        tell: function that is called with a line of text at the start of each stage.

    Returns:
        The `Report`.

    Raises:
        UserError: If the run does not exist, or the output cannot be written.
        TooManyWeights: If the network is too large for a page.
        PathTaken: If the output exists.
        CheckError: If a weight or logit is not finite, a weight is too large for float16, or the
            file does not contain the model. The file is deleted.
    """
    output = Path(output)
    check_is_free(output)
    run = Run.open(checkpoint)
    check_size(run)
    tell(f"loading {checkpoint}")
    translator = Translator.of(run, fold_normalizations=False)  # `check` changes weights
    options = options or Options()
    content = Content.of(run, translator, options)
    page = content.document().encode("utf-8")
    with new_file(output) as part:
        tell(f"writing {output} with weights as {options.weights}")
        with naming(output):
            part.write_bytes(page)
        tell("reading it back, and comparing translations by its weights with those of the run")
        examples, random = check(part, content, translator)
    weights = translator.model.count_params()
    return Report(output, len(page), weights, examples, random, content.origin)


def check_size(run: Run) -> None:
    """Raise a `TooManyWeights` if the network of a run is too large for a page."""
    source, target = run.subwords()
    weights = number_of_weights(run.config.model, source.size, target.size)
    if weights > MAX_WEIGHTS:
        raise TooManyWeights(
            f"{run.directory} has {weights:,} weights; a page can contain {MAX_WEIGHTS:,}"
        )

"""Export of a run directory as a SavedModel for TensorFlow Serving."""

import contextlib
import math
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import tensorflow as tf

from keras_transformer.errors import CheckError, UserError, reason
from keras_transformer.export import samples, server_files
from keras_transformer.export.check import ask
from keras_transformer.export.compiled_search import MAX_COMPILED
from keras_transformer.export.operations import check_operations
from keras_transformer.export.signatures import IdTranslator, SavedSearch, TextTranslator
from keras_transformer.export.versions import check_directory, new_version, next_number
from keras_transformer.export.weights import OneVariable, Variables
from keras_transformer.files import check_directory_path, naming
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.search.strategy import strategy_class
from keras_transformer.tensors import Nest
from keras_transformer.text.subwords import PADDING, Subwords
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator

TOLERANCE = 1e-3  # scores that differ by less are considered equal


@dataclass(frozen=True)
class Options:
    """Options of an export, which a server cannot change.

    Args:
        search: the `SearchSettings`, or None for those of the run.
        xla: whether XLA compiles the search for single sentences.
        ids_only: whether the inputs and outputs are subword ids instead of text.
        shortlist: whether the search considers only the target subwords of the run's `Shortlist`.
    """

    search: SearchSettings | None = None
    xla: bool = False
    ids_only: bool = False
    shortlist: bool = False


@dataclass(frozen=True)
class Report:
    """A description of an export.

    Args:
        directory: directory of the version.
        size: size in bytes.
        load_seconds: seconds that a new process took to load the SavedModel.
        compared: number of translations that were compared with those of the run.
        example: a source sentence.
        inputs: the inputs of a request for the translation of `example`.
    """

    directory: Path
    size: int
    load_seconds: float
    compared: int
    example: str
    inputs: dict[str, list]


def export_saved_model(
    checkpoint: str | os.PathLike[str],
    output: str | os.PathLike[str],
    options: Options | None = None,
    tell: Callable[[str], object] = lambda text: None,
) -> Report:
    """Write the next version of a model, and compare its translations with those of the run.

    Args:
        checkpoint: run directory.
        output: directory of the versions. Its name is the name of the model.
        options: the `Options`, or None for their defaults.
        tell: function that is called with a line of text at the start of each stage.

    Returns:
        The `Report`.

    Raises:
        UserError: If the run does not exist, `options` do not suit the network, or the output
            cannot be written.
        NoShortlist: If the run has no shortlist, and `options` demand one.
        PathTaken: If the output has another purpose.
        CheckError: If the newest TensorFlow Serving cannot run the export, the export cannot be
            loaded, or its translations differ from those of the run. The export is deleted.
    """
    check_output(output)
    name = model_name(output)
    run = Run.open(checkpoint)
    tell(f"loading {checkpoint}")
    options = options or Options()
    translator = Translator.of(run, shortlist=options.shortlist, fold_normalizations=False)
    _check_max_length(translator, _search(translator, options).max_length)
    module = _module(translator, options)
    warmup = samples.warmup_requests(translator, options.ids_only)
    example = samples.example(run, translator.source_subwords)
    inputs = samples.inputs(translator, [example], options.ids_only)
    with new_version(output, server_files.FILES) as version:
        tell(f"tracing the search and writing it to {output}")
        with _writing(output):
            tf.saved_model.save(module, str(version.path), signatures=module.signatures())
            server_files.write_warmup(version.path, name, warmup)
        check_operations(version.path)
        compiling = ", where XLA compiles it first" if options.xla else ""
        tell(f"checking its translations in a new process{compiling}")
        load_seconds, compared = compare(version.path, translator, options)
        number = next_number(output)
        server_files.write_configuration(output, name, number, inputs, options.xla)
    return Report(version.path, _size(version.path), load_seconds, compared, example, inputs)


@contextlib.contextmanager
def _writing(output: str | os.PathLike[str]) -> Iterator[None]:
    """Convert errors of TensorFlow and the system to a `UserError` that names the output."""
    try:
        with naming(output):
            yield
    except tf.errors.OpError as error:
        raise UserError(f"{output}: cannot be written: {reason(error)}") from error


def _size(directory: Path) -> int:
    """Return the size in bytes of all files below a directory."""
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())


def check_output(output: str | os.PathLike[str]) -> None:
    """Check that a directory can contain the versions of a model.

    Raises:
        UserError: If the name of the directory cannot be part of a URL, or TensorFlow cannot read
            files at its path.
        PathTaken: If the directory has another purpose.
    """
    model_name(output)
    check_directory_path(output)
    check_directory(output, server_files.FILES)


def model_name(output: str | os.PathLike[str]) -> str:
    """Return the name of the model whose versions are in a directory.

    Raises:
        UserError: If the name of the directory cannot be part of a URL.
    """
    name = os.path.basename(os.path.abspath(output))
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_.-]*", name):
        raise UserError(
            f"{output}: the name of this directory cannot be the name of a model, which is a "
            "letter, followed by letters, digits, dots, dashes and underscores, such as en-de"
        )
    return name


def _check_max_length(translator: Translator, max_length: int | None) -> None:
    """Raise a `UserError` if the network cannot generate `max_length` subwords."""
    longest = translator.max_target_length - 1
    if max_length is not None and max_length > longest:
        raise UserError(
            f"max_length is {max_length}; the network generates at most {longest} subwords"
        )


def _search(translator: Translator, options: Options) -> SearchSettings:
    """Return the settings of the export's search."""
    return options.search or translator.search


def _module(translator: Translator, options: Options) -> IdTranslator:
    """Return the module to save."""
    weights = OneVariable(translator) if options.xla else Variables(translator)
    settings = _search(translator, options)
    search = SavedSearch(translator, weights, settings, options.xla)
    if options.ids_only:
        return IdTranslator(translator, search)
    # Imported here because an export without text does not need tensorflow-text.
    from keras_transformer.export.graph_subwords import GraphSubwords

    greedy = settings.greedy()
    is_greedy = strategy_class(settings) is strategy_class(greedy)
    return TextTranslator(
        translator,
        search,
        search if is_greedy else SavedSearch(translator, weights, greedy, options.xla),
        GraphSubwords(translator.source_subwords, translator.max_source_length),
        GraphSubwords(translator.target_subwords, translator.max_target_length),
    )


def compare(
    directory: str | os.PathLike[str], translator: Translator, options: Options
) -> tuple[float, int]:
    """Compare the translations of an export with those of the translator it was made from.

    Translations by a search that is not deterministic cannot be compared. They only have to exist
    and to have finite scores.

    Args:
        directory: the SavedModel.
        translator: the `Translator`.
        options: the `Options` of the export.

    Returns:
        The time that loading took, in seconds, and the number of translations compared.

    Raises:
        CheckError: If the export cannot be loaded, or a translation differs or is missing.
    """
    questions = [
        (signature, search, texts)
        for signature, search in _searches(translator, options).items()
        for texts in samples.batches_to_check(translator)
    ]
    load_seconds, answers = _ask(
        directory,
        [
            (signature, samples.inputs(translator, texts, options.ids_only))
            for signature, _, texts in questions
        ],
    )
    compared = 0
    for (_, search, texts), answer in zip(questions, answers, strict=True):
        found = _translations(answer, texts, translator.target_subwords)
        if strategy_class(search).deterministic:
            wanted = _wanted(translator, texts, search, options)
            _compare_batch(texts, found, wanted)
            compared += len(wanted)
    return load_seconds, compared


def _wanted(
    translator: Translator, texts: list[str], search: SearchSettings, options: Options
) -> list[Translation]:
    """Return the best translations of texts by a run, grouped as the export groups them.

    An export for XLA searches each sentence of a small batch with a shortlist of its own.
    """
    is_alone = options.xla and len(texts) <= MAX_COMPILED
    batch_size = 1 if is_alone else len(texts)
    no_lines = [None] * len(texts)
    found = translator.translate(texts, search, batch_size=batch_size, numbers=no_lines)
    return [best for best, *_ in found]


def _searches(translator: Translator, options: Options) -> dict[str, SearchSettings]:
    """Return the settings of each search, by the name of a signature that uses it."""
    settings = _search(translator, options)
    searches = {"serving_default": settings}
    return searches if options.ids_only else searches | {"greedy": settings.greedy()}


def _ask(
    directory: str | os.PathLike[str], requests: list[tuple[str, Nest]]
) -> tuple[float, list[Nest]]:
    """Return the time that loading an export took, in seconds, and the answers to requests.

    Raises:
        CheckError: If the export cannot be loaded or called.
    """
    try:
        result = ask(directory, requests)
    except RuntimeError as error:
        raise CheckError(f"the export cannot be loaded or called: {reason(error)}") from error
    return result["load_seconds"], result["answers"]


def _translations(answer: Nest, texts: list[str], subwords: Subwords) -> list[Translation]:
    """Return the translations of texts in the outputs of a signature.

    Raises:
        CheckError: If a translation is missing, or a score is not finite.
    """
    if "target_ids" in answer:
        found = [subwords.decode([i for i in ids if i != PADDING]) for ids in answer["target_ids"]]
    else:
        found = answer["translation"]
    if not len(found) == len(answer["score"]) == len(texts):
        raise CheckError(f"the export returned {len(found)} translations of {len(texts)} sentences")
    for text, score in zip(texts, answer["score"], strict=True):
        if not math.isfinite(score):
            raise CheckError(f"the export returned the score {score} for {text!r}")
    return [Translation(text, score) for text, score in zip(found, answer["score"], strict=True)]


def _compare_batch(texts: list[str], found: list[Translation], wanted: list[Translation]) -> None:
    """Raise a `CheckError` if the scores of the translations found and wanted differ.

    Only scores are compared, because rounding may swap two translations with equal scores.
    """
    for text, got, best in zip(texts, found, wanted, strict=True):
        if not abs(got.score - best.score) < TOLERANCE:
            raise CheckError(
                f"the export differs from its run: it translates {text!r} as {got.text!r} "
                f"({got.score:.4f}), the run as {best.text!r} ({best.score:.4f})"
            )

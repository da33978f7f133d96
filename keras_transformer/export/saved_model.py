"""From a run directory to a directory that TensorFlow Serving loads."""

import re
from dataclasses import dataclass
from pathlib import Path

import tensorflow as tf

from keras_transformer.errors import CheckError, UserError
from keras_transformer.export import samples, server_files
from keras_transformer.export.check import ask
from keras_transformer.export.signatures import (
    IdTranslator,
    SavedSearch,
    TextTranslator,
)
from keras_transformer.export.versions import new_version
from keras_transformer.export.weights import OneVariable, Variables
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.search.strategy import strategy_class
from keras_transformer.text.subwords import PADDING
from keras_transformer.translation.translator import Translator

TIE = 1e-3  # scores that differ by less are the same, but for rounding


@dataclass(frozen=True)
class Options:
    """What is fixed at export.

    `search`: the `SearchSettings`; `xla`: whether XLA compiles the search for single sentences;
    `ids_only`: no text in the graph.
    """

    search: SearchSettings = SearchSettings()
    xla: bool = False
    ids_only: bool = False


@dataclass(frozen=True)
class Report:
    """An export.

    `directory` of the version; its `size` in bytes; `load_seconds` in a new process; the number of
    translations that were `compared`; an `example` sentence, and the `inputs` of a request for its
    translation.
    """

    directory: Path
    size: int
    load_seconds: float
    compared: int
    example: str
    inputs: dict


def export(checkpoint, output, options, tell=lambda text: None):
    """Writes the next version of a model, once it is proved to translate as its run does.

    Args:
        checkpoint: run directory.
        output: directory of the versions; its name is the name of the model.
        options: `Options`.
        tell: function of a line of text, which is called before each part of the work.

    Returns:
        A `Report`.

    Raises:
        UserError: there is no such run, or the output cannot be written.
        CheckError: the export cannot be loaded, or differs; nothing is left of it.
    """
    name = model_name(output)
    run = Run.open(checkpoint)
    tell(f"loading {checkpoint}")
    translator = Translator.load(checkpoint)
    _check_max_length(translator, options.search.max_length)
    module = _module(translator, options)
    warmup = samples.warmup_requests(translator, options.ids_only)
    try:
        with new_version(output) as version:
            tell(f"tracing the search, and writing it to {output}")
            tf.saved_model.save(module, str(version.path), signatures=module.signatures())
            server_files.write_warmup(version.path, name, warmup)
            compiling = ", where XLA compiles it first" if options.xla else ""
            tell(f"checking its translations in a new process{compiling}")
            load_seconds, compared = compare(version.path, translator, options)
            server_files.write_configuration(output, name)
    except (tf.errors.OpError, OSError) as error:
        raise UserError(f"{output}: cannot be written: {error}") from error
    size = sum(path.stat().st_size for path in version.path.rglob("*") if path.is_file())
    example = samples.example(run, translator.source_subwords)
    inputs = samples.inputs(translator, [example], options.ids_only)
    return Report(version.path, size, load_seconds, compared, example, inputs)


def model_name(output):
    """The name of the model whose versions are in a directory.

    Raises:
        UserError: the directory's name cannot be used in an address.
    """
    name = Path(output).resolve().name
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_.-]*", name):
        raise UserError(
            f"{output}: give --output a directory whose name can be the name of a model: a letter, "
            "then letters, digits, dots, dashes and underscores, such as serving/en-de"
        )
    return name


def _check_max_length(translator, max_length):
    """Raise a `UserError` where translations cannot be limited to `max_length` subwords."""
    longest = translator.max_target_length - 1
    if max_length is not None and max_length > longest:
        raise UserError(
            f"the network writes at most {longest} subwords, so max_length cannot be {max_length}"
        )


def _module(translator, options):
    """Return the module that is saved."""
    weights = OneVariable(translator) if options.xla else Variables(translator)
    search = SavedSearch(translator, weights, options.search, options.xla)
    if options.ids_only:
        return IdTranslator(translator, search)
    # Imported here because an export without text does not need tensorflow-text.
    from keras_transformer.export.graph_subwords import GraphSubwords

    return TextTranslator(
        translator,
        search,
        SavedSearch(translator, weights, options.search.greedy(), options.xla),
        GraphSubwords(translator.source_subwords, translator.max_source_length),
        GraphSubwords(translator.target_subwords, translator.max_target_length),
    )


def compare(directory, translator, options):
    """Compares an export with the translator that it was made from.

    Returns:
        The seconds that loading took, and the number of translations.

    Raises:
        CheckError: the export cannot be loaded, or a translation differs.
    """
    batches = samples.batches_to_check(translator, options.ids_only)
    searches = {}
    if strategy_class(options.search).deterministic:
        searches["serving_default"] = options.search
    if not options.ids_only:
        searches["greedy"] = options.search.greedy()
    questions, wanted = [], []
    for signature, search in searches.items():
        for texts in batches:
            questions.append([signature, samples.inputs(translator, texts, options.ids_only)])
            found = translator.translate(texts, search)
            wanted.append([(text, best) for text, [best, *_] in zip(texts, found, strict=True)])
    try:
        told = ask(directory, questions)
    except RuntimeError as error:
        raise CheckError(f"the export cannot be loaded or asked: {error}") from error
    for translations, answer in zip(wanted, told["answers"], strict=True):
        _compare_batch(translations, answer, translator.target_subwords)
    return told["load_seconds"], sum(map(len, wanted))


def _compare_batch(translations, answer, subwords):
    """Compares [(text, `Translation`)] with the outputs of a signature."""
    if "target_ids" in answer:
        found = [subwords.decode([i for i in ids if i != PADDING]) for ids in answer["target_ids"]]
    else:
        found = answer["translation"]
    if not len(found) == len(answer["score"]) == len(translations):
        raise CheckError(f"{len(translations)} sentences have {len(found)} translations")
    for (text, wanted), got, score in zip(translations, found, answer["score"], strict=True):
        # Where the scores are the same and the texts are not, rounding decided.
        if not abs(score - wanted.score) < TIE:
            raise CheckError(
                f"the export differs from its run: {text!r} is {got!r} ({score:.4f}), "
                f"and not {wanted.text!r} ({wanted.score:.4f})"
            )

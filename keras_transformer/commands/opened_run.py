"""The translator of a run, with the search and the reranking that the user chose."""

import argparse
import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from keras_transformer.commands import command_line, run_flag, search_flags
from keras_transformer.search.settings import RERANKED, SearchSettings

if TYPE_CHECKING:
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.batch_search import BatchSearch
    from keras_transformer.translation.reranking import Reranker
    from keras_transformer.translation.translator import Translator


class OpenedRun(NamedTuple):
    """The translator of a run, and how the user wants it to translate."""

    translator: "Translator"
    reranker: "Reranker | None"
    search: SearchSettings
    temperature: float | None


def opened_once(checkpoint: str | None) -> Callable[[], "Run"]:
    """Return a function that opens a run at its first call, and returns it at every call.

    A command may need no run. Then none is opened, and the name of the default run is not printed.

    Args:
        checkpoint: the run directory that the user chose; None for the newest run.
    """
    from keras_transformer.runs.run import Run

    return functools.cache(lambda: Run.open(run_flag.chosen_run(checkpoint)))


def how_to_calibrate(run: "Run") -> str:
    """Return how a run without a temperature gets one, which is computed last in a training."""
    from keras_transformer.runs.config_file import is_average

    if is_average(run.directory):
        return "finish the training of the averaged run, then average again"
    train = command_line.program("train", "--checkpoint", run.directory)
    return f"to finish its training, run {train}"


def warn_if_unfinished(run: "Run") -> None:
    """Warn about a run, or an average of one, whose training is not finished."""
    from keras_transformer.translation.confidence_model import saved_temperature

    if saved_temperature(run) is None:
        problem = "its translations may be poor, and their probabilities are not calibrated"
        message = f"{run.directory} is not completely trained: {problem}"
        print(f"warning: {message}; {how_to_calibrate(run)}", file=sys.stderr)


def open_run(run: "Run", arguments: argparse.Namespace) -> OpenedRun:
    """Open the translator of a run."""
    from keras_transformer.translation.batch_search import BatchSearch
    from keras_transformer.translation.confidence_model import saved_temperature

    translator = chosen_translator(run, arguments, BatchSearch)
    reranker, search = chosen_search(run, translator, arguments)
    return OpenedRun(translator, reranker, search, saved_temperature(run))


def chosen_translator(
    run: "Run", arguments: argparse.Namespace, batch_search: "Callable[..., BatchSearch]"
) -> "Translator":
    """Load the translator of a run, with the shortlist or the neighbors that the user wants."""
    from keras_transformer.translation.translator import Translator

    chosen = {"shortlist": arguments.shortlist, "neighbors": arguments.neighbors}
    directory = run.directory
    with search_flags.advice_on_shortlist(directory), search_flags.advice_on_neighbors(directory):
        return Translator.of(run, batch_search, **chosen)


def chosen_search(
    run: "Run", translator: "Translator", arguments: argparse.Namespace
) -> tuple["Reranker | None", SearchSettings]:
    """Return the reranker of a run, if the user wants one, and the settings of the search.

    The default of the length penalty is that of the run, or none with reranking.
    """
    from keras_transformer.translation.decoding import default_decoding
    from keras_transformer.translation.reranking import Reranker

    search = search_flags.search_settings(arguments, RERANKED)
    is_reranked = search_flags.is_reranked(arguments, search)
    reranker = Reranker.of(run, translator) if is_reranked else None
    defaults = RERANKED if reranker else default_decoding(run).search(RERANKED)
    return reranker, search_flags.search_settings(arguments, defaults)


def exported_search(checkpoint: str | Path, arguments: argparse.Namespace) -> SearchSettings:
    """Return the settings of the search of an export, which does not rerank.

    The default of the length penalty is that of the run.
    """
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.decoding import default_decoding

    return search_flags.search_settings(arguments, default_decoding(Run.open(checkpoint)).search())

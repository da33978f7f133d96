"""The translator of a run, with the search and the reranking that the user chose."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from keras_transformer.commands import search_flags
from keras_transformer.search.settings import RERANKED, SearchSettings

if TYPE_CHECKING:
    from keras_transformer.translation.reranking import Reranker
    from keras_transformer.translation.translator import Translator


class OpenedRun(NamedTuple):
    """The translator of a run, and how the user wants it to translate."""

    translator: "Translator"
    reranker: "Reranker | None"
    search: SearchSettings
    temperature: float | None


def open_run(checkpoint: str | Path, arguments: argparse.Namespace) -> OpenedRun:
    """Open the translator of a run directory."""
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.confidence import saved_temperature
    from keras_transformer.translation.reranking import Reranker
    from keras_transformer.translation.translator import Translator

    search = search_flags.search_settings(arguments, RERANKED)
    run = Run.open(checkpoint)
    reranker = Reranker.of(run) if search_flags.is_reranked(arguments, search) else None
    return OpenedRun(Translator.load(checkpoint), reranker, search, saved_temperature(run))

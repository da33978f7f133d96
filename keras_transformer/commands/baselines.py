"""The comparison of translations with those of another run or file, for `evaluate --baseline`."""

import argparse
from pathlib import Path
from typing import Any

from keras_transformer.commands.opened_run import open_run


def has_baseline_run(arguments: argparse.Namespace) -> bool:
    """Return whether the baseline that the user chose is a run, which translates the test set."""
    return arguments.baseline is not None and Path(arguments.baseline).is_dir()


def translations_of_baseline(
    pairs: list[tuple[str, str]], arguments: argparse.Namespace
) -> list[str] | None:
    """Return the translations of the baseline that the user chose, or None."""
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.evaluation import read_translations
    from keras_transformer.translation.reranking import reranked
    from keras_transformer.translation.significance import check_seed

    path = arguments.baseline
    if path is None:
        return None
    check_seed()
    if not has_baseline_run(arguments):
        return read_translations(path, len(pairs))
    translator, reranker, search, _ = open_run(Run.open(path), arguments)
    sources = [source for source, _ in pairs]
    found = reranked(translator, reranker).translate(
        sources, search=search, batch_size=arguments.batch_size
    )
    return [best.text for best, *_ in found]


def comparison(
    translations: list[str],
    baseline: list[str] | None,
    pairs: list[tuple[str, str]],
    scoring: dict[str, Any],
    arguments: argparse.Namespace,
) -> dict[str, Any]:
    """Return the part of a report that compares translations with the baseline, if there is one."""
    if baseline is None:
        return {}
    from keras_transformer.translation.significance import compare

    references = [reference for _, reference in pairs]
    found = compare(translations, baseline, references, **scoring)
    metrics = {metric: each._asdict() for metric, each in found.items()}
    return {"baseline": {"name": str(arguments.baseline)} | metrics}

"""Flags of a search, and the `SearchSettings` that they describe."""

import argparse
import dataclasses
from contextlib import AbstractContextManager
from typing import Any

from keras_transformer.commands.advice import advice
from keras_transformer.commands.command_line import AddArgument, program
from keras_transformer.commands.settings_flags import flag, with_flags
from keras_transformer.errors import UserError
from keras_transformer.search.settings import RERANKED, STRATEGIES, SearchSettings

SETTINGS = tuple(field.name for field in dataclasses.fields(SearchSettings))
# Settings that only one strategy uses.
STRATEGY_OF = {"beam_size": "beam"} | dict.fromkeys(
    ("temperature", "top_k", "top_p", "seed"), "sampling"
)

BATCH_SIZE = 64


def add_search_flags(add: AddArgument, defaults: SearchSettings) -> None:
    """Add the flags of a search. A flag that the user does not give has the value None.

    Args:
        add: `add_argument` of a parser or a group.
        defaults: settings that the help gives as defaults.
    """
    text = f"search strategy (default {defaults.strategy})"
    add("--search", choices=STRATEGIES, dest="strategy", help=text)
    text = f"hypotheses kept by beam search; 1: greedy search (default {defaults.beam_size})"
    add("--beam-size", type=int, metavar="N", help=text)
    reranked = "; 0 with reranking, which weighs the length" if defaults == RERANKED else ""
    text = (
        "0 favors short translations, 1 or more long ones (default: the one selected at the end of "
        f"training{reranked})"
    )
    add("--length-penalty", type=float, metavar="X", help=text)
    text = "maximum number of subwords in a translation (default: the limit of the network)"
    add("--max-length", type=int, metavar="N", help=text)
    text = (
        "for --search sampling: a value below 1 favors probable subwords "
        f"(default {defaults.temperature:g})"
    )
    add("--temperature", type=float, metavar="X", help=text)
    text = (
        "for --search sampling: sample from the N most probable subwords; 0: all "
        f"(default {defaults.top_k})"
    )
    add("--top-k", type=int, metavar="N", help=text)
    text = (
        "for --search sampling: sample from the smallest set of subwords with at least this total "
        f"probability (default {defaults.top_p:g})"
    )
    add("--top-p", type=float, metavar="X", help=text)
    text = "for --search sampling: random seed, for reproducible samples (default: random)"
    add("--seed", type=int, metavar="N", help=text)


def given_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return {setting: value} for the flags of a search that the user gave."""
    given = {name: getattr(arguments, name, None) for name in SETTINGS}
    return {name: value for name, value in given.items() if value is not None}


def check_server(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if a setting of the search is given, which a server does not accept."""
    settings = given_settings(arguments)
    if "n_best" in settings:
        raise UserError(
            "--n-best cannot be combined with --server: a server returns one translation"
        )
    given = ", ".join(map(flag, settings))
    if given:
        raise UserError(
            f"{given} cannot be combined with --server: the search was fixed at export, by flags "
            f"of {program('export')}"
        )


def search_settings(arguments: argparse.Namespace, defaults: SearchSettings) -> SearchSettings:
    """Return the `SearchSettings` that the user chose.

    Raises:
        UserError: If the value of a flag is out of range, or the strategy does not use the flag.
    """
    given = given_settings(arguments)
    strategy = given.get("strategy", defaults.strategy)
    for name in given:
        if STRATEGY_OF.get(name, strategy) != strategy:
            raise UserError(f"{flag(name)} needs --search {STRATEGY_OF[name]}")
    try:
        return dataclasses.replace(defaults, **given)
    except ValueError as error:
        raise UserError(with_flags(str(error), SETTINGS)) from error


def add_rerank_flag(add: AddArgument) -> None:
    """Add the flag that turns off reranking."""
    text = "rank the hypotheses of beam search by the network alone, ignoring word statistics"
    add("--no-rerank", action="store_true", help=text)


def is_reranked(arguments: argparse.Namespace, search: SearchSettings) -> bool:
    """Return whether translations are reranked: those of beam search, without --no-rerank."""
    return search.strategy == "beam" and not arguments.no_rerank


def add_shortlist_flag(add: AddArgument) -> None:
    """Add the flag of the shortlist."""
    text = (
        "translate faster: consider only the target subwords that the training pairs align with "
        "those of the source, and the most frequent ones"
    )
    add("--shortlist", action="store_true", help=text)


def advice_on_shortlist(directory: object) -> AbstractContextManager[None]:
    """Return a context that adds advice to the error of a run without a shortlist.

    Args:
        directory: the run directory.
    """
    from keras_transformer.translation.shortlist import NoShortlist

    train = program("train", "--checkpoint", directory)
    return advice({NoShortlist: f"to learn it in seconds, run {train}"})


def add_neighbors_flag(add: AddArgument) -> None:
    """Add the flag of the datastore."""
    text = (
        "search with the nearest neighbors in the training pairs, which the command datastore "
        "makes: often better translations, more slowly"
    )
    add("--neighbors", action="store_true", help=text)


def check_neighbors(arguments: argparse.Namespace, *others: str) -> None:
    """Raise a `UserError` if --neighbors cannot be combined with another flag."""
    for name in others if arguments.neighbors else ():
        if getattr(arguments, name):
            raise UserError(f"--neighbors cannot be combined with {flag(name)}")


def advice_on_neighbors(directory: object) -> AbstractContextManager[None]:
    """Return a context that adds advice to the error of a run without a datastore.

    Args:
        directory: the run directory.
    """
    from keras_transformer.translation.datastore import NoDatastore

    datastore = program("datastore", "--checkpoint", directory)
    return advice({NoDatastore: f"to make one, run {datastore}"})


def add_batch_flag(add: AddArgument) -> None:
    """Add the flag of the batch size."""
    text = f"sentences per batch (default {BATCH_SIZE})"
    add("--batch-size", type=int, default=BATCH_SIZE, metavar="N", help=text)

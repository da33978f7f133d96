"""Flags of a search, and which of them can be combined."""

import pytest

from keras_transformer.commands import command_line, search_flags
from keras_transformer.errors import UserError
from keras_transformer.search.settings import RERANKED, SearchSettings


def parsed(*arguments):
    """Return the namespace of a parser that has only the flags of a search."""
    parser = command_line.Parser(prog="x")
    search_flags.add_search_flags(parser.add_argument, RERANKED)
    search_flags.add_rerank_flag(parser.add_argument)
    return parser.parse_args(arguments)


def settings(*arguments):
    return search_flags.search_settings(parsed(*arguments), RERANKED)


def test_the_defaults_are_those_of_the_command():
    assert settings() == RERANKED


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["--beam-size", "3"], SearchSettings(beam_size=3, length_penalty=0)),
        (["--search", "greedy"], SearchSettings("greedy", 12, length_penalty=0)),
        (
            [
                "--search",
                "sampling",
                "--temperature",
                "0.5",
                "--top-k",
                "5",
                "--top-p",
                "0.9",
                "--seed",
                "0",
            ],
            SearchSettings("sampling", 12, 0, temperature=0.5, top_k=5, top_p=0.9, seed=0),
        ),
        (
            ["--search=beam", "--length-penalty=2", "--max-length=9"],
            SearchSettings(beam_size=12, length_penalty=2, max_length=9),
        ),
    ],
)
def test_flags_become_settings(arguments, wanted):
    assert settings(*arguments) == wanted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--temperature 0.5", "--temperature needs --search sampling"),
        ("--search greedy --top-k 3", "--top-k needs --search sampling"),
        ("--search beam --top-p 0.5", "--top-p needs --search sampling"),
        ("--seed 0", "--seed needs --search sampling"),
        ("--search sampling --beam-size 4", "--beam-size needs --search beam"),
        ("--search greedy --beam-size 4", "--beam-size needs --search beam"),
        ("--search sampling --temperature 0", "--temperature must be a number greater than 0"),
        ("--search sampling --top-k -1", "--top-k must be at least 0"),
        ("--search sampling --top-p 1.5", "--top-p must be greater than 0 and at most 1"),
        ("--search sampling --seed -1", "--seed must be from 0"),
        (f"--search sampling --seed {2**64}", "--seed must be from 0"),
        ("--beam-size 0", "--beam-size must be at least 1"),
        ("--length-penalty nan", "--length-penalty must be a number"),
        ("--max-length 0", "--max-length must be at least 1"),
        ("--search best", "argument --search: invalid choice"),
    ],
)
def test_invalid_flags_and_combinations_are_errors(arguments, message):
    with pytest.raises(UserError) as error:
        settings(*arguments.split())
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [("", True), ("--no-rerank", False), ("--search greedy", False), ("--search sampling", False)],
)
def test_only_the_results_of_beam_search_are_reranked(arguments, wanted):
    given = parsed(*arguments.split())
    assert search_flags.is_reranked(given, search_flags.search_settings(given, RERANKED)) is wanted

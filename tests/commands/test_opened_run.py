"""The search of a run, by the flags that the user gave and the values that the run selected."""

import shutil

import pytest

from keras_transformer.commands import command_line, search_flags
from keras_transformer.commands.opened_run import (
    chosen_search,
    exported_search,
    opened_once,
    warn_if_unfinished,
)
from keras_transformer.errors import NoRun
from keras_transformer.runs.averaging import average
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import RERANKED, SearchSettings


@pytest.fixture(scope="module")
def run(small_run, tmp_path_factory):
    """A copy of the small run with its own length penalty."""
    run = Run.open(shutil.copytree(small_run, tmp_path_factory.mktemp("opened") / "run"))
    run.save_decoding({"length_penalty": 0.5})
    return run


def parsed(arguments):
    parser = command_line.Parser(prog="x")
    search_flags.add_search_flags(parser.add_argument, RERANKED)
    search_flags.add_rerank_flag(parser.add_argument)
    return parser.parse_args(arguments.split())


def test_a_run_is_opened_once_and_only_if_it_is_needed(run, tmp_path):
    opened, missing = opened_once(str(run.directory)), opened_once(str(tmp_path / "none"))
    assert opened().config == run.config
    assert opened() is opened()
    with pytest.raises(NoRun):
        missing()


@pytest.mark.parametrize(
    ("arguments", "is_reranked", "wanted"),
    [
        ("", True, SearchSettings(beam_size=12, length_penalty=0)),
        ("--beam-size 5", True, SearchSettings(beam_size=5, length_penalty=0)),
        ("--length-penalty 1", True, SearchSettings(beam_size=12, length_penalty=1)),
        ("--no-rerank", False, SearchSettings(beam_size=12, length_penalty=0.5)),
        ("--no-rerank --length-penalty 0", False, SearchSettings(beam_size=12, length_penalty=0)),
        ("--search greedy", False, SearchSettings("greedy", 12, length_penalty=0.5)),
    ],
)
def test_the_length_penalty_is_that_of_the_user_or_of_the_run_or_none_with_reranking(
    run, translator, arguments, is_reranked, wanted
):
    reranker, search = chosen_search(run, translator, parsed(arguments))
    assert (reranker is not None) == is_reranked
    assert search == wanted


def test_a_run_without_a_reranker_has_the_penalty_of_the_network_alone(run, translator, tmp_path):
    copied = Run.open(shutil.copytree(run.directory, tmp_path / "run"))
    with pytest.raises(RuntimeError), copied.replacing("lexicon.npz"):
        raise RuntimeError
    assert chosen_search(copied, translator, parsed("")) == (None, SearchSettings("beam", 12, 0.5))


def test_an_export_has_the_penalty_of_the_network_alone(run):
    assert exported_search(run.directory, parsed("")) == SearchSettings(length_penalty=0.5)
    wanted = SearchSettings(length_penalty=1, beam_size=3)
    assert exported_search(run.directory, parsed("--length-penalty 1 --beam-size 3")) == wanted


def test_a_run_whose_training_is_not_finished_is_reported(small_run, tmp_path, capsys):
    warn_if_unfinished(Run.open(small_run))
    assert capsys.readouterr().err == ""

    directory = shutil.copytree(small_run, tmp_path / "run")
    Run.open(directory).remove_calibration()  # which a training computes last
    warn_if_unfinished(Run.open(directory))
    err = capsys.readouterr().err.replace("train.py", "train")
    assert err.startswith(f"warning: {directory} is not completely trained: ")
    assert err.endswith(
        f"to finish its training, run keras-transformer train --checkpoint {directory}\n"
    )

    average(directory, tmp_path / "mean", 1)
    warn_if_unfinished(Run.open(tmp_path / "mean"))
    err = capsys.readouterr().err
    assert err.endswith("; finish the training of the averaged run, then average again\n")

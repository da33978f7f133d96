"""The default decoding of a run, and its file."""

import json

import pytest

from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import RERANKED, SearchSettings
from keras_transformer.translation.decoding import Decoding, default_decoding


@pytest.fixture
def run(tmp_path):
    return Run.create(tmp_path / "run", Config())


def test_a_run_without_selected_values_decodes_by_the_defaults(run):
    assert Decoding.of(run) is None
    assert default_decoding(run).search() == SearchSettings()


def test_a_run_decodes_by_the_values_that_it_contains(run):
    run.save_decoding({"length_penalty": 0.5, "length_weight": 2})
    decoding = default_decoding(Run.open(run.directory))
    assert decoding == Decoding(0.5, 2)
    assert decoding.search() == SearchSettings(length_penalty=0.5)
    assert decoding.search(RERANKED) == SearchSettings(beam_size=12, length_penalty=0.5)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"length_penalty": -0.5}, "length_penalty must be a number from 0 to 3, not -0.5"),
        ({"length_penalty": 1e300}, "length_penalty must be a number from 0 to 3"),
        ({"length_penalty": True}, "length_penalty must be a number from 0 to 3, not True"),
        ({"lexicon_weight": 11}, "lexicon_weight must be a number from 0 to 10, not 11"),
        ({"reconstruction_weight": [0.1]}, "reconstruction_weight must be a number"),
        ({"length_weight": "1"}, "length_weight must be a number"),
        ({"length_weight": None}, "length_weight must be a number"),
        ({"beam": 3}, "beam"),
    ],
)
def test_a_damaged_file_is_an_error_that_names_it(run, values, message):
    run.save_decoding({})
    (run.directory / "decoding.json").write_text(json.dumps(values))
    with pytest.raises(UserError, match=rf"decoding\.json: damaged: .*{message}"):
        default_decoding(run)

"""Runs that are damaged or killed, and hostile settings: short versions of the scripts.

With the environment variable CI_SLOW, the scripts themselves run, for up to 90 minutes each.
"""

import json
import os
import shutil

import numpy as np
import pytest

from benchmarks.robustness.damages import DAMAGES, Damager
from benchmarks.robustness.hostile import HARMS, hostile_file
from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.runs.config_file import read_config, read_settings
from keras_transformer.training.session import train
from keras_transformer.translation.translator import Translator
from tests.conftest import SMALL, pairs_of_two_languages, write_pairs
from tests.programs import run_python
from tests.training.reuse import POOL

SCRIPTS = "kill_training", "kill_exports", "damage_run", "hostile_configs"
SENTENCES = ["ba lo ki", "mi nu"]
# Damages that the manifest finds, and those that translation must not mind: what a kill leaves, or
# what translation does not read.
REJECTED = {"swap_subword_models", "copy_foreign_subwords", "edit_the_shape"}
ACCEPTED = {"leave_parts_of_a_checkpoint", "leave_an_empty_checkpoint", "change_the_corpus"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs with equal settings and different corpora, each of two different languages.

    No file of a run equals another one of them, so that every confusion is a damage.
    """
    directories = []
    for seed in (0, 1):
        home = tmp_path_factory.mktemp("run")
        pairs = write_pairs(home / "pairs.tsv", pairs_of_two_languages(200, seed))
        with POOL.lending():
            assert train(SMALL | {"train": (pairs,)}, home / "run").finished
        directories.append(home / "run")
    return directories


def test_the_subword_models_of_the_two_runs_differ(runs):
    """If they were equal, copying or swapping them would change nothing."""
    models = [path.read_bytes() for run in runs for path in run.glob("*.model")]
    assert len(set(models)) == len(models) == 4


def predictions(directory):
    """Return the ids of sentences in a run, and the logits (B, T, V) of its best weights."""
    translator = Translator.load(directory)
    ids = [translator.source_subwords.encode(sentence) for sentence in SENTENCES]
    targets = [translator.target_subwords.encode(sentence) for sentence in SENTENCES]
    longest = max(map(len, ids + targets))
    source, target = (
        np.array([row + [0] * (longest - len(row)) for row in rows]) for rows in (ids, targets)
    )
    return ids, targets, translator.model((source, target), training=False)


@pytest.fixture(scope="module")
def wanted(runs):
    """The `predictions` of the first run."""
    return predictions(runs[0])


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_run_is_rejected_or_predicts_the_same(runs, wanted, tmp_path, damage, seed):
    intact, other = runs
    shutil.copytree(intact.parent, tmp_path / "home")
    detail = damage(Damager(tmp_path / "home" / "run", other, seed))
    try:
        found = predictions(tmp_path / "home" / "run")
    except UserError as error:
        assert damage.__name__ not in ACCEPTED, (detail, error)
        assert "\n" not in str(error)
        return
    assert damage.__name__ not in REJECTED, detail
    assert found[:2] == wanted[:2], detail
    np.testing.assert_array_equal(found[2], wanted[2], detail)


@pytest.mark.parametrize("seed", range(3 * len(HARMS)))
def test_a_hostile_settings_file_is_rejected_or_valid(tmp_path, seed):
    path = tmp_path / "config.json"
    content = json.loads(Config().with_settings({"train": ("pairs.tsv",)}).to_json())
    kind, harmed = hostile_file(content | {"versions": {"keras": "3.15"}}, seed)
    path.write_bytes(harmed)
    for read in (read_config, read_settings):
        try:
            read(path)
        except UserError as error:
            assert str(error).startswith(f"{path}: "), kind
            assert len(" ".join(str(error).split())) < 1000, kind


def test_a_killed_training_ends_with_the_same_files(tmp_path):
    script = "benchmarks/robustness/kill_training.py"
    done = run_python(script, 1, "--work", tmp_path, "--moment", "a_save")
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    [results] = tmp_path.glob("*/results.jsonl")
    outcome = json.loads(results.read_text("utf-8"))
    assert outcome["result"] == "correct"


@pytest.mark.skipif("CI_SLOW" not in os.environ, reason="takes up to 90 minutes: set CI_SLOW=1")
@pytest.mark.parametrize("script", SCRIPTS)
def test_two_hundred_cases_end_in_the_correct_result_or_in_one_clear_line(script):
    """A rerun continues where an interrupted one stopped: the script keeps its results."""
    done = run_python(f"benchmarks/robustness/{script}.py", 200)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()

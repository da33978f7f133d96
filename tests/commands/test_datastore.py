"""The command `datastore`, and the flag --neighbors."""

import re
import shutil

import pytest

from keras_transformer.training import datastore_building
from keras_transformer.training.datastore_building import BuiltDatastore
from keras_transformer.translation.datastore import Datastore, Interpolation


@pytest.fixture
def run(small_run, tmp_path):
    return shutil.copytree(small_run, tmp_path / "run")


def test_a_run_is_translated_with_its_datastore(call, run, monkeypatch):
    monkeypatch.setattr(datastore_building.Scoring, "bleu", lambda *_: 1.0)
    status, out, err = call("datastore", "--checkpoint", run)
    assert status == 0
    first_stage, second_stage = err.splitlines()
    assert first_stage == f"computing the features of the training targets of {run}"
    assert second_stage.startswith("translating ")
    first, *_ = out.splitlines()
    assert re.fullmatch(
        rf"{re.escape(str(run))}: [\d,]+ subwords; validation BLEU [\d.]+, with neighbors "
        r"[\d.]+ \(share [\d.]+, temperature [\d.e-]+\)",
        first,
    )
    arguments = "--checkpoint", run, "--neighbors"
    assert call("translate", *arguments, "--quiet", "ba lo")[0] == 0
    test = run.parent / "test.tsv"
    test.write_text("ba lo\tba lo\n")
    status, out, err = call("evaluate", *arguments, "--test", test)
    assert (status, err) == (0, "")
    assert out.startswith("BLEU ")


@pytest.mark.parametrize(("bleu", "is_better"), [(30.1, True), (30.0, False)])
def test_neighbors_are_recommended_if_they_improve_translations(
    call, run, monkeypatch, bleu, is_better
):
    datastore = Datastore(None, [3, 4], Interpolation(0.5, 2.0))
    built = BuiltDatastore(datastore, bleu, 30.0)
    monkeypatch.setattr(datastore_building, "build_datastore", lambda *_: built)
    status, out, _ = call("datastore", "--checkpoint", run)
    first, *remarks, last = out.splitlines()
    assert f"2 subwords; validation BLEU 30.00, with neighbors {bleu:.2f}" in first
    assert last.endswith(f"translate --checkpoint {run}{' --neighbors' if is_better else ''}")
    assert remarks == ([] if is_better else ["the neighbors do not improve its translations"])
    assert status == 0


@pytest.mark.parametrize(
    ("command", "flags", "message"),
    [
        (
            "translate",
            [],
            "nearest neighbors: to make one, run keras-transformer datastore --checkpoint ",
        ),
        (
            "evaluate",
            ["--test", "{}"],
            "nearest neighbors: to make one, run keras-transformer datastore --checkpoint ",
        ),
        ("translate", ["--shortlist"], "--neighbors cannot be combined with --shortlist"),
        ("evaluate", ["--shortlist"], "--neighbors cannot be combined with --shortlist"),
        ("translate", ["--xla"], "--neighbors cannot be combined with --xla"),
        ("evaluate", ["--translations", "{}"], "--neighbors cannot be combined with --translat"),
    ],
)
def test_errors(error_of, run, tmp_path, command, flags, message):
    (tmp_path / "test.tsv").write_text("ba lo\tba lo\n")
    flags = [flag.format(tmp_path / "test.tsv") for flag in flags]
    checkpoint = ["--checkpoint", run]
    assert message in error_of(command, "--neighbors", *checkpoint, *flags)


def test_a_server_has_no_neighbors(error_of):
    arguments = "--neighbors", "--server", "http://localhost:8501/v1/models/x", "a"
    assert "--neighbors cannot be combined with --server" in error_of("translate", *arguments)

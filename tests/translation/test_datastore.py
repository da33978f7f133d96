"""The datastore of nearest neighbors, against brute force."""

import json
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.runs.layout import DATASTORE
from keras_transformer.runs.run import Run
from keras_transformer.translation import datastore as module
from keras_transformer.translation.datastore import (
    KEYS_PER_CLUSTER,
    NEIGHBORS,
    Datastore,
    Interpolation,
    Neighbors,
    NoDatastore,
    weights_hash,
)
from tests.limits import limited_files

INTERPOLATION = Interpolation(0.25, 2.0)


def random_keys(count, depth=8, seed=1):
    return np.random.default_rng(seed).normal(size=(count, depth)).astype(np.float16)


def made(count, depth=8):
    """Return `count` random keys and their datastore, in which their ids are their numbers."""
    keys = random_keys(count, depth)
    return keys, Datastore.make(keys, np.arange(count, dtype=np.int32), INTERPOLATION)


def test_the_neighbors_are_the_nearest_keys():
    """With a single cluster, all keys are compared. Their residuals are rounded to 16 bits."""
    keys, datastore = made(KEYS_PER_CLUSTER - 1)
    queries = random_keys(20, seed=2)
    differences = queries[:, np.newaxis] - keys.astype(np.float32)
    squares = (differences**2).sum(axis=-1)
    found = datastore.neighbors(queries)
    assert (found.ids[:, 0] == squares.argmin(axis=1)).all()
    nearest = np.sort(squares, axis=1)[:, :NEIGHBORS]
    np.testing.assert_allclose(found.distances, nearest, rtol=1e-2)


def test_most_neighbors_are_found_among_many_keys():
    """The nearest clusters contain nearly all of the nearest keys."""
    keys, datastore = made(40 * KEYS_PER_CLUSTER)
    queries = random_keys(50, seed=2)
    differences = queries[:, np.newaxis] - keys.astype(np.float32)
    nearest = (differences**2).sum(axis=-1).argsort(axis=1)[:, :NEIGHBORS]
    found = datastore.neighbors(queries).ids
    common = [len(set(a) & set(b)) for a, b in zip(nearest.tolist(), found.tolist(), strict=True)]
    assert np.mean(common) > 0.9 * NEIGHBORS


def test_fewer_keys_than_neighbors():
    keys, datastore = made(5)
    found = datastore.neighbors(keys[:3])
    assert np.isinf(found.distances[:, 5:]).all()
    weights = found.weights(1.0)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-6)
    assert not weights[:, 5:].any()


@given(
    st.lists(st.floats(0, 1e4, width=32), min_size=1, max_size=6).map(sorted),
    st.floats(0.01, 100),
)
def test_weights_are_a_softmax_of_negative_distances(distances, temperature):
    exponents = -np.array(distances) / temperature
    expected = np.exp(exponents - np.logaddexp.reduce(exponents))
    found = Neighbors(np.float32([distances]), np.zeros((1, len(distances)), np.int32))
    np.testing.assert_allclose(found.weights(temperature)[0], expected, rtol=1e-3, atol=1e-6)


def test_without_any_neighbor_all_weights_are_0():
    found = Neighbors(np.full((1, 3), np.inf, np.float32), np.zeros((1, 3), np.int32))
    assert not found.weights(1.0).any()


def test_keys_can_be_added_in_parts(monkeypatch):
    keys, whole = made(2 * KEYS_PER_CLUSTER)
    monkeypatch.setattr(module, "ADDED_AT_ONCE", 37)
    _, datastore = made(2 * KEYS_PER_CLUSTER)
    for wanted, found in zip(whole.neighbors(keys), datastore.neighbors(keys), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.fixture
def saved(tmp_path, translator):
    """A run directory with a datastore, whose keys have the depth of the translator's network."""
    keys, datastore = made(30, translator.model.settings["d_model"])
    run = Run(tmp_path, None)
    datastore.save(run, translator.model)
    return run, keys, datastore


def test_a_saved_datastore_finds_the_same(saved, translator):
    run, keys, datastore = saved
    loaded = Datastore.of(run, translator.model)
    assert loaded.interpolation == INTERPOLATION
    for before, after in zip(datastore.neighbors(keys), loaded.neighbors(keys), strict=True):
        np.testing.assert_array_equal(before, after)
    assert [path.name for path in run.directory.iterdir()] == [DATASTORE]


def test_a_datastore_replaces_an_earlier_one(saved, translator):
    run, _, _ = saved
    _, other = made(35, translator.model.settings["d_model"])
    other.save(run, translator.model)
    assert len(Datastore.of(run, translator.model).ids) == 35


def test_a_datastore_of_other_weights_is_not_used(saved, translator):
    run, _, _ = saved
    rewrite(run, {"weights": "0" * 64})
    with pytest.raises(NoDatastore, match="made with other weights"):
        Datastore.of(run, translator.model)


@pytest.mark.parametrize("content", [b"", b"{}", b"[3]", b"\0\0"])
@pytest.mark.parametrize("name", [module.INDEX, module.IDS, module.PARAMETERS])
def test_a_damaged_file_is_an_error(saved, translator, name, content):
    run, _, _ = saved
    (run.directory / DATASTORE / name).write_bytes(content)
    with pytest.raises(UserError, match="datastore: damaged"):
        Datastore.of(run, translator.model)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (np.arange(29, dtype=np.int32), r"30 keys, but ids \(29,\)"),
        (np.arange(30, dtype=np.float32), r"ids \(30,\) of type float32"),
        (np.full(30, -1, np.int32), "an id is not in the vocabulary"),
        (np.full(30, 10_000, np.int32), "an id is not in the vocabulary"),
    ],
)
def test_ids_of_other_keys_are_an_error(saved, translator, ids, message):
    run, _, _ = saved
    np.save(run.directory / DATASTORE / module.IDS, ids)
    with pytest.raises(UserError, match=f"datastore: damaged: .*{message}"):
        Datastore.of(run, translator.model)


def test_keys_of_another_depth_are_an_error(saved, translator):
    run, _, _ = saved
    _, other = made(30, depth=3)
    other.save(run, translator.model)
    with pytest.raises(UserError, match="datastore: damaged: keys of depth 3"):
        Datastore.of(run, translator.model)


@pytest.mark.parametrize("change", [{"share": 1.5}, {"temperature": 0}, {"temperature": "inf"}])
def test_an_impossible_interpolation_is_an_error(saved, translator, change):
    run, _, _ = saved
    rewrite(run, change)
    with pytest.raises(UserError, match="datastore: damaged: share .*, temperature"):
        Datastore.of(run, translator.model)


def rewrite(run, change):
    """Change some parameters of a saved datastore."""
    path = run.directory / DATASTORE / module.PARAMETERS
    path.write_text(json.dumps(json.loads(path.read_text()) | change))


def test_a_datastore_that_cannot_be_written_leaves_the_earlier_one(saved, translator):
    run, _, _ = saved
    _, other = made(2_000, translator.model.settings["d_model"])
    with limited_files(10_000), pytest.raises(UserError, match="datastore: cannot be written"):
        other.save(run, translator.model)
    assert len(Datastore.of(run, translator.model).ids) == 30
    assert [path.name for path in run.directory.iterdir()] == [DATASTORE]


def test_the_hash_covers_every_weight(translator):
    hashes = {weights_hash(translator.model)}
    for weight in translator.model.weights:
        before = weight.numpy()
        weight.assign(before + 1)
        hashes.add(weights_hash(translator.model))
        weight.assign(before)
    assert len(hashes) == 1 + len(translator.model.weights)
    assert weights_hash(translator.model) in hashes


def test_a_run_without_a_datastore(tmp_path, translator):
    with pytest.raises(NoDatastore, match="no datastore"):
        Datastore.of(Run(tmp_path, None), translator.model)


def test_without_faiss_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(UserError, match='faiss: install the extra "neighbors"'):
        module.import_faiss()

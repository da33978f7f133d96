"""The datastore of nearest-neighbor machine translation (Khandelwal et al. 2021).

It contains each subword of the training targets, and its key: the features from which the network
predicts it. The subwords whose keys are nearest to the features of a hypothesis followed similar
prefixes of translations of similar sources. Khandelwal et al. use the inputs of the decoder's last
feed-forward network as keys; here they are the outputs of the decoder, the inputs of the final
layer.

faiss finds the neighbors. It divides the keys into clusters, and compares those of the nearest
clusters only.
"""

import contextlib
import hashlib
import json
import math
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import UserError, missing_extra, reason
from keras_transformer.files import naming, sync_entries, sync_tree
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.layout import DATASTORE
from keras_transformer.runs.run import Run
from keras_transformer.signals import signals
from keras_transformer.workspace import workspace

NEIGHBORS = 32  # that are looked up for each position
KEYS_PER_CLUSTER = 400
KEYS_PER_TRAINING_KEY = 4  # by which the clusters are found; more take long, and gain nothing
COMPARED_CLUSTERS = 16
ADDED_AT_ONCE = 100_000  # keys, which faiss reads in 32 bits
INDEX, IDS, PARAMETERS = "index.faiss", "ids.npy", "parameters.json"

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]
Ids = NDArray[np.int32]


class NoDatastore(UserError):
    """A run has no datastore of its weights."""


class Interpolation(NamedTuple):
    """How the probabilities of the neighbors and of the network are combined.

    The probability of a subword is `share` times that among the neighbors, plus 1 - `share` times
    that of the network. A neighbor at the squared distance d has a weight proportional to
    exp(-d / `temperature`).
    """

    share: float
    temperature: float


class Neighbors(NamedTuple):
    """The nearest neighbors of n features.

    Attributes:
        distances: (n, k), the squared distances of the keys, in increasing order; infinite where
            fewer than k keys were compared.
        ids: (n, k), the subwords of the keys.
    """

    distances: Floats
    ids: Ids

    def weights(self, temperature: float) -> Floats:
        """Return the weights (n, k), which add up to 1 unless all distances are infinite."""
        nearest = np.where(np.isfinite(self.distances[:, :1]), self.distances[:, :1], 0)
        weights = np.exp((nearest - self.distances) / temperature)
        return weights / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(np.float32).tiny)


class Datastore:
    """Finds the subwords of the training targets whose keys are nearest to some features.

    Args:
        index: a faiss index of the N keys.
        ids: (N,), the subword of each key.
        interpolation: the `Interpolation` with the network.
    """

    def __init__(self, index: Any, ids: Ids, interpolation: Interpolation) -> None:
        self.index = index
        self.ids = ids
        self.interpolation = interpolation

    @classmethod
    def make(cls, keys: Halves, ids: Ids, interpolation: Interpolation) -> Self:
        """Return the datastore of keys (N, D) and their ids (N,).

        The keys have 16 bits, which is enough to compare them.

        Raises:
            UserError: If faiss is not installed.
        """
        faiss = import_faiss()
        clusters = max(1, len(keys) // KEYS_PER_CLUSTER)
        index = faiss.index_factory(keys.shape[1], f"IVF{clusters},SQfp16")
        trained = keys[::KEYS_PER_TRAINING_KEY] if clusters > 1 else keys
        index.train(trained.astype(np.float32))
        for first in range(0, len(keys), ADDED_AT_ONCE):
            index.add(keys[first : first + ADDED_AT_ONCE].astype(np.float32))
        return cls(index, ids, interpolation)

    @classmethod
    def of(cls, run: Run, model: Transformer) -> Self:
        """Load the datastore of a run.

        Args:
            run: the `Run`.
            model: its network.

        Raises:
            NoDatastore: If the run has none, or one of other weights.
            UserError: If faiss is not installed, or a file is damaged.
        """
        directory = run.directory / DATASTORE
        if not directory.is_dir():
            raise NoDatastore(f"{run.directory}: no datastore of nearest neighbors")
        faiss = import_faiss()
        with _reading(directory):
            parameters = json.loads((directory / PARAMETERS).read_text(encoding="utf-8"))
            interpolation = _interpolation(parameters)
            made_with = parameters["weights"]
        if made_with != weights_hash(model):  # before the large files are read
            raise NoDatastore(f"{directory} was made with other weights than the best ones now")
        with _reading(directory):
            index, ids = faiss.read_index(str(directory / INDEX)), np.load(directory / IDS)
            _check_entries(index, ids, model)
        return cls(index, ids, interpolation)

    def save(self, run: Run, model: Transformer) -> None:
        """Save the datastore in a run, in place of an earlier one.

        Args:
            run: the `Run`.
            model: the network that computed the keys.

        Raises:
            UserError: If it cannot be written.
        """
        directory = run.directory / DATASTORE
        parameters = {**self.interpolation._asdict(), "weights": weights_hash(model)}
        with workspace(run.directory, f".{DATASTORE}.") as part, _writing(directory):
            import_faiss().write_index(self.index, str(part / INDEX))
            np.save(part / IDS, self.ids)
            (part / PARAMETERS).write_text(json.dumps(parameters, indent=2), encoding="utf-8")
            sync_tree(part)
            signals.check()
            with signals.held():  # from here on, the earlier datastore is gone
                shutil.rmtree(directory, ignore_errors=True)  # a directory cannot be replaced
                os.replace(part, directory)
                sync_entries(run.directory)

    def neighbors(self, features: Floats) -> Neighbors:
        """Return the nearest neighbors of features (n, D)."""
        parameters = import_faiss().SearchParametersIVF(nprobe=COMPARED_CLUSTERS)
        queries = np.ascontiguousarray(features, np.float32)
        distances, places = self.index.search(queries, NEIGHBORS, params=parameters)
        return Neighbors(np.where(places < 0, np.inf, distances), self.ids[places])


@contextlib.contextmanager
def _reading(directory: Path) -> Iterator[None]:
    """Convert the errors of reading a datastore to a `UserError`."""
    try:
        yield
    except (OSError, EOFError, ValueError, TypeError, KeyError, RuntimeError) as error:
        raise UserError(f"{directory}: damaged: {reason(error)}") from error


@contextlib.contextmanager
def _writing(directory: Path) -> Iterator[None]:
    """Convert the errors of writing a datastore to a `UserError`."""
    with naming(directory):
        try:
            yield
        except RuntimeError as error:  # of faiss
            raise UserError(f"{directory}: cannot be written: {reason(error)}") from error


def _interpolation(parameters: Mapping[str, Any]) -> Interpolation:
    """Return the interpolation that was saved.

    Raises:
        ValueError: If a parameter is out of range.
    """
    share, temperature = float(parameters["share"]), float(parameters["temperature"])
    if not (0 <= share <= 1 and 0 < temperature < math.inf):
        raise ValueError(f"share {share:g}, temperature {temperature:g}")
    return Interpolation(share, temperature)


def _check_entries(index: Any, ids: Ids, model: Transformer) -> None:
    """Raise a `ValueError` if the keys, their ids and a network do not belong together."""
    if ids.dtype != np.int32 or ids.shape != (index.ntotal,):
        raise ValueError(f"{index.ntotal:,} keys, but ids {ids.shape} of type {ids.dtype}")
    if index.d != model.settings["d_model"]:
        raise ValueError(f"keys of depth {index.d}")
    if ids.min(initial=0) < 0 or ids.max(initial=0) >= model.settings["target_vocab_size"]:
        raise ValueError("an id is not in the vocabulary")


def import_faiss() -> ModuleType:
    """Import faiss, which is an optional dependency.

    Raises:
        UserError: If it is not installed.
    """
    try:
        import faiss
    except ImportError as error:
        raise missing_extra("nearest neighbors need faiss", "neighbors") from error
    return faiss


def weights_hash(model: Transformer) -> str:
    """Return the SHA-256 of the weights of a network."""
    content = hashlib.sha256()
    for weight in model.weights:
        content.update(np.ascontiguousarray(weight.numpy()).tobytes())
    return content.hexdigest()

"""The datastore of a finished run, made of its training pairs and its best weights.

The interpolation is chosen by the BLEU of validation pairs, with reranking. The perplexity alone
and greedy search choose a larger share of the neighbors, with which reranked translations are worse
(benchmarks/README.md).
"""

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.counting import counted
from keras_transformer.runs.run import Run
from keras_transformer.text.encoded_pairs import EncodedPairs, check_kept
from keras_transformer.text.pairs import Pair, Pairs, evenly_spaced
from keras_transformer.training.corpora import open_training_corpus
from keras_transformer.training.evaluation_pairs import selection_pairs
from keras_transformer.translation.bleu import bleu, bleu_counts, bleu_tokenizer
from keras_transformer.translation.datastore import (
    Datastore,
    Floats,
    Halves,
    Ids,
    Interpolation,
    Neighbors,
    import_faiss,
)
from keras_transformer.translation.forced import reference_batches
from keras_transformer.translation.neighbor_search import NeighborSearch
from keras_transformer.translation.reranking import Reranker, reranked
from keras_transformer.translation.translator import Translator

MAX_PAIRS = 300_000  # of a larger corpus, evenly spaced pairs are used
MAX_SENTENCES = 500  # validation pairs by which the interpolation is chosen
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5)
# In units of the mean difference between the distances of a neighbor and of the nearest one.
TEMPERATURES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class BuiltDatastore(NamedTuple):
    """A datastore, and what it gains.

    Attributes:
        datastore: the `Datastore`.
        bleu: the BLEU of validation pairs with it, with the default search and reranking.
        network_bleu: the same by the network alone.
    """

    datastore: Datastore
    bleu: float
    network_bleu: float


class Predictions(NamedTuple):
    """The predictions of the n subwords of references, by a network and by neighbors.

    Attributes:
        probabilities: (n,), those of the network.
        neighbors: the `Neighbors`.
        ids: (n,), the subwords.
    """

    probabilities: NDArray[np.float64]
    neighbors: Neighbors
    ids: Ids

    def perplexity(self, interpolation: Interpolation) -> float:
        """Return the perplexity of the subwords."""
        weights = self.neighbors.weights(interpolation.temperature)
        of_neighbors = (weights * (self.neighbors.ids == self.ids[:, np.newaxis])).sum(axis=1)
        share = interpolation.share
        mixed = (1 - share) * self.probabilities + share * of_neighbors
        return math.exp(-np.log(mixed).mean())

    def best_by_share(self) -> list[Interpolation]:
        """Return for each of the `SHARES` the interpolation with the lowest perplexity."""
        distances = self.neighbors.distances
        spread = (distances - distances[:, :1])[np.isfinite(distances)].mean()
        spread = spread or 1.0  # all are equal, and any temperature gives the same weights
        temperatures = [float(spread * factor) for factor in TEMPERATURES]
        return [
            min((Interpolation(share, each) for each in temperatures), key=self.perplexity)
            for share in SHARES
        ]


def build_datastore(run: Run, tell: Callable[[str], object] = lambda text: None) -> BuiltDatastore:
    """Make and save the datastore of a run.

    The pairs are those that the run's files contain now, which may have changed since training.

    Args:
        run: the `Run`, which is locked.
        tell: function that is called with a line of text at the beginning of each stage.

    Raises:
        UserError: If a file is missing, or contains no pairs that the network can encode, or faiss
            is not installed.
    """
    import_faiss()  # before the keys are computed, which takes longest
    corpus = open_training_corpus(run.config)
    translator = Translator.of(run, fold_normalizations=False)
    pairs = _validation_sample(run, corpus.validation, translator)
    tell(f"computing the features of the training targets of {run.directory}")
    datastore = Datastore.make(*_keys(translator, corpus.train), Interpolation(0.0, 1.0))
    tell(f"translating {counted(len(pairs), 'validation pair')} with several shares of neighbors")
    tokenize = bleu_tokenizer(run.config.text.target_lang)
    scoring = Scoring(pairs, Reranker.of(run, translator), tokenize)
    scores = scoring.by_interpolation(translator, datastore)
    datastore.interpolation = max(scores, key=scores.__getitem__)
    datastore.save(run, translator.model)
    return BuiltDatastore(datastore, scores[datastore.interpolation], scoring.bleu(translator))


def _validation_sample(run: Run, pairs: Pairs, translator: Translator) -> list[Pair]:
    """Return the pairs by which the interpolation is chosen.

    Raises:
        UserError: If there are none.
    """
    sample = selection_pairs(run.config, EncodedPairs(pairs, translator.encoding), MAX_SENTENCES)
    check_kept(pairs, len(sample))
    return sample


def _keys(translator: Translator, pairs: Pairs) -> tuple[Halves, Ids]:
    """Return the keys (N, D) of the subwords of all targets, and the subwords (N,).

    Raises:
        UserError: If there are none.
    """
    sample = evenly_spaced(pairs.vocabulary(), MAX_PAIRS)
    found = [(keys.astype(np.float16), ids) for keys, ids, _ in features(translator, sample)]
    check_kept(pairs, len(found))
    keys, ids = _joined(found)
    return keys, ids


class Scoring(NamedTuple):
    """How translators are compared.

    Attributes:
        pairs: the pairs whose sources are translated.
        reranker: the `Reranker`, or None.
        tokenize: tokenizer for BLEU, as sacrebleu names it.
    """

    pairs: Sequence[Pair]
    reranker: Reranker | None
    tokenize: str

    def bleu(self, translator: Translator) -> float:
        """Return the BLEU of a translator with its default search, and with the reranker."""
        sources, references = zip(*self.pairs, strict=True)
        found = reranked(translator, self.reranker).translate(sources)
        return bleu(bleu_counts([best.text for best, *_ in found], references, self.tokenize))

    def by_interpolation(
        self, translator: Translator, datastore: Datastore
    ) -> dict[Interpolation, float]:
        """Return the BLEU with each share, and the temperature with the lowest perplexity."""
        scores = {}
        for each in predictions(translator, datastore, self.pairs).best_by_share():
            used = Datastore(datastore.index, datastore.ids, each)
            scores[each] = self.bleu(with_neighbors(translator, used))
        return scores


def with_neighbors(translator: Translator, datastore: Datastore) -> Translator:
    """Return a translator with the same network that searches with a datastore."""
    return Translator(
        translator.model,
        translator.encoding,
        search=translator.search,
        restore=translator.restore,
        network_search=functools.partial(NeighborSearch, datastore),
    )


def features(
    translator: Translator, pairs: Sequence[Pair]
) -> Iterator[tuple[Floats, Ids, NDArray[np.float64]]]:
    """Compute what the network predicts the subwords of references from.

    Yields:
        For each batch the features (n, D), the ids (n,) of the subwords, and the probabilities (n,)
        that the network gives them.
    """
    model = translator.model

    @tf.function(input_signature=[tf.TensorSpec((None, None), tf.int32)] * 2, autograph=False)
    def predict(source: tf.Tensor, target: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        wanted = target[:, 1:]
        found = model.features((source, target[:, :-1]), training=False)
        logits = tf.cast(model.final_layer(found), tf.float32)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(wanted, logits)
        kept = wanted != 0
        return tuple(tf.boolean_mask(each, kept) for each in (found, wanted, losses))

    for batch in reference_batches(translator, pairs):
        found, ids, losses = (each.numpy() for each in predict(*batch))
        yield found.astype(np.float32), ids, np.exp(-losses.astype(np.float64))


def predictions(translator: Translator, datastore: Datastore, pairs: Sequence[Pair]) -> Predictions:
    """Return the `Predictions` of the targets of some pairs."""
    queries, ids, probabilities = _joined(features(translator, pairs))
    return Predictions(probabilities, datastore.neighbors(queries), ids)


def _joined(batches: Iterable[tuple[NDArray, ...]]) -> list[NDArray]:
    """Return the arrays of all batches, each kind in one array."""
    return [np.concatenate(parts) for parts in zip(*batches, strict=True)]

"""The modules that a SavedModel contains, and their signatures.

The first axis of every input and output is the batch B, and no tensor is ragged or scalar. A server
can therefore merge the requests of several clients into one batch.
"""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from keras_transformer.export.compiled_search import CompiledSearch
from keras_transformer.export.weights import Weights
from keras_transformer.search.settings import SearchSettings
from keras_transformer.tensors import Tensor
from keras_transformer.text.subwords import PADDING, UNKNOWN
from keras_transformer.translation.graph_shortlist import graph_ids
from keras_transformer.translation.translator import Translator
from keras_transformer.translation.xla_search import XlaSearch

if TYPE_CHECKING:  # needs tensorflow-text, which an export without text does not need
    from keras_transformer.export.graph_subwords import GraphSubwords

IDS = tf.TensorSpec((None, None), tf.int32, name="source_ids")


def strings(name: str) -> Any:
    """Return the `tf.TensorSpec` of a batch of strings."""
    return tf.TensorSpec((None,), tf.string, name=name)


class SavedSearch(tf.Module):
    """The search from source ids to target ids.

    Args:
        translator: the `Translator`, whose shortlist the search uses, if it has one.
        weights: the network's weights, as `Variables`, or as `OneVariable` for XLA.
        settings: the `SearchSettings`.
        xla: whether XLA compiles the search for single sentences.
    """

    def __init__(
        self, translator: Translator, weights: Weights, settings: SearchSettings, xla: bool
    ) -> None:
        super().__init__()
        self.weights = weights
        batch_search = translator.batch_search
        self.shortlist = batch_search.shortlist
        self.hypotheses = functools.partial(batch_search.network_search, settings=settings)
        self.search: Callable[[Tensor], tuple[Tensor, Tensor]] = self._search
        if xla:
            sentence_search = XlaSearch.of(batch_search).sentence_search(settings)
            self.search = CompiledSearch(sentence_search, self._search)

    def __call__(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return target ids (B, T) and scores (B,) for source ids (B, S).

        A row of padding yields a row of padding with a score of 0.
        """
        return self.search(source)

    def _search(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return the result of `__call__` without XLA, skipping rows of padding."""
        rows = tf.where(tf.reduce_any(source != PADDING, axis=1))  # (N, 1)
        sources = tf.gather(source, rows[:, 0])
        listed = None if self.shortlist is None else graph_ids(self.shortlist, sources)
        with self.weights.used():
            found = self.hypotheses(sources, shortlist=listed)
        batch = tf.shape(source, tf.int64)[0]
        ids = found.ids[:, 0]  # (N, T)
        shape = tf.stack([batch, tf.shape(ids, tf.int64)[1]])
        return tf.scatter_nd(rows, ids, shape), tf.scatter_nd(rows, found.scores[:, 0], [batch])


class IdTranslator(tf.Module):
    """A translator from subword ids to subword ids, without operations on text.

    Args:
        translator: the `Translator`.
        search: a `SavedSearch` of the translator.
    """

    def __init__(self, translator: Translator, search: SavedSearch) -> None:
        super().__init__()
        self.weights = search.weights
        self.translator = translator
        self.search = search

    @tf.function(input_signature=[IDS], autograph=False)
    def ids(self, source_ids: Tensor) -> dict[str, Tensor]:
        """Translate source ids (B, S).

        Returns:
            `target_ids` (B, T), without the start token, and `score` (B,).
        """
        target, score = self.search(self._sanitized(source_ids))
        return {"target_ids": target, "score": score}

    def _sanitized(self, source_ids: Tensor) -> Tensor:
        """Return source ids (B, S) that the network can read.

        A server that merges requests pads the shorter ones with their first id, the start token.
        Everything after the first end token or padding is therefore replaced by padding, and so is
        an empty source, of only these tokens. Numbers that are not ids become the unknown id, and a
        source that is too long is truncated and ended by the end token.
        """
        subwords, longest = self.translator.source_subwords, self.translator.max_source_length
        after_end = tf.pad(source_ids == subwords.end, ((0, 0), (1, 0)))[:, :-1]
        is_over = tf.cumsum(tf.cast(after_end | (source_ids == PADDING), tf.int32), axis=1) > 0
        lengths = tf.reduce_sum(tf.cast(~is_over, tf.int32), axis=1, keepdims=True)
        known = (source_ids >= 0) & (source_ids < subwords.size)
        ids = tf.where(is_over, PADDING, tf.where(known, source_ids, UNKNOWN))[:, :longest]
        is_cut = (lengths > longest) & (tf.range(tf.shape(ids)[1]) == longest - 1)
        is_text = (ids != PADDING) & (ids != subwords.start) & (ids != subwords.end)
        is_empty = ~tf.reduce_any(is_text, axis=1, keepdims=True)
        return tf.where(is_empty, PADDING, tf.where(is_cut, subwords.end, ids))

    def signatures(self) -> dict[str, Any]:
        """Return {name: function}, the signatures that a server offers."""
        return {"serving_default": self.ids, "ids": self.ids}


class TextTranslator(IdTranslator):
    """A translator from text to text.

    Args:
        translator: the `Translator`.
        search: the `SavedSearch` for the signatures `serving_default` and `ids`.
        greedy: the `SavedSearch` for the signature `greedy`.
        source_subwords, target_subwords: `GraphSubwords` of the two languages.
    """

    def __init__(
        self,
        translator: Translator,
        search: SavedSearch,
        greedy: SavedSearch,
        source_subwords: "GraphSubwords",
        target_subwords: "GraphSubwords",
    ) -> None:
        super().__init__(translator, search)
        self.greedy_search = greedy
        self.source_subwords = source_subwords
        self.target_subwords = target_subwords

    @tf.function(input_signature=[strings("source")], autograph=False)
    def translate(self, source: Tensor) -> dict[str, Tensor]:
        """Return the `translation` (B,) and `score` (B,) of sentences (B,)."""
        return self._translate(source, self.search)

    @tf.function(input_signature=[strings("source")], autograph=False)
    def greedy(self, source: Tensor) -> dict[str, Tensor]:
        """Return the `translation` (B,) and `score` (B,) of sentences (B,) by greedy search."""
        return self._translate(source, self.greedy_search)

    def _translate(self, source: Tensor, search: SavedSearch) -> dict[str, Tensor]:
        target, score = search(self.source_subwords.encode(source))
        return {"translation": self.target_subwords.decode(target), "score": score}

    @tf.function(input_signature=[strings("source"), strings("target")], autograph=False)
    def attention(self, source: Tensor, target: Tensor) -> dict[str, Tensor]:
        """Return the attention weights between sentences (B,) and their translations (B,).

        Returns:
            `source_subwords` (B, S) and `target_subwords` (B, T), strings; with L layers,
            `encoder_attention` (B, L, H, S, S), `decoder_attention` (B, L, H, T, T) and
            `cross_attention` (B, L, H, T, S).
        """
        source = self.source_subwords.encode(source)
        target = self.target_subwords.encode(target)
        with self.weights.used():
            _, weights = self.translator.model(
                (source, target), training=False, return_attention=True
            )
        named = {f"{kind}_attention": tf.stack(w, axis=1) for kind, w in weights._asdict().items()}
        return named | {
            "source_subwords": self.source_subwords.labels(source),
            "target_subwords": self.target_subwords.labels(target),
        }

    def signatures(self) -> dict[str, Any]:
        """Return {name: function}, the signatures that a server offers."""
        return super().signatures() | {
            "serving_default": self.translate,
            "greedy": self.greedy,
            "attention": self.attention,
        }

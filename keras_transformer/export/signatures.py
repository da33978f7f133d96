"""The exported translator: what a SavedModel holds, and its signatures.

A signature takes and gives tensors whose first axis is the batch B: nothing ragged, nothing
scalar, so that a server can put requests together.
"""

import functools

import tensorflow as tf

from keras_transformer.export.compiled_search import CompiledSearch
from keras_transformer.text.subwords import PADDING, UNKNOWN
from keras_transformer.translation.compiled import XlaSearch

IDS = tf.TensorSpec((None, None), tf.int32, name="source_ids")


def strings(name):
    """The specification of a batch of strings."""
    return tf.TensorSpec((None,), tf.string, name=name)


class SavedSearch(tf.Module):
    """The search from source ids to target ids.

    Args:
        translator: a `Translator`.
        weights: its `Variables` or, where XLA compiles, `OneVariable`.
        settings: the `SearchSettings`.
        xla: whether XLA compiles the search of single sentences.
    """

    def __init__(self, translator, weights, settings, xla):
        super().__init__()
        self.weights = weights
        search = translator.search
        self.hypotheses = functools.partial(search.search, settings=settings)
        self.search = self._search
        if xla:
            self.search = CompiledSearch(
                XlaSearch.of(search).sentence_search(settings), self._search
            )

    def __call__(self, source):
        """Source ids (B, S) -> target ids (B, T) and scores (B,).

        A row of padding gives padding, with a score of 0.
        """
        return self.search(source)

    def _search(self, source):
        """The call without XLA, which does not search for rows of padding."""
        rows = tf.where(tf.reduce_any(source != PADDING, axis=1))  # (N, 1)
        with self.weights.used():
            found = self.hypotheses(tf.gather(source, rows[:, 0]))
        batch = tf.shape(source, tf.int64)[0]
        ids = found.ids[:, 0]  # (N, T)
        shape = tf.stack([batch, tf.shape(ids, tf.int64)[1]])
        return tf.scatter_nd(rows, ids, shape), tf.scatter_nd(rows, found.scores[:, 0], [batch])


class IdTranslator(tf.Module):
    """A translator whose clients know the subwords: no operation on text.

    Args:
        translator: a `Translator`.
        search: its `SavedSearch`.
    """

    def __init__(self, translator, search):
        super().__init__()
        self.weights = search.weights
        self.translator = translator
        self.search = search

    @tf.function(input_signature=[IDS], autograph=False)
    def ids(self, source_ids):
        """Source ids (B, S) -> `target_ids` (B, T), without start token, and `score` (B,)."""
        target, score = self.search(self._readable(source_ids))
        return {"target_ids": target, "score": score}

    def _readable(self, source_ids):
        """Source ids as far as the network can read them.

        A server that puts requests together pads the shorter with its first id, the start token:
        what follows the first end token or padding is padding. What is no id is unknown.
        """
        subwords, longest = self.translator.source_subwords, self.translator.max_source_length
        after_end = tf.pad(source_ids == subwords.end, ((0, 0), (1, 0)))[:, :-1]
        is_over = tf.cumsum(tf.cast(after_end | (source_ids == PADDING), tf.int32), axis=1) > 0
        lengths = tf.reduce_sum(tf.cast(~is_over, tf.int32), axis=1, keepdims=True)
        known = (source_ids >= 0) & (source_ids < subwords.size)
        ids = tf.where(is_over, PADDING, tf.where(known, source_ids, UNKNOWN))[:, :longest]
        is_cut = (lengths > longest) & (tf.range(tf.shape(ids)[1]) == longest - 1)
        return tf.where(is_cut, subwords.end, ids)

    def signatures(self):
        """{name: function} of what a server can be asked."""
        return {"serving_default": self.ids, "ids": self.ids}


class TextTranslator(IdTranslator):
    """A translator with text in and text out.

    Args:
        translator: a `Translator`.
        search: its `SavedSearch` for `serving_default` and `ids`.
        greedy: its cheapest `SavedSearch`.
        source_subwords, target_subwords: `GraphSubwords` of the two languages.
    """

    def __init__(self, translator, search, greedy, source_subwords, target_subwords):
        super().__init__(translator, search)
        self.greedy_search = greedy
        self.source_subwords = source_subwords
        self.target_subwords = target_subwords

    @tf.function(input_signature=[strings("source")], autograph=False)
    def translate(self, source):
        """Sentences (B,) -> `translation` (B,) and `score` (B,)."""
        return self._translate(source, self.search)

    @tf.function(input_signature=[strings("source")], autograph=False)
    def greedy(self, source):
        """Sentences (B,) -> `translation` (B,) and `score` (B,), by the greedy search."""
        return self._translate(source, self.greedy_search)

    def _translate(self, source, search):
        target, score = search(self.source_subwords.encode(source))
        return {"translation": self.target_subwords.decode(target), "score": score}

    @tf.function(input_signature=[strings("source"), strings("target")], autograph=False)
    def attention(self, source, target):
        """Sentences and translations (B,) -> their subwords and all attention weights.

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

    def signatures(self):
        """{name: function} of what a server can be asked."""
        return super().signatures() | {
            "serving_default": self.translate,
            "greedy": self.greedy,
            "attention": self.attention,
        }

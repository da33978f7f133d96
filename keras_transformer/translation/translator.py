"""A translator: sentences in, translations out, and the attention between them."""

import itertools
import logging

import keras
import tensorflow as tf

from keras_transformer.config import BEAM_SIZE, LENGTH_PENALTY
from keras_transformer.kernels import vocabulary_projection as final_layer
from keras_transformer.kernels.top_k import NEVER
from keras_transformer.runs.run import Run
from keras_transformer.search.search import Hypotheses, beam_search, greedy_search
from keras_transformer.text.batches import pad
from keras_transformer.text.subwords import PADDING
from keras_transformer.translation.parallel import side_by_side
from keras_transformer.translation.translation import Translation

logger = logging.getLogger(__name__)


class Translator:
    """Translates with a `Transformer` and the subwords of its two languages.

    Args:
        model: the `Transformer`.
        source_subwords, target_subwords: `Subwords` of the two languages.
        max_source_length: most ids of a source, start and end included; the rest is left out.
        max_target_length: most ids of a target, start and end included.
    """

    def __init__(
        self, model, source_subwords, target_subwords, max_source_length=41, max_target_length=42
    ):
        self.model = model
        self.source_subwords = source_subwords
        self.target_subwords = target_subwords
        self.max_source_length = max_source_length
        self.max_target_length = max_target_length
        self._searches = {}  # compiled ones, for their settings

    @property
    def num_layers(self):
        """The number of layers of the encoder, and of the decoder."""
        return len(self.model.decoder.dec_layers)

    @classmethod
    def load(cls, directory):
        """The translator of a run directory, with its best weights.

        Raises:
            UserError: there is no run, nothing saved in it, or it is damaged.
        """
        run = Run.open(directory)
        source_subwords, target_subwords = run.subwords()
        model = run.build_model(source_subwords, target_subwords)
        run.restore_weights(model)
        text = run.config.text
        return cls(
            model, source_subwords, target_subwords, text.max_source_length, text.max_target_length
        )

    def translate(
        self,
        sentences,
        beam_size=BEAM_SIZE,
        alpha=LENGTH_PENALTY,
        n_best=1,
        batch_size=64,
        numbers=None,
        workers=None,
    ):
        """Translates sentences, like lengths together, and gives them back in their order.

        Args:
            sentences: list of strings; one without a word has the empty translation.
            beam_size: hypotheses kept by the search; 1 is greedy.
            alpha: length penalty; 0 favours short translations, 1 and more long ones.
            n_best: translations of each sentence, `beam_size` at most.
            batch_size: sentences searched at once.
            numbers: the line of each sentence, for warnings; by default 1, 2, ...
            workers: batches searched at the same time; by default one for each core.

        Returns:
            For each sentence a list of `n_best` `Translation`s (fewer if there are not so many),
            the best first.
        """
        sources = [self._encode(sentence) for sentence in sentences]
        for number, source in zip(numbers or itertools.count(1), sources, strict=False):
            if len(source) > self.max_source_length:
                logger.warning(
                    "line %d is too long: of its %d subwords the first %d are translated",
                    number,
                    len(source) - 2,
                    self.max_source_length - 2,
                )
        sources = [self._fit(source) for source in sources]
        found = [[Translation("", 0.0)] for _ in sources]
        order = sorted(
            (i for i, source in enumerate(sources) if len(source) > 2),
            key=lambda i: len(sources[i]),
        )
        # The longest first, so that at the end no core waits long for another.
        batches = [order[i : i + batch_size] for i in range(0, len(order), batch_size)][::-1]

        def search_batch(batch):
            return self._search([sources[i] for i in batch], beam_size, alpha, n_best)

        for batch, hypotheses in zip(
            batches, side_by_side(search_batch, batches, workers), strict=True
        ):
            for i, ids, scores in zip(batch, hypotheses.ids, hypotheses.scores, strict=True):
                found[i] = self._translations(ids, scores) or found[i]
        return found

    def _encode(self, sentence):
        """The ids of a sentence; none for one of white space."""
        return self.source_subwords.encode(sentence) if sentence.strip() else []

    def source_ids(self, sentence):
        """Return the ids of a sentence as the network reads them, start and end included."""
        return self._fit(self.source_subwords.encode(sentence))

    def _fit(self, source):
        """The ids of a source as far as the network can read them."""
        if len(source) <= self.max_source_length:
            return source
        return [*source[: self.max_source_length - 1], self.source_subwords.end]

    def _translations(self, ids, scores):
        start = self.target_subwords.start
        return [
            Translation(
                self.target_subwords.decode(row),
                float(score),
                (start, *(int(i) for i in row if i != PADDING)),
            )
            for row, score in zip(ids, scores, strict=True)
            if score > NEVER
        ]

    def _search(self, sources, beam_size, alpha, n_best):
        """Lists of source ids -> `Hypotheses` (B, n_best, T) in NumPy."""
        compiled = self._kept(self._compiled, beam_size, n_best)
        found = compiled(tf.constant(pad(sources)), tf.constant(alpha, tf.float32))
        return Hypotheses(*(tensor.numpy() for tensor in found))

    def _kept(self, make, *settings):
        """What `make` gives for the settings; it is made once."""
        key = make.__name__, settings
        if key not in self._searches:
            self._searches.setdefault(key, make(*settings))  # others may do the same
        return self._searches[key]

    def _compiled(self, beam_size, n_best):
        """A search as a `tf.function`: source ids (B, S), alpha -> `Hypotheses` (B, n_best, T)."""
        return tf.function(
            lambda source, alpha: self.hypotheses(source, None, beam_size, alpha, n_best),
            input_signature=(tf.TensorSpec((None, None), tf.int32), tf.TensorSpec(())),
            autograph=False,
        )

    def hypotheses(
        self,
        source,
        fixed_length=None,
        beam_size=BEAM_SIZE,
        alpha=LENGTH_PENALTY,
        n_best=1,
    ):
        """Source ids (B, S) -> `Hypotheses` (B, n_best, T), in TensorFlow operations.

        The search is greedy for a `beam_size` of 1; the rest as for `greedy`.
        """
        if beam_size == 1:
            return self.greedy(source, alpha, fixed_length)
        return self.beam(source, alpha, beam_size, n_best, fixed_length)

    def greedy(self, source, alpha, fixed_length=None):
        """Source ids (B, S) -> `Hypotheses` (B, 1, T), in TensorFlow operations.

        With `fixed_length` no tensor changes its shape, as XLA needs it, and T is that number.
        """
        with self._weights_read():
            step, start = self._start(source, 1, fixed_length)
            return greedy_search(step, *start, alpha, fixed_length is not None)

    def beam(self, source, alpha, beam_size, n_best=1, fixed_length=None):
        """Source ids (B, S) -> `Hypotheses` (B, n_best, T); the rest as for `greedy`."""
        fixed, longest = fixed_length is not None, self.max_target_length - 1
        with self._weights_read():
            step, start = self._start(source, beam_size, fixed_length)
            return beam_search(step, *start, beam_size, alpha, n_best, fixed, longest)

    def _weights_read(self):
        """A context in which the weights are read once, and not anew at each position."""
        weights = self.model.weights
        return keras.StatelessScope([(variable, variable.value) for variable in weights])

    def _start(self, source, beam_size, fixed_length):
        """The step of a search; its first state, the batch, start, end and limit."""
        decoder, batch = self.model.decoder, tf.shape(source)[0]
        start, end = self.target_subwords.start, self.target_subwords.end
        if fixed_length is None:
            caches, limit = decoder.growing_caches(batch), self.max_target_length - 1
        else:
            caches, limit = decoder.fixed_caches(batch, fixed_length * beam_size), fixed_length
        state = self.model.encode(source), caches
        return self._step(beam_size, fixed_length is not None), (state, batch, start, end, limit)

    def _step(self, beam_size, fixed):
        """The step function of the searches."""
        never = self.target_subwords.suppressed_ids()
        weights = final_layer.filled(*self.model.final_weights(), never)
        logits = final_layer.fastest(beam_size, xla=fixed)(*weights)

        def step(ids, position, lineage, state):
            source, caches = state
            slots = lineage if fixed else lineage[:, :, : position + 1]  # (B, k, t)
            features, caches = self.model.step(ids, position, caches, source, _hidden(slots))
            return logits(features), (source, caches)

        return step

    def attention(self, sentence, translation):
        """The attention weights between a sentence and its translation, by one full pass.

        Args:
            sentence: the source.
            translation: a `Translation` of it.

        Returns:
            The source's subwords (S), the target's (T), both with start and end, and
            `AttentionWeights` of one sentence, whose tensors are (1, H, query, key).
        """
        source = self._fit(self._encode(sentence))
        target = list(translation.ids)
        _, weights = self.model(
            (tf.constant([source]), tf.constant([target])), training=False, return_attention=True
        )
        return (
            self.source_subwords.labels(source),
            self.target_subwords.labels(target),
            weights,
        )


def _hidden(lineage):
    """Lineage (B, k, t) -> the mask (B, 1, k, t * k) of all slots but those of the ancestors."""
    beam_size = lineage.shape[1]
    hidden = tf.one_hot(lineage, beam_size, on_value=0.0, off_value=1.0)  # (B, k, t, k)
    shape = tf.shape(lineage)
    return tf.reshape(hidden, (shape[0], 1, beam_size, shape[2] * beam_size))

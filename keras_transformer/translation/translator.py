"""A translator: sentences in, translations and attention weights out."""

import functools
import logging
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Self

import tensorflow as tf

from keras_transformer.kernels.top_k import NEVER
from keras_transformer.model.folding import folded
from keras_transformer.model.transformer import AttentionWeights, Transformer
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.encoding import Encoding
from keras_transformer.text.subwords import PADDING
from keras_transformer.translation.batch_search import BatchSearch
from keras_transformer.translation.datastore import Datastore
from keras_transformer.translation.decoding import default_decoding
from keras_transformer.translation.neighbor_search import NeighborSearch
from keras_transformer.translation.network_search import NetworkSearch
from keras_transformer.translation.parallel import map_batches
from keras_transformer.translation.restoring import Restorer
from keras_transformer.translation.shortlist import Shortlist
from keras_transformer.translation.translation import Translation, require_list

logger = logging.getLogger(__name__)


class Translator:
    """Translates with a `Transformer` and the subwords of its two languages.

    Args:
        model: the `Transformer`.
        encoding: the `Encoding`, which has the `Subwords` of the two languages and the maximum
            numbers of ids of a source and of a target; longer sources are truncated.
        batch_search: `BatchSearch`, or `XlaSearch` for sentences that arrive one at a time.
        search: the default `SearchSettings` of translations; `SearchSettings()` by default.
        restore: a function of a source and its translation, such as a `Restorer`, that returns the
            text of the translation; by default, the text is that of the subwords.
        search_model: an equal network that the search uses, such as a `folded` one; by default
            `model`. Later changes of `model` do not reach it.
        network_search: `NetworkSearch`, or `NeighborSearch` with its datastore.

    Examples:
        >>> translator = Translator.load("checkpoints/phrasebook-en-de")
        >>> [[translation]] = translator.translate(["Where is the station?"])
        >>> translation.text
        'Wo ist der Bahnhof?'
    """

    def __init__(
        self,
        model: Transformer,
        encoding: Encoding,
        batch_search: Callable[[NetworkSearch, int], BatchSearch] = BatchSearch,
        search: SearchSettings | None = None,
        restore: Callable[[str, str], str] | None = None,
        search_model: Transformer | None = None,
        network_search: Callable[..., NetworkSearch] = NetworkSearch,
    ) -> None:
        self.model = model
        self.encoding = encoding
        self.source_subwords, self.target_subwords = encoding.subwords
        self.max_source_length = encoding.max_source_length
        self.max_target_length = encoding.max_target_length
        self.search = search or SearchSettings()
        self.restore = restore or self.unrestored
        ends = self.target_subwords.start, self.target_subwords.end
        suppressed = self.target_subwords.suppressed_ids()
        longest = self.max_target_length - 1
        found = network_search(search_model or model, *ends, suppressed, longest)
        self.batch_search = batch_search(found, self.max_source_length)

    def num_layers(self, kind: str) -> int:
        """Return the number of layers with attention weights of a kind, such as "encoder"."""
        layers = (
            self.model.encoder.enc_layers if kind == "encoder" else self.model.decoder.dec_layers
        )
        return len(layers)

    @classmethod
    def load(
        cls,
        directory: str | os.PathLike,
        batch_search: Callable[..., BatchSearch] = BatchSearch,
        **options: bool,
    ) -> Self:
        """Load the translator of a run directory, as `of` loads that of a `Run`.

        Args:
            directory: the run directory.
            batch_search, **options: see `of`.

        Raises:
            NoShortlist: If `shortlist` is true and the run has none.
            NoDatastore: If `neighbors` is true and the run has no datastore.
            UserError: If there is no run or no checkpoint, or a file is damaged.
        """
        run = Run.open(directory)
        return cls.of(run, batch_search, **options)

    @classmethod
    def of(
        cls,
        run: Run,
        batch_search: Callable[..., BatchSearch] = BatchSearch,
        *,
        shortlist: bool = False,
        fold_normalizations: bool = True,
        neighbors: bool = False,
    ) -> Self:
        """Load the translator of a run, with its best weights and length penalty.

        Args:
            run: the `Run`.
            batch_search: `BatchSearch` or `XlaSearch`.
            shortlist: whether the search considers only the target subwords that the run's
                `Shortlist` has for the sources of a batch.
            fold_normalizations: whether the search uses a `folded` network, which is faster. If
                not, the search uses the weights of `model`.
            neighbors: whether the search also uses the run's `Datastore`. It cannot be combined
                with `XlaSearch` or a shortlist.

        Raises:
            NoShortlist: If `shortlist` is true and the run has none.
            NoDatastore: If `neighbors` is true and the run has no datastore.
            UserError: If there is no checkpoint, or a file is damaged.
            ValueError: If `neighbors` is true and cannot be combined with the rest.
        """
        if neighbors and (shortlist or batch_search is not BatchSearch):
            raise ValueError("neighbors cannot be combined with a shortlist or XlaSearch")
        encoding = run.encoding()
        model = run.build_model(*encoding.subwords)
        run.restore_weights(model)
        if shortlist:
            batch_search = functools.partial(batch_search, shortlist=Shortlist.of(run))
        search, restore = default_decoding(run).search(), Restorer.of(run)
        search_model = folded(model) if fold_normalizations else model
        found = functools.partial(NeighborSearch, Datastore.of(run, model)) if neighbors else None
        network = search_model, found or NetworkSearch
        return cls(model, encoding, batch_search, search, restore, *network)

    def translate(
        self,
        sentences: Sequence[str],
        search: SearchSettings | None = None,
        *,
        batch_size: int = 64,
        numbers: Iterable[int | None] | None = None,
        workers: int | None = None,
    ) -> list[list[Translation]]:
        """Translate sentences.

        Args:
            sentences: strings; a sentence of white space has the empty translation.
            search: the `SearchSettings`; by default those of the translator.
            batch_size: maximum number of sentences in a batch. Sentences of similar length share a
                batch.
            numbers: the line number of each sentence, for warnings, or None for no warning. By
                default, 1, 2, ...
            workers: number of batches searched in parallel; by default one per core, or one in all
                if there is a GPU.

        Returns:
            For each sentence, in order, a list of `Translation`s, best first. The list has
            `search.n_best` elements, or fewer if the search finds fewer.

        Raises:
            TypeError: If `sentences` is a single string or an iterator.
            ValueError: If `numbers` are not as many as `sentences`.
        """
        require_list(sentences)
        settings = search or self.search
        by_default = range(1, len(sentences) + 1)
        sources = self._sources(sentences, by_default if numbers is None else numbers)
        kept = [i for i, source in enumerate(sources) if len(source) > 2]
        chosen = [sources[i] for i in kept]

        def search_batch(batch: list[int]) -> Iterable[tuple[list[list[int]], list[float]]]:
            found = self.batch_search([chosen[k] for k in batch], settings)
            # Loops over lists are several times as fast as loops over arrays.
            return zip(found.ids.tolist(), found.scores.tolist(), strict=True)

        translations = [[Translation("", 0.0)] for _ in sources]
        results = map_batches(search_batch, list(map(len, chosen)), batch_size, workers)
        for i, (ids, scores) in zip(kept, results, strict=True):
            translations[i] = self._translations(sentences[i], ids, scores) or translations[i]
        return translations

    @staticmethod
    def unrestored(source: str, translation: str) -> str:
        """Return a translation as it is."""
        return translation

    def source_ids(self, sentence: str) -> list[int]:
        """Return the ids of a sentence as the network reads them, start and end included."""
        return self._cut(self.source_subwords.encode(sentence))

    def target_ids(self, text: str) -> list[int]:
        """Return the ids of a translation, start and end included, as many as the network reads."""
        return self.target_subwords.encode(text)[: self.max_target_length]

    def _sources(self, sentences: Iterable[str], numbers: Iterable[int | None]) -> list[list[int]]:
        """Return the ids of each sentence, none for white space; warn about truncated sentences."""
        sources = []
        for number, sentence in zip(numbers, sentences, strict=True):
            ids = self.source_subwords.encode(sentence) if sentence.strip() else []
            if len(ids) > self.max_source_length and number is not None:
                self._warn_about_cut(number, ids)
            sources.append(self._cut(ids))
        return sources

    def _warn_about_cut(self, number: int, ids: list[int]) -> None:
        logger.warning(
            "line %d: a sentence is too long: only the first %d of its %d subwords are translated",
            number,
            self.max_source_length - 2,
            len(ids) - 2,
        )

    def _cut(self, source: list[int]) -> list[int]:
        """Return the ids of a source, truncated to `max_source_length`."""
        if len(source) <= self.max_source_length:
            return source
        return [*source[: self.max_source_length - 1], self.source_subwords.end]

    def _translations(
        self, sentence: str, rows: Iterable[list[int]], scores: Iterable[float]
    ) -> list[Translation]:
        """Return the translations of a sentence: rows of ids with padding, and their scores."""
        return [
            self._translation(sentence, [i for i in row if i != PADDING], score)
            for row, score in zip(rows, scores, strict=True)
            if score > NEVER
        ]

    def _translation(self, sentence: str, ids: list[int], score: float) -> Translation:
        text = self.restore(sentence, self.target_subwords.decode(ids))
        return Translation(text, score, (self.target_subwords.start, *ids))

    def attention(
        self, sentence: str, translation: Translation
    ) -> tuple[list[str], list[str], AttentionWeights]:
        """Compute the attention weights between a sentence and its translation.

        Args:
            sentence: the source.
            translation: a `Translation` of the sentence. If it has no ids, its text is encoded.

        Returns:
            The subwords of the source (S) and of the target (T), including start and end, if any,
            and the `AttentionWeights`, whose tensors are (1, H, query, key).
        """
        source = self.source_ids(sentence) if sentence.strip() else []
        target = list(translation.ids)
        if translation.text and not target:
            target = self.target_ids(translation.text)
        _, weights = self.model(
            (tf.constant([source]), tf.constant([target])), training=False, return_attention=True
        )
        labels = self.source_subwords.labels(source), self.target_subwords.labels(target)
        return *labels, weights

"""A translator for sentences that come one by one."""

from keras_transformer.translation.compiled import SentenceSearch
from keras_transformer.translation.translator import Translator


class XlaTranslator(Translator):
    """A `Translator` whose search for a sentence alone is compiled by XLA.

    That takes seconds when a search (of a beam size, length penalty and number of translations)
    meets its first sentence of one of the lengths in `sentence_search.BUCKETS`; from then on each
    of them takes a few milliseconds. Several sentences in a batch are searched for as a
    `Translator` does it.

    Its `translate` raises a `UserError` if the network has too many weights.
    """

    def _search(self, sources, beam_size, alpha, n_best):
        if len(sources) > 1:
            return super()._search(sources, beam_size, alpha, n_best)
        return self._kept(self._sentence_search, beam_size, alpha, n_best)(*sources)

    def _sentence_search(self, beam_size, alpha, n_best):
        return SentenceSearch.of(self, beam_size=beam_size, alpha=alpha, n_best=n_best)

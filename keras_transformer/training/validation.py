"""The scores of a network on validation pairs: its loss, and the BLEU of its translations."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from keras_transformer.search.settings import SearchSettings
from keras_transformer.tensors import Tensor
from keras_transformer.text.pairs import Pair
from keras_transformer.training.objective import Totals
from keras_transformer.training.steps import Step
from keras_transformer.training.workers import Workers
from keras_transformer.translation.bleu import bleu, bleu_counts, bleu_tokenizer
from keras_transformer.translation.translator import Translator


class Validator:
    """Validates the current weights of a network.

    Args:
        translator: the `Translator` of the network.
        step: computes the `Totals` of a batch; see `compile_validation_step`.
        batches: returns the batches of ids (B, S) and (B, T) of the validation pairs.
        sample: the validation pairs that are translated for BLEU.
        target_lang: the target language, which decides how BLEU divides sentences into words.
        workers: the `Workers` that validate together.

    Attributes:
        translator: the translator.
    """

    def __init__(
        self,
        translator: Translator,
        step: Step,
        batches: Callable[[], Iterable[tuple[Tensor, Tensor]]],
        sample: Sequence[Pair],
        target_lang: str,
        workers: Workers,
    ) -> None:
        self.translator = translator
        self._step = step
        self._batches = batches
        self._sample = sample
        self._tokenize = bleu_tokenizer(target_lang)
        self._workers = workers

    def totals(self) -> Totals:
        """Return the `Totals` over the validation pairs, without label smoothing."""
        totals = Totals()
        for batch in self._batches():
            totals = totals.plus(self._step(*batch))
        return totals

    def sample_bleu(self) -> float:
        """Return the BLEU of greedy translations of the sample. The workers divide them."""
        return bleu(self._workers.sum(self._bleu_counts(self._workers.part(self._sample))))

    def bleu(self, pairs: Sequence[Pair]) -> float:
        """Return the BLEU of greedy translations, without the help of other workers."""
        return bleu(self._bleu_counts(pairs))

    def _bleu_counts(self, pairs: Sequence[Pair]) -> NDArray[np.int64]:
        """Return the counts of greedy translations from which BLEU is computed."""
        sources, references = [source for source, _ in pairs], [target for _, target in pairs]
        translations = self.translator.translate(sources, SearchSettings().greedy())
        return bleu_counts([best.text for best, *_ in translations], references, self._tokenize)

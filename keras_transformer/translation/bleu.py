"""Corpus BLEU (Papineni et al. 2002) by sacrebleu, from counts that add up over parts."""

from collections.abc import Sequence

import numpy as np
import sacrebleu
from numpy.typing import NDArray

from keras_transformer.text.sentences import CHINESE, UNSPACED


def bleu_tokenizer(lang: str) -> str:
    """Return sacrebleu's tokenizer for BLEU in a language.

    Without spaces, a whole sentence would be one token of the tokenizer 13a. Chinese has a
    tokenizer; other languages without spaces are compared by characters.

    Args:
        lang: code of the language.
    """
    if lang in CHINESE:
        return "zh"
    return "char" if lang in UNSPACED else "13a"


def bleu_counts(
    hypotheses: Sequence[str], references: Sequence[str], tokenize: str = "13a"
) -> NDArray[np.int64]:
    """Count what determines cased corpus BLEU.

    The counts of two sets of sentences add up to those of both sets together.

    Args:
        hypotheses: the translations.
        references: the reference of each translation.
        tokenize: tokenizer, as sacrebleu names it.

    Returns:
        (2 + 2 * 4,): the lengths of hypotheses and references in tokens, and for n from 1 to 4 the
        number of matching and of all n-grams of the hypotheses.
    """
    order = sacrebleu.BLEU().max_ngram_order
    if not hypotheses:
        return np.zeros(2 + 2 * order, np.int64)
    metric = sacrebleu.BLEU(tokenize=tokenize, force=True)
    found = metric.corpus_score(hypotheses, [references])
    return np.array([found.sys_len, found.ref_len, *found.counts, *found.totals], np.int64)


def bleu(counts: NDArray[np.int64]) -> float:
    """Compute BLEU, from 0 to 100, from the sum of `bleu_counts`."""
    hypothesis_length, reference_length = counts[:2].tolist()
    matching, ngrams = counts[2:].reshape(2, -1).tolist()
    metric = sacrebleu.BLEU()
    found = metric.compute_bleu(
        matching, ngrams, hypothesis_length, reference_length, metric.smooth_method
    )
    return found.score

"""Measure what reranking gains, for several weights of its models.

    python benchmarks/reranking.py --checkpoint checkpoints/phrasebook-en-de
    python benchmarks/reranking.py --checkpoint checkpoints/multi30k-default \
        --test multi30k/val.en multi30k/val.de

The script searches once, reranks the hypotheses with each combination of weights, and scores the
best ones with BLEU and chrF. The first row is the order of the search.
"""

import argparse
import itertools
import math
from collections.abc import Sequence

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import numpy as np
    from numpy.typing import NDArray

    from keras_transformer import phrasebook
    from keras_transformer.runs.run import Run
    from keras_transformer.search.settings import RERANKED, SearchSettings
    from keras_transformer.text.corpus import open_pairs
    from keras_transformer.translation.evaluation import score_text
    from keras_transformer.translation.parallel import one_thread_per_operation
    from keras_transformer.translation.reranking import Reranker
    from keras_transformer.translation.translation import Translation
    from keras_transformer.translation.translator import Translator

LEXICON_WEIGHTS = (0.05, 0.1, 0.15, 0.2)
NGRAM_WEIGHTS = (0.03, 0.05, 0.07)
TRANSLATED = (1.0, 0.1, 0.02)  # a word counts as translated from this probability on

# The score of a translation, the lexicon's log probabilities of its words, and its n-gram score.
Features = tuple[float, NDArray[np.float64], float]


def features(reranker: Reranker, source: str, found: Sequence[Translation]) -> list[Features]:
    """Return the features of each translation of a source."""
    return [
        (
            each.score,
            reranker.lexicon.log_probabilities(source, each.text),
            reranker.ngrams.scores(each.text).sum(),
        )
        for each in found
    ]


def best_texts(
    found: Sequence[Sequence[Translation]],
    rows: Sequence[Sequence[Features]],
    weights: tuple[float, float, float],
) -> list[str]:
    """Return the best text of each sentence, given (lexicon weight, n-gram weight, translated)."""
    lexicon, ngrams, translated = weights

    def total(row: Features) -> float:
        score, explained, fluency = row
        adequacy = np.minimum(explained, math.log(translated)).sum()
        return score + lexicon * adequacy + ngrams * fluency

    return [
        translations[int(np.argmax([total(row) for row in each]))].text
        for translations, each in zip(found, rows, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de")
    parser.add_argument("--test", nargs="+", metavar="FILE", help="default: the validation pairs")
    parser.add_argument("--beam-size", type=int, default=RERANKED.beam_size)
    arguments = parser.parse_args()
    one_thread_per_operation()
    test = arguments.test
    pairs = list(open_pairs(test, None, None)) if test else phrasebook.pairs("validation")
    sources, references = zip(*pairs, strict=True)
    reranker = Reranker.of(Run.open(arguments.checkpoint))
    size = arguments.beam_size
    translator = Translator.load(arguments.checkpoint)
    found = translator.translate(list(sources), SearchSettings(beam_size=size, n_best=size))
    rows = [features(reranker, *each) for each in zip(sources, found, strict=True)]
    combinations = itertools.product(LEXICON_WEIGHTS, NGRAM_WEIGHTS, TRANSLATED)
    for weights in ((0.0, 0.0, 1.0), *combinations):
        scores = score_text(best_texts(found, rows, weights), list(references))
        lexicon, ngrams, translated = weights
        print(
            f"lexicon {lexicon:.2f}, n-grams {ngrams:.2f}, translated {translated:.2f}: "
            f"BLEU {scores.bleu:.2f} chrF {scores.chrf:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()

"""Measure what each feature of reranking gains.

    python benchmarks/reranking.py --checkpoint checkpoints/phrasebook-en-de
    python benchmarks/reranking.py --checkpoint checkpoints/multi30k-default \
        --test multi30k/val.en multi30k/val.de

The script searches once, reranks the hypotheses with several sets of features, and prints the BLEU
of the best ones. Weights are cross-fitted: those of each half of the pairs are selected on the
other half, as at the end of training. The last line shows what is selected on all pairs.
"""

import argparse
import itertools
from dataclasses import asdict

from prepared import open_corpus_of

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.runs.run import Run
    from keras_transformer.text.corpus import open_pairs
    from keras_transformer.threads import one_thread_per_operation
    from keras_transformer.translation.bleu import bleu, bleu_tokenizer
    from keras_transformer.translation.decoding import Decoding
    from keras_transformer.translation.reranking import Reranker
    from keras_transformer.translation.translator import Translator
    from keras_transformer.translation.tuning import (
        Candidates,
        reranked_candidates,
        select_penalty,
        select_weights,
    )


def cross_fitted(candidates: Candidates) -> float:
    """Return the BLEU of each half by the weights that are selected on the other half."""
    halves = candidates.take(slice(0, None, 2)), candidates.take(slice(1, None, 2))
    weights = [select_weights(half) for half in reversed(halves)]
    counts = [
        half.best_counts(half.weighted(each)) for half, each in zip(halves, weights, strict=True)
    ]
    return bleu(sum(counts))


def report(candidates: Candidates) -> None:
    """Print the BLEU of the network, of the default weights, and of sets of features."""
    penalty = select_penalty(candidates)
    score = candidates.bleu(candidates.penalized(penalty))
    print(f"network, best length penalty, {penalty:g}: {score:.2f}")
    score = candidates.bleu(candidates.weighted(asdict(Decoding())))
    print(f"default weights: {score:.2f}")
    length, *others = candidates.features
    for count in range(len(others) + 1):
        for chosen in itertools.combinations(others, count):
            names = [length, *chosen]
            score = cross_fitted(candidates.with_features(names))
            print(f"{', '.join(names)}, cross-fitted: {score:.2f}")
    weights = select_weights(candidates)
    score = candidates.bleu(candidates.weighted(weights))
    print(f"selected on all pairs, {weights}: {score:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de")
    parser.add_argument("--test", nargs="+", metavar="FILE", help="default: the validation pairs")
    arguments = parser.parse_args()
    one_thread_per_operation()
    run = Run.open(arguments.checkpoint)
    test = arguments.test
    pairs = list(open_pairs(test, "", "") if test else open_corpus_of(run).validation)
    translator = Translator.of(run)
    tokenize = bleu_tokenizer(run.config.text.target_lang)
    report(reranked_candidates(translator, Reranker.of(run, translator), pairs, tokenize))


if __name__ == "__main__":
    main()

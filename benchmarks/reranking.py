"""Measure what each feature of reranking gains.

    python benchmarks/reranking.py --checkpoint checkpoints/phrasebook-en-de
    python benchmarks/reranking.py --checkpoint checkpoints/multi30k-default \
        --test multi30k/val.en multi30k/val.de

The script searches once, reranks the hypotheses with several sets of features, and prints the BLEU
of the best ones. Weights and length penalties are cross-fitted: those of each half of the pairs are
selected on the other half, as at the end of training. The last line shows what is selected on all
pairs.
"""

import argparse
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.runs.run import Run
    from keras_transformer.text.corpus import open_corpus, open_pairs
    from keras_transformer.translation.decoding import Decoding
    from keras_transformer.translation.evaluation import bleu
    from keras_transformer.translation.parallel import one_thread_per_operation
    from keras_transformer.translation.reranking import Reranker
    from keras_transformer.translation.translator import Translator
    from keras_transformer.translation.tuning import (
        PENALTY,
        Candidates,
        best_counts,
        corpus_bleu,
        reranked_candidates,
        select_values,
    )


def validation_pairs(run: Run) -> Iterable[tuple[str, str]]:
    """Return the validation pairs of the corpus that a run was trained on."""
    training, text = run.config.training, run.config.text
    languages = text.source_lang, text.target_lang
    return open_corpus(training.train, training.validation, *languages).validation


def with_features(candidates: Sequence[Candidates], names: Iterable[str]) -> list[Candidates]:
    """Return candidates that have only some of their features."""
    return [
        each._replace(features={name: each.features[name] for name in names}) for each in candidates
    ]


def cross_fitted(candidates: Sequence[Candidates]) -> float:
    """Return the BLEU of each half by the values that are selected on the other half."""
    halves = candidates[::2], candidates[1::2]
    values = [select_values(half) for half in reversed(halves)]
    counts = [
        best_counts(half, each[PENALTY], each) for half, each in zip(halves, values, strict=True)
    ]
    return bleu(sum(counts))


def report(candidates: Sequence[Candidates]) -> None:
    """Print the BLEU of the network, of the default weights, and of sets of features."""
    defaults, names = asdict(Decoding()), list(candidates[0].features)
    default = defaults[PENALTY]
    print(f"network, default length penalty: {corpus_bleu(candidates, default):.2f}")
    print(f"network, cross-fitted: {cross_fitted(with_features(candidates, ())):.2f}")
    print(f"default weights: {corpus_bleu(candidates, default, defaults):.2f}")
    pairs = list(itertools.combinations(names, 2))
    for chosen in (*([name] for name in names), *pairs, *([names] if len(names) > 2 else [])):
        score = cross_fitted(with_features(candidates, chosen))
        print(f"{', '.join(chosen)}, cross-fitted: {score:.2f}")
    print(f"selected on all pairs: {select_values(candidates)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de")
    parser.add_argument("--test", nargs="+", metavar="FILE", help="default: the validation pairs")
    arguments = parser.parse_args()
    one_thread_per_operation()
    run = Run.open(arguments.checkpoint)
    test = arguments.test
    pairs = list(open_pairs(test, "", "") if test else validation_pairs(run))
    translator = Translator.load(arguments.checkpoint)
    report(reranked_candidates(translator, Reranker.of(run, translator), pairs))


if __name__ == "__main__":
    main()

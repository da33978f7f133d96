"""Measure what minimum Bayes risk decoding would gain after reranking.

    python benchmarks/bayes_risk.py --checkpoint checkpoints/multi30k

The script searches once. Of the reranked hypotheses of each validation sentence, minimum Bayes risk
decoding chooses the one with the highest expected chrF or BLEU of a sentence, if the correct
translation is one of the hypotheses (Kumar and Byrne 2004). Their probabilities are those of
reranking at several temperatures: the lower it is, the more probable is the first hypothesis.
"""

import argparse
import operator
from collections.abc import Sequence

import numpy as np
import sacrebleu
from prepared import open_corpus_of
from sacrebleu.metrics.base import Metric

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.runs.run import Run
    from keras_transformer.search.settings import RERANKED
    from keras_transformer.threads import one_thread_per_operation
    from keras_transformer.translation.bleu import bleu, bleu_counts, bleu_tokenizer
    from keras_transformer.translation.reranking import Reranker, Reranking
    from keras_transformer.translation.translation import Translation
    from keras_transformer.translation.translator import Translator

UTILITIES = {"chrF": sacrebleu.CHRF(), "BLEU": sacrebleu.BLEU(effective_order=True)}
TEMPERATURES = 0.5, 1.0, 2.0


def utilities(metric: Metric, texts: Sequence[str]) -> np.ndarray:
    """Return the score (k, k) of each text against each other as the reference."""
    rows = [[metric.sentence_score(text, [other]).score for other in texts] for text in texts]
    return np.array(rows)


def least_risk(found: Sequence[Translation], scores: np.ndarray, temperature: float) -> str:
    """Return the text of the hypothesis with the highest expected utility."""
    weights = np.exp(np.array([each.share for each in found]) / temperature)
    return found[int((scores @ weights).argmax())].text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de")
    checkpoint = parser.parse_args().checkpoint
    one_thread_per_operation()
    run = Run.open(checkpoint)
    translator = Translator.of(run)
    tokenize = bleu_tokenizer(run.config.text.target_lang)
    sources, references = zip(*open_corpus_of(run).validation, strict=True)
    reranking = Reranking(translator, Reranker.of(run, translator))
    found = reranking.translate(sources, RERANKED.with_all_hypotheses())
    first = [each[0].text for each in found]
    print(f"reranking: {bleu(bleu_counts(first, references, tokenize)):.2f}")
    for name, metric in UTILITIES.items():
        scores = [utilities(metric, [each.text for each in row]) for row in found]
        for temperature in TEMPERATURES:
            rows = zip(found, scores, strict=True)
            chosen = [least_risk(*row, temperature) for row in rows]
            changed = sum(map(operator.ne, first, chosen))
            print(
                f"expected {name}, temperature {temperature:g}: "
                f"{bleu(bleu_counts(chosen, references, tokenize)):.2f}, {changed:,} lines changed"
            )


if __name__ == "__main__":
    main()

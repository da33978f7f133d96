"""Whether two translations of a test set differ by more than chance: the paired bootstrap.

The test (Koehn 2004, section 4) draws sentences with replacement, scores both translations of each
such sample, and finds out how often their difference is as large as that of the test set. sacrebleu
draws the samples and computes the scores.
"""

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import sacrebleu
from sacrebleu.significance import PairedTest

from keras_transformer.errors import UserError

RESAMPLES = 1000


class Comparison(NamedTuple):
    """The scores of two translations of a test set, from 0 to 100.

    The intervals contain the score of 95 % of the samples.

    Attributes:
        score: corpus score of the translations.
        baseline: corpus score of the translations with which they are compared.
        p_value: probability of a difference at least as large as that of the scores if both came
            from equally good translators.
        mean: mean score of the samples, the center of the interval.
        half_width: half the width of the interval.
        baseline_mean: mean score of the baseline's samples.
        baseline_half_width: half the width of the baseline's interval.
        signature: sacrebleu's signature, with the number of samples and the seed.
    """

    score: float
    baseline: float
    p_value: float
    mean: float
    half_width: float
    baseline_mean: float
    baseline_half_width: float
    signature: str


def check_seed() -> None:
    """Raise a `UserError` if the environment variable SACREBLEU_SEED is no seed of sacrebleu."""
    seed = os.environ.get("SACREBLEU_SEED", "none")
    if seed.lower() != "none" and not seed.isdecimal():
        raise UserError(f"SACREBLEU_SEED must be a whole number or none, not {seed!r}")


def compare(
    translations: Sequence[str],
    baseline: Sequence[str],
    references: Sequence[str],
    tokenize: str = "13a",
    lowercase: bool = False,
) -> dict[str, Comparison]:
    """Compare translations with others of the same sentences.

    Args:
        translations: the translations.
        baseline: the translations with which they are compared.
        references: the reference of each translation.
        tokenize, lowercase: see `score_text`.

    Returns:
        {"bleu": comparison of corpus BLEU, "chrf": comparison of corpus chrF}.
    """
    bleu = sacrebleu.BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    metrics = {"bleu": bleu, "chrf": sacrebleu.CHRF(lowercase=lowercase)}
    systems = [("baseline", baseline), ("translations", translations)]
    test = PairedTest(systems, metrics, [references], test_type="bs", n_samples=RESAMPLES)
    signatures, results = test()
    return {
        name: _comparison(results[key], str(signatures[key]))
        for name, key in zip(metrics, signatures, strict=True)
    }


def _comparison(results: list[Any], signature: str) -> Comparison:
    """Return the `Comparison` of sacrebleu's results for the baseline and the translations.

    Args:
        results: the `sacrebleu.significance.Result` of each.
        signature: the signature.
    """
    baseline, found = results
    # sacrebleu counts larger differences only, and therefore finds that equal scores differ.
    p_value = 1.0 if found.score == baseline.score else float(found.p_value)
    return Comparison(
        float(found.score),
        float(baseline.score),
        p_value,
        float(found.mean),
        float(found.ci),
        float(baseline.mean),
        float(baseline.ci),
        signature,
    )


def format_comparison(title: str, found: Comparison) -> str:
    """Return a comparison as a line of text that begins with the title of the metric."""
    return (
        f"{title}: {found.score - found.baseline:+.2f} compared with the baseline's "
        f"{found.baseline:.2f}, p = {found.p_value:.3f}; "
        f"95 % intervals {found.mean:.2f} ± {found.half_width:.2f} and "
        f"{found.baseline_mean:.2f} ± {found.baseline_half_width:.2f} ({found.signature})"
    )

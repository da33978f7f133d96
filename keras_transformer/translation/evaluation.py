"""Scores of translations against references."""

import sacrebleu


def bleu(hypotheses, references):
    """Corpus BLEU by sacrebleu: cased, tokenized as 13a.

    Args:
        hypotheses: list of strings.
        references: list of strings, one for each hypothesis.

    Returns:
        A number from 0 to 100.
    """
    return sacrebleu.corpus_bleu(hypotheses, [references]).score

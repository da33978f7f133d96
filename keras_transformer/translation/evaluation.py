"""Scores of translations against references, and of a network against the same references."""

import time
from typing import NamedTuple

import numpy as np
import sacrebleu
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.files import check_file
from keras_transformer.model.losses import correct_tokens, real_tokens, token_losses
from keras_transformer.text.batches import EncodedPairs, make_batches
from keras_transformer.text.lines import read_lines
from keras_transformer.translation.reranking import reranked

# Those of sacrebleu that need no further package and no download.
TOKENIZERS = ("13a", "none", "intl", "char", "zh")


def bleu(hypotheses, references):
    """Corpus BLEU by sacrebleu: cased, tokenized as 13a.

    Args:
        hypotheses: list of strings.
        references: list of strings, one for each hypothesis.

    Returns:
        A number from 0 to 100.
    """
    return score_text(hypotheses, references).bleu


class TextScores(NamedTuple):
    """What sacrebleu makes of translations; each score is from 0 to 100.

    `precisions` are BLEU's, of 1 to 4 grams. A signature says all that a score depends on.
    """

    bleu: float
    precisions: list
    brevity_penalty: float
    bleu_signature: str
    chrf: float
    chrf_signature: str


def score_text(hypotheses, references, tokenize="13a", lowercase=False):
    """Corpus BLEU and chrF by sacrebleu.

    Args:
        hypotheses: list of strings.
        references: list of strings, one for each hypothesis.
        tokenize: one of `TOKENIZERS`, for BLEU; "none" for text that is tokenized already.
        lowercase: whether case makes no difference, for both.

    Returns:
        `TextScores`.
    """
    # `force` only silences a warning about text that is tokenized already.
    bleu = sacrebleu.BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    chrf = sacrebleu.CHRF(lowercase=lowercase)
    found = bleu.corpus_score(hypotheses, [references])
    chrf_found = chrf.corpus_score(hypotheses, [references])
    return TextScores(
        found.score,
        found.precisions,
        found.bp,
        str(bleu.get_signature()),
        chrf_found.score,
        str(chrf.get_signature()),
    )


class Fit(NamedTuple):
    """How well a network foresees references, subword by subword.

    `perplexity` and `accuracy` (from 0 to 1) are over `tokens` subwords, the end included;
    `left_out` pairs have an empty side or are too long.
    """

    perplexity: float
    accuracy: float
    tokens: int
    left_out: int


def score_references(translator, pairs, batch_size=64):
    """The `Fit` of a translator's network to references.

    Args:
        translator: a `Translator`.
        pairs: list of (source, reference) strings.
        batch_size: pairs in the widest batch.
    """
    encoded = EncodedPairs(
        pairs,
        translator.source_subwords,
        translator.target_subwords,
        translator.max_source_length,
        translator.max_target_length,
    )
    sums, kept = np.zeros(3), 0
    for source, target in make_batches(encoded, "bucketed", batch_size, max(len(pairs), 1)):
        sums += _token_sums(translator.model, source, target)
        kept += len(source)
    loss, correct, tokens = sums
    tokens = int(tokens)
    perplexity = float(np.exp(min(loss / max(tokens, 1), 100)))
    return Fit(perplexity, float(correct / max(tokens, 1)), tokens, len(pairs) - kept)


def _token_sums(model, source, target):
    """Sums over the real tokens of target ids (B, T): loss in nats, correct ones, their number."""
    wanted = target[:, 1:]
    logits = model((source, target[:, :-1]), training=False)
    parts = token_losses(wanted, logits), correct_tokens(wanted, logits), real_tokens(wanted)
    return np.array([tf.reduce_sum(part) for part in parts])


class Speed(NamedTuple):
    """How fast a test set was translated; tokens are the subwords of the translations."""

    seconds: float
    sentences_per_second: float
    tokens_per_second: float


def translate_timed(translator, sentences, **options):
    """Translations of sentences, and the `Speed` once warm.

    Args:
        translator: a `Translator`.
        sentences: list of strings.
        **options: `search` and `batch_size` of `Translator.translate`.
    """
    translator.translate(sentences[:1], **options)  # compiles the search
    begin = time.perf_counter()
    found = [best for best, *_ in translator.translate(sentences, **options)]
    seconds = time.perf_counter() - begin
    tokens = sum(max(len(best.ids) - 1, 0) for best in found)
    return [best.text for best in found], Speed(seconds, len(found) / seconds, tokens / seconds)


def evaluate(translator, pairs, scoring, reranker=None, **options):
    """Measures a translator on a test set.

    Args:
        translator: a `Translator`.
        pairs: list of (source, reference) strings.
        scoring: arguments for `score_text`.
        reranker: the `Reranker` of the translator, or None.
        **options: `search` and `batch_size` of `Translator.translate`.

    Returns:
        A report, {figure: value}, and the translations.

    Raises:
        UserError: there are no pairs.
    """
    sources, references = _columns(pairs)
    searched = reranked(translator, reranker)
    translations, speed = translate_timed(searched, sources, **options)
    fit = score_references(translator, pairs)
    text = score_text(translations, references, **scoring)
    report = {"sentences": len(pairs)} | text._asdict() | fit._asdict() | speed._asdict()
    return report, translations


def evaluate_file(path, pairs, **scoring):
    """Scores translations in a file, a line each, and gives a report, {figure: value}.

    Raises:
        UserError: there is no such file, or it has not as many lines as there are pairs.
    """
    check_file(path)
    translations, (_, references) = list(read_lines(path)), _columns(pairs)
    if len(translations) != len(references):
        raise UserError(f"{path}: {len(translations)} lines for {len(references)} references")
    return {"sentences": len(pairs)} | score_text(translations, references, **scoring)._asdict()


def _columns(pairs):
    """The sources and the references."""
    if not pairs:
        raise UserError("the test set has no sentence pairs")
    return zip(*pairs, strict=True)


def in_words(report):
    """A report for people to read: a line for each kind of figure."""
    precisions = "/".join(f"{precision:.1f}" for precision in report["precisions"])
    lines = [
        "BLEU {bleu:.2f} ({precisions}, brevity penalty {brevity_penalty:.3f}) {bleu_signature}",
        "chrF {chrf:.2f} {chrf_signature}",
    ]
    if "perplexity" in report:
        lines += [
            "perplexity {perplexity:.3f}, token accuracy {accuracy:.4f}, of {tokens:,} subwords of "
            "the references; pairs too long or empty, left out: {left_out}",
            "{sentences:,} sentences translated in {seconds:.1f} s: "
            "{sentences_per_second:,.1f} sentences/s, {tokens_per_second:,.0f} tokens/s",
        ]
    return "\n".join(lines).format(**report | {"precisions": precisions})

"""Scores of translations against references, and a network's perplexity on the references."""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import sacrebleu
import tensorflow as tf

from keras_transformer.counting import counted
from keras_transformer.errors import UserError
from keras_transformer.files import check_file
from keras_transformer.model.losses import perplexity, token_losses
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.lines import read_lines
from keras_transformer.text.normalization import composed
from keras_transformer.translation.calibration_error import (
    Predictions,
    Reliability,
    errors_found,
)
from keras_transformer.translation.features import num_subwords
from keras_transformer.translation.forced import predicted
from keras_transformer.translation.reranking import Reranker, reranked
from keras_transformer.translation.translation import SentenceTranslator
from keras_transformer.translation.translator import Translator

Report: TypeAlias = dict[str, Any]  # {name: number, list of numbers, or signature}


class TextScores(NamedTuple):
    """Scores by sacrebleu. BLEU, the precisions and chrF are from 0 to 100.

    Attributes:
        bleu: corpus BLEU.
        precisions: precisions of 1-grams to 4-grams.
        brevity_penalty: brevity penalty of BLEU, from 0 to 1.
        bleu_signature: sacrebleu's signature, which names all options of BLEU.
        chrf: corpus chrF.
        chrf_signature: sacrebleu's signature of chrF.
    """

    bleu: float
    precisions: list[float]
    brevity_penalty: float
    bleu_signature: str
    chrf: float
    chrf_signature: str


def score_text(
    hypotheses: Sequence[str],
    references: Sequence[str],
    tokenize: str = "13a",
    lowercase: bool = False,
) -> TextScores:
    """Compute corpus BLEU and chrF by sacrebleu.

    Args:
        hypotheses: the translations.
        references: the reference of each translation.
        tokenize: tokenizer for BLEU, as sacrebleu names it; "none" for tokenized text.
        lowercase: whether to ignore case.
    """
    # `force` only suppresses a warning about tokenized text.
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


class ReferenceScores(NamedTuple):
    """How well a network predicts references, given their prefixes (teacher forcing).

    Attributes:
        perplexity: perplexity per subword; None if no pair is scored.
        accuracy: fraction of the subwords that are predicted correctly, from 0 to 1, or None.
        tokens: number of subwords, including the end tokens.
        left_out: number of pairs that are excluded because a side is empty or too long.
        temperature: the temperature of the calibration; None if there is none.
        calibration_error: expected calibration error at this temperature, or at 1 without one,
            from 0 to 1, or None.
        uncalibrated_error: expected calibration error at temperature 1, or None.
        errors_found: fraction of the wrong predictions that are among the least confident
            tenth of all predictions; None if no prediction is wrong.
    """

    perplexity: float | None
    accuracy: float | None
    tokens: int
    left_out: int
    temperature: float | None
    calibration_error: float | None
    uncalibrated_error: float | None
    errors_found: float | None


def score_references(
    translator: Translator,
    pairs: Sequence[tuple[str, str]],
    batch_size: int = 64,
    temperature: float | None = None,
) -> ReferenceScores:
    """Compute the `ReferenceScores` of a translator's network to references.

    Args:
        translator: a `Translator`.
        pairs: (source, reference) strings.
        batch_size: number of pairs in a batch of the maximum width.
        temperature: the temperature of the calibration, or None. Perplexity is computed without it.
    """
    loss, kept = 0.0, 0
    parts: dict[float, list[Predictions]] = {1.0: [], temperature or 1.0: []}
    for wanted, logits in predicted(translator, pairs, batch_size):
        loss += float(tf.reduce_sum(token_losses(wanted, logits)))
        kept += len(wanted)
        for each, found in parts.items():
            found.append(Predictions.of(wanted, logits, each))
    plain, calibrated = (Predictions.joined(parts[each]) for each in (1.0, temperature or 1.0))
    tokens = len(plain.right)
    if not tokens:
        return ReferenceScores(None, None, 0, len(pairs), temperature, None, None, None)
    return ReferenceScores(
        perplexity(loss / tokens),
        int(plain.right.sum()) / tokens,
        tokens,
        len(pairs) - kept,
        temperature,
        Reliability.of(calibrated).error,
        Reliability.of(plain).error,
        errors_found(calibrated),
    )


class TranslationThroughput(NamedTuple):
    """Throughput of translation. Tokens are the subwords of the translations."""

    seconds: float
    sentences_per_second: float
    tokens_per_second: float


def translate_timed(
    translator: SentenceTranslator, sentences: Sequence[str], **options: object
) -> tuple[list[str], TranslationThroughput]:
    """Return the best translation of each sentence, and the throughput after a warm-up.

    Args:
        translator: a `Translator` or a `Reranking`.
        sentences: the sentences.
        **options: `search` and `batch_size` of `Translator.translate`.
    """
    shortest = min(filter(str.strip, sentences), key=len, default="")
    translator.translate([shortest], numbers=[None], **options)  # traces the search
    begin = time.perf_counter()
    found = [best for best, *_ in translator.translate(sentences, **options)]
    seconds = time.perf_counter() - begin
    tokens = float(num_subwords(found).sum())
    return [best.text for best in found], TranslationThroughput(
        seconds, len(found) / seconds, tokens / seconds
    )


def evaluate(
    translator: Translator,
    pairs: Sequence[tuple[str, str]],
    scoring: Mapping[str, Any] | None = None,
    reranker: Reranker | None = None,
    search: SearchSettings | None = None,
    batch_size: int = 64,
    temperature: float | None = None,
) -> tuple[Report, list[str]]:
    """Evaluate a translator on a test set.

    Args:
        translator: a `Translator`.
        pairs: (source, reference) strings.
        scoring: `tokenize` and `lowercase` of `score_text`, or None for their defaults.
        reranker: the `Reranker` of the translator, or None.
        search: the `SearchSettings`; by default those of the translator, or `RERANKED` with a
            reranker.
        batch_size: maximum number of sentences in a batch.
        temperature: the temperature of the calibration, or None.

    Returns:
        A report and the translations. The report contains the number of `sentences` and the fields
        of `TextScores`, `ReferenceScores` and `TranslationThroughput`.

    Raises:
        UserError: If there are no pairs.
    """
    sources, references = _columns(pairs)
    searched = reranked(translator, reranker)
    translations, speed = translate_timed(searched, sources, search=search, batch_size=batch_size)
    fit = score_references(translator, pairs, batch_size, temperature)
    text = score_text(translations, references, **(scoring or {}))
    report = {"sentences": len(pairs)} | text._asdict() | fit._asdict() | speed._asdict()
    return report, translations


def evaluate_translations(
    translations: Sequence[str], pairs: Sequence[tuple[str, str]], **scoring: Any
) -> Report:
    """Score existing translations.

    Args:
        translations: the translation of each pair.
        pairs: (source, reference) strings.
        **scoring: `tokenize` and `lowercase` of `score_text`.

    Returns:
        A report with the number of `sentences` and the fields of `TextScores`.

    Raises:
        UserError: If there are no pairs.
    """
    _, references = _columns(pairs)
    return {"sentences": len(pairs)} | score_text(translations, references, **scoring)._asdict()


def read_translations(path: str | os.PathLike[str], count: int) -> list[str]:
    """Return the translations in a file, one per line, of which there must be `count`.

    Their letters are composed, like those of the references.

    Raises:
        UserError: If the file cannot be read, or has another number of lines.
    """
    check_file(path)
    translations = list(map(composed, read_lines(path)))
    if len(translations) != count:
        lines, references = counted(len(translations), "line"), counted(count, "reference")
        raise UserError(f"{path}: {lines} for {references}")
    return translations


def _columns(pairs: Sequence[tuple[str, str]]) -> Iterable[tuple[str, ...]]:
    """Return the sources and the references."""
    if not pairs:
        raise UserError("the test set has no sentence pairs")
    return zip(*pairs, strict=True)

"""The end of a training run: its scores, and what translation needs besides weights."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TypeAlias

from keras_transformer.runs.layout import SHORTLIST
from keras_transformer.runs.run import Run
from keras_transformer.text.corpus import Corpus
from keras_transformer.text.pairs import Pair, Pairs
from keras_transformer.text.words import count_words
from keras_transformer.training.evaluation_pairs import selection_pairs
from keras_transformer.training.fine_tuning_gain import report_gain
from keras_transformer.training.lines import print_line
from keras_transformer.training.trainer import Trainer
from keras_transformer.translation.bleu import bleu_tokenizer
from keras_transformer.translation.confidence_features import FeatureExtractor
from keras_transformer.translation.confidence_model import calibrate, saved_temperature
from keras_transformer.translation.decoding import Decoding
from keras_transformer.translation.features import Reconstruction
from keras_transformer.translation.reranking import Reranker, Reranking
from keras_transformer.translation.restoring import Restorer
from keras_transformer.translation.shortlist import Shortlist
from keras_transformer.translation.temperature import fit_temperature
from keras_transformer.translation.tuning import select_decoding

Counts: TypeAlias = dict[str, int]  # {word: number of occurrences}


def finish(trainer: Trainer, corpus: Corpus) -> None:
    """Report the test score; save what translation needs besides weights, if it is missing.

    These are the word counts, the reranker, the shortlist, the decoding and the calibration. A
    calibration without a temperature, which earlier versions saved, counts as missing. The gain of
    fine-tuning is reported before the calibration is saved, so that it is also reported if this was
    interrupted.

    Args:
        trainer: the `Trainer` of the run.
        corpus: its `Corpus`.

    Raises:
        UserError: If a file cannot be read or written.
    """
    run, translator = trainer.run, trainer.translator
    _report_test_bleu(trainer, corpus.test)
    reranker, words = Reranker.of(run, translator), run.words()
    if reranker is None or words is None:
        reranker, words = _save_reranker(trainer, corpus)
        translator.restore = Restorer.of(run) or translator.restore  # with the lexicon
    if not run.has(SHORTLIST):
        _save_shortlist(trainer)
    if Decoding.of(run) is None:
        pairs = selection_pairs(run.config, trainer.validation_pairs)
        reranker = reranker.by(_select_decoding(trainer, reranker, pairs))
    if saved_temperature(run) is None:
        if run.config.training.start_from:
            report_gain(trainer, corpus)
        _calibrate(trainer, reranker, words[0])


def _report_test_bleu(trainer: Trainer, test: Pairs | None) -> None:
    """Report the BLEU of the best weights on the test pairs of a corpus, if it has any."""
    pairs = list(test or ())
    if not pairs:
        return
    trainer.run.restore_weights(trainer.model)
    score = trainer.validator.bleu(pairs)
    print_line(
        f"{test}: BLEU {score:.2f} of {len(pairs):,} sentences with greedy search "
        "(translate and evaluate use beam search and reranking)"
    )


def _save_reranker(trainer: Trainer, corpus: Corpus) -> tuple[Reranker, tuple[Counts, Counts]]:
    """Learn the reranker and the word counts from the training pairs, and save both.

    The decoding of the run, which was selected with another reranker, is removed.
    """
    run, pairs = trainer.run, corpus.train.vocabulary()
    reranker = Reranker.learn(pairs, Reconstruction.of(run, trainer.translator))
    words = _count_sides(pairs)
    run.remove_decoding()
    run.save_words(*words)
    reranker.save(run)
    return reranker, words


def _save_shortlist(trainer: Trainer) -> None:
    """Save the shortlist that the training pairs of the first epoch yield."""
    pairs = trainer.train_pairs
    learned = Shortlist.learn(pairs.rows, *pairs.encoding.subwords)
    with trainer.run.replacing(SHORTLIST) as path:
        learned.save(path)


def _count_sides(pairs: Iterable[tuple[str, str]]) -> tuple[Counts, Counts]:
    """Return {word: number of occurrences} of the sources and of the targets."""
    source, target = (count_words(pair[side] for pair in pairs) for side in (0, 1))
    return source, target


def _select_decoding(trainer: Trainer, reranker: Reranker, pairs: Sequence[Pair]) -> Decoding:
    """Save, report and return the decoding with which the best weights reach the best BLEU."""
    run = trainer.run
    run.restore_weights(trainer.model)
    tokenize = bleu_tokenizer(run.config.text.target_lang)
    decoding = select_decoding(trainer.translator, reranker, pairs, tokenize)
    run.save_decoding(asdict(decoding))
    _report_decoding(run, decoding, reranker)
    return decoding


def _report_decoding(run: Run, decoding: Decoding, reranker: Reranker) -> None:
    """Report the selected length penalty and weights."""
    names = {name: name.removesuffix("_weight") for name in reranker.features}
    weights = [f"{short} {getattr(decoding, name):g}" for name, short in names.items()]
    print_line(
        f"{run.directory}: best validation BLEU with length penalty {decoding.length_penalty:g}, "
        f"or with reranking by the weights {', '.join(weights)}"
    )


def _calibrate(trainer: Trainer, reranker: Reranker, frequencies: Mapping[str, int]) -> None:
    """Save a confidence calibration for translations by the best weights."""
    run, translator = trainer.run, trainer.translator
    run.restore_weights(trainer.model)
    sentences, references = zip(*trainer.sample, strict=True)
    found = [best for best, *_ in Reranking(translator, reranker).translate(sentences)]
    temperature = fit_temperature(translator, trainer.sample)
    extractor = FeatureExtractor(translator, frequencies, reranker.lexicon, temperature)
    model = calibrate(extractor, sentences, found, references)
    run.save_calibration(asdict(model))

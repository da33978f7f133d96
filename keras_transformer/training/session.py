"""One training from the command line: a run begun or gone on with, trained and told about."""

import dataclasses
import heapq
import json
from pathlib import Path

from keras_transformer import phrasebook
from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.runs.checkpoints import latest_checkpoint
from keras_transformer.runs.run import BEST, ROOT, Run, read_settings, set_aside
from keras_transformer.text.batches import EncodedPairs
from keras_transformer.text.corpus import corpus_name, open_corpus
from keras_transformer.text.subwords import check_language
from keras_transformer.text.words import count_words
from keras_transformer.training.precision import has_bfloat16
from keras_transformer.training.trainer import Trainer
from keras_transformer.translation import confidence
from keras_transformer.translation.reranking import Reranker, Reranking

# Settings that may change when a run is gone on with: they say how far, not what.
MAY_CHANGE = {"epochs", "patience", "save_every", "keep_checkpoints", "average_last"}
# Settings of the built-in corpus that need one vocabulary for both languages.
JOINT = ("vocab_size", "joint_vocabulary", "tied_embeddings", "both_directions")
# Sentences that a run keeps, to show what it translates.
EXAMPLES, LEAST_WORDS = 5, 3


def train(settings, directory=None, fresh=False, config_file=None):
    """Trains a run, or goes on with one, until it is finished or interrupted.

    Args:
        settings: {name: value} of the settings that the user gave.
        directory: the run directory; by default named after the corpus and the languages.
        fresh: whether to begin anew where there is a run already, which is set aside.
        config_file: a JSON file with more settings; `settings` go before them.

    Returns:
        Whether the training is finished; False after Ctrl-C.

    Raises:
        UserError: a setting, a file or the run directory is not as it must be.
    """
    if config_file:
        settings = read_settings(config_file) | settings
    directory = Path(directory or default_directory(settings))
    run = None if fresh else existing_run(directory)
    config = changed_config(run, settings) if run else new_config(settings)
    text, training = config.text, config.training
    for lang in (text.source_lang, text.target_lang):
        check_language(lang)
    corpus = open_corpus(training.train, training.validation, text.source_lang, text.target_lang)
    if fresh and directory.is_dir() and any(directory.iterdir()):
        print(f"{directory} is set aside as {set_aside(directory)}")
    is_new = run is None
    run = Run.create(directory, config)  # also where the run goes on: epochs may be more now
    if is_new:
        run.make_subwords(corpus.train.vocabulary(), exact="vocab_size" in settings)
        run.save_examples(example_sentences(corpus.validation))
    return tell_and_train(make_trainer(run, corpus), corpus)


def example_sentences(pairs):
    """Return a few sources to show: the shortest of at least three words, if there are any."""
    sources = {" ".join(source.split()) for source, _ in pairs} - {""}

    def order(source):
        return len(source.split()) < LEAST_WORDS, len(source), source

    return heapq.nsmallest(EXAMPLES, sources, key=order)


def new_config(settings):
    """Return the `Config` of a new run with the settings that the user gave."""
    if not settings.get("train"):
        settings = built_in_settings(settings) | settings
    return Config().with_settings(settings).resolved()


def built_in_settings(given):
    """Return {name: value}, the settings tuned for the built-in corpus.

    Args:
        given: {name: value} of the settings that the user chose; what they rule out is left out.
    """
    path = Path(phrasebook.__file__).with_name("settings.json")
    sections = json.loads(path.read_text(encoding="utf-8"))
    settings = {name: value for each in sections.values() for name, value in each.items()}
    settings["mixed_precision"] = has_bfloat16() is True
    ruled_out = ()
    if given.get("subwords") == "pretrained" or given.get("joint_vocabulary") is False:
        ruled_out += JOINT
    if given.get("batching") == "fixed":
        ruled_out += ("batch_size",)
    return {name: value for name, value in settings.items() if name not in ruled_out}


def default_directory(settings):
    """checkpoints/CORPUS-SOURCE-TARGET, for the settings that the user gave."""
    settings = Config().flat() | settings
    languages = settings["source_lang"], settings["target_lang"]
    return ROOT / "-".join([corpus_name(settings["train"]), *languages])


def existing_run(directory):
    """The run in a directory, or None where none has saved anything yet.

    Raises:
        UserError: the directory has checkpoints, but no whole run to go on with.
    """
    if latest_checkpoint(directory) is not None:
        return Run.open(directory)
    if latest_checkpoint(directory / BEST) is not None:
        raise UserError(
            f"{directory} holds a trained translator, but no state to go on from: "
            "give another --checkpoint, or --fresh"
        )
    return None


def changed_config(run, settings):
    """The run's config with the settings that the user gave now.

    Raises:
        UserError: one differs from what the run was begun with, and may not.
    """
    config = run.config.with_settings(settings)
    old, new = run.config.flat(), config.flat()
    changed = [name for name in new if new[name] != old[name] and name not in MAY_CHANGE]
    if changed:
        differences = ", ".join(f"{name} {old[name]}, not {new[name]}" for name in changed)
        raise UserError(
            f"{run.directory} was begun with {differences}: "
            "give another --checkpoint, or --fresh to begin anew"
        )
    return config


def make_trainer(run, corpus, strategy=None):
    """A `Trainer` for the run on the corpus; it tells which pairs are left out."""
    text = run.config.text
    encoding = (*run.subwords(), text.max_source_length, text.max_target_length)
    train_pairs = EncodedPairs(corpus.train, *encoding)
    validation_pairs = EncodedPairs(corpus.validation, *encoding)
    # All pairs are read before the training, so that a bad line is not found hours later.
    survey = tell_survey(run, "training", train_pairs)
    tell_survey(run, "validation", validation_pairs)
    return Trainer(run, train_pairs, validation_pairs, survey, strategy)


def tell_survey(run, part, pairs):
    """Tells how many pairs there are and how many are left out; returns the `Survey`.

    Raises:
        UserError: none are left.
    """
    survey = pairs.survey()
    print(
        f"{run.directory}: {survey.kept:,} {part} pairs from {pairs.pairs}; "
        f"dropped: {survey.too_long:,} longer than "
        f"{pairs.max_source_length}/{pairs.max_target_length} subwords, "
        f"{survey.empty:,} with an empty side",
        flush=True,
    )
    if not survey.kept:
        raise UserError(f"{pairs.pairs}: no sentence pairs left: all are empty or too long")
    return survey


def tell_and_train(trainer, corpus):
    """Restores, trains, and tells the user what happens; returns whether it is finished."""
    directory = trainer.run.directory
    if trainer.restore():
        if trainer.finished:
            print(
                f"{directory}: trained already, up to epoch {int(trainer.epoch)}: "
                "a larger --epochs or --patience goes on, --fresh begins anew"
            )
            finish(trainer, corpus)
            return True
        print(
            f"{directory}: going on after step {trainer.step:,}, in epoch "
            f"{int(trainer.epoch) + 1} of {trainer.settings.epochs}",
            flush=True,
        )
    if not trainer.train():
        print(f"{directory}: saved after step {trainer.step:,}; the same command goes on there")
        return False
    best = float(trainer.best_bleu)
    print(f"{directory}: finished after step {trainer.step:,}; best validation BLEU {best:.2f}")
    trainer.run.remove_calibration()  # of earlier weights
    finish(trainer, corpus)
    return True


def finish(trainer, corpus):
    """Report the test score, learn what translating needs besides, and say what to try next."""
    tell_test_bleu(trainer, corpus.test)
    run = trainer.run
    if Reranker.of(run) is None:
        learn_words(run, corpus.train.vocabulary())
        run.remove_calibration()
    if run.calibration() is None:
        calibrate(trainer)
    example, *_ = [*run.examples(), "..."]
    print(f'next: python translate.py --checkpoint {run.directory} "{example}"')


def learn_words(run, pairs):
    """Save the words of the training pairs, and the reranker learned from them."""
    run.save_words(*(count_words(pair[side] for pair in pairs) for side in (0, 1)))
    Reranker.learn(pairs).save(run)


def calibrate(trainer):
    """Save what the confidence in a translation is computed from, for the best weights."""
    run, translator = trainer.run, trainer.translator
    run.restore_weights(trainer.model)
    sentences, references = zip(*trainer.sample, strict=True)
    reranker = Reranker.of(run)
    found = [best for best, *_ in Reranking(translator, reranker).translate(sentences)]
    assessor = confidence.Assessor(translator, run.words()[0], reranker.lexicon)
    calibration = confidence.calibrate(assessor, sentences, found, references)
    run.save_calibration(dataclasses.asdict(calibration))


def tell_test_bleu(trainer, test):
    """Tells the BLEU of the best weights on the test pairs of a corpus, if it has any."""
    pairs = list(test or ())
    if not pairs:
        return
    trainer.run.restore_weights(trainer.model)
    sources, references = zip(*pairs, strict=True)
    score = trainer.bleu(sources, references)
    print(f"{test}: BLEU {score:.2f} of {len(sources):,} sentences, greedy")

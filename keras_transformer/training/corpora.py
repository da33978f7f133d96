"""The pairs of a run, as its settings describe them."""

from keras_transformer.config import Config
from keras_transformer.errors import StartMismatch, UserError
from keras_transformer.runs.run import Run
from keras_transformer.text.augmentation import AugmentedPairs
from keras_transformer.text.corpus import Corpus, open_corpus
from keras_transformer.text.mixing import MixedPairs, RepeatedPairs, WithoutSources
from keras_transformer.text.pairs import Pairs
from keras_transformer.text.subwords import check_code
from keras_transformer.training.origins import check_origins

MIN_NEW_PAIRS = 500  # in each epoch of fine-tuning; figures in benchmarks/README.md


def open_training_corpus(config: Config) -> Corpus:
    """Open the pairs of a run, with old pairs and augmentation as its settings say.

    Raises:
        UserError: If a file or data set is missing, has the wrong format or contains no pairs.
    """
    training, languages = config.training, (config.text.source_lang, config.text.target_lang)
    for lang in languages:
        check_code(lang)
    corpus = open_corpus(training.train, training.validation, *languages)
    train = corpus.train
    if training.start_from:
        train = RepeatedPairs(train, MIN_NEW_PAIRS)
    if training.mix:
        # What the network is validated on must not be among the pairs that it learns from.
        old = WithoutSources(old_corpus(config).train, corpus.validation)
        train = MixedPairs(train, old, training.mix, training.seed)
    if training.augment:
        train = AugmentedPairs(train, training.augment, languages, training.seed)
    return corpus._replace(train=train)


def old_corpus(config: Config) -> Corpus:
    """Return the corpus of the run that a run starts from, without augmentation.

    Raises:
        StartMismatch: If that run, or one before it, started from itself, or its validation pairs
            have changed.
        UserError: If the corpus is no longer available.
    """
    start = str(config.training.start_from)
    try:
        check_origins(start)
        run = Run.open(start)
        corpus = open_training_corpus(run.config.with_settings({"augment": 0.0}))
        _check_validation(run, corpus.validation)
        return corpus
    except StartMismatch:
        raise
    except UserError as error:
        raise UserError(
            f"the old pairs, of {start}, cannot be read: {error}; if that run has moved, give its "
            "new directory as start_from; a new run with mix 0 trains without them"
        ) from error


def _check_validation(run: Run, validation: Pairs) -> None:
    """Raise `StartMismatch` if the validation pairs of a run have changed since it was started.

    If pairs were held out of a file that has changed, others would be held out now, and the run may
    have been trained on them.
    """
    is_built_in = not run.config.training.train  # its pairs change with each release
    if run.manifest is None or is_built_in:
        return
    if run.manifest.corpus.get("validation") != validation.fingerprint():
        raise StartMismatch(
            f"{run.directory}: its validation pairs are no longer those with which it was trained, "
            f"because {validation} has changed: restore the former content; a new run with mix 0 "
            "trains without old pairs"
        )


def why_no_old_pairs(config: Config) -> str | None:
    """Return why the corpus of the run that a run starts from is not available, or None."""
    try:
        old_corpus(config)
    except UserError as error:
        return str(error.__cause__ or error)
    return None

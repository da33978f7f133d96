"""A run directory: settings, subword models and weights; all that a trained translator is.

config.json             settings and library versions; of a mean, also what it is the mean of
source.model            SentencePiece models (with a joint vocabulary only this one)
target.model
checkpoint, ckpt-N.*    the newest states of the training
best/                   the weights with the best validation score
average/                with --average-last, the mean of the last checkpoints
examples.txt            some validation sources, a line each
calibration.json        how confident a translation is: see translation/confidence.py
source_words.tsv        words of the training sources, and how often they occur
target_words.tsv        those of the targets
logs/                   TensorBoard
"""

import importlib.metadata
import itertools
import json
import sys
from pathlib import Path

import keras_transformer
from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.files import write_bytes
from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.checkpoints import latest_checkpoint, named_variables, restore
from keras_transformer.text.lines import read_lines, write_lines
from keras_transformer.text.subwords import (
    Subwords,
    VocabularyTooLarge,
    fetch_pretrained,
    train_largest,
)

ROOT = Path("checkpoints")
LIBRARIES = ("tensorflow", "keras", "bpemb", "sentencepiece")
BEST = "best"
AVERAGE = "average"
EXAMPLES = "examples.txt"
CALIBRATION = "calibration.json"
LEXICON, NGRAMS = "lexicon.npz", "ngrams.npz"
WORDS = "source_words.tsv", "target_words.tsv"
# What config.json says besides the settings.
VERSIONS = "versions"
MEAN_OF = "mean_of"


class Run:
    """One run directory, with its settings read.

    Args:
        directory: path of the run directory.
        config: its `Config`.
    """

    def __init__(self, directory, config):
        self.directory = Path(directory)
        self.config = config

    @classmethod
    def open(cls, directory):
        """The run in a directory.

        Raises:
            UserError: there is none, or its config.json is damaged.
        """
        path = Path(directory) / "config.json"
        if not path.is_file():
            raise UserError(f"{directory}: no run here (no config.json)")
        return cls(directory, read_config(path))

    @classmethod
    def create(cls, directory, config, mean_of=None):
        """A new run: writes config.json into its directory.

        Args:
            directory: the run directory, which may be there.
            config: a `Config`.
            mean_of: for a run that average.py makes, {"run": directory, "checkpoints": names}.
        """
        directory = Path(directory)
        directory.mkdir(parents=True, exist_ok=True)
        versions = {"keras_transformer": keras_transformer.__version__} | {
            name: importlib.metadata.version(name) for name in LIBRARIES
        }
        content = json.loads(config.to_json()) | {VERSIONS: versions}
        content |= {MEAN_OF: mean_of} if mean_of else {}
        text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        write_bytes(directory / "config.json", text.encode("utf-8"))
        return cls(directory, config)

    def subwords(self):
        """The `Subwords` of the source and of the target.

        Raises:
            UserError: a model is missing or damaged.
        """
        text = self.config.text
        pretrained = text.subwords == "pretrained"
        source, target = self.subword_files()
        return (
            Subwords.load(source, text.source_lang, pretrained),
            Subwords.load(target, text.target_lang, pretrained),
        )

    def make_subwords(self, pairs, exact=False):
        """Train or fetch the subword models.

        A corpus that is too small for the vocabulary gets the largest that it allows, which
        becomes the run's `vocab_size`.

        Args:
            pairs: the training pairs.
            exact: whether a vocabulary of another size is an error.

        Raises:
            VocabularyTooLarge: the corpus is too small, and the size is exact.
        """
        text = self.config.text
        files = self.subword_files()
        if text.subwords == "pretrained":
            fetch_pretrained(text.source_lang, text.vocab_size, files[0])
            fetch_pretrained(text.target_lang, text.vocab_size, files[1])
            return
        sides = [Side(pairs)] if text.joint_vocabulary else [Side(pairs, 0), Side(pairs, 1)]
        size = train_largest(sides, text.vocab_size, files[: len(sides)])
        if size < text.vocab_size:
            if exact:
                raise VocabularyTooLarge(text.vocab_size, size)
            print(
                f"{self.directory}: the corpus is too small for {text.vocab_size:,} subwords: "
                f"the largest possible vocabulary is used, {size:,}"
            )
            self.config = self.config.with_settings({"vocab_size": size})
            Run.create(self.directory, self.config)

    def subword_files(self):
        target = "source.model" if self.config.text.joint_vocabulary else "target.model"
        return self.directory / "source.model", self.directory / target

    def build_model(self, source_subwords, target_subwords):
        """A `Transformer` of the run's settings, with fresh weights."""
        shape, options = self._network_settings()
        longest = max(self.config.text.max_source_length, self.config.text.max_target_length)
        model = Transformer(
            **shape,
            options=options,
            input_vocab_size=source_subwords.size,
            target_vocab_size=target_subwords.size,
            maximum_position_encoding=longest,
        )
        model.build(((None, None), (None, None)))
        return model

    def _network_settings(self):
        """Return the tutorial's arguments of the network, and the other `Options`."""
        settings = dict(vars(self.config.model))
        given = {name: settings.pop(name) for name in Options._fields if name in settings}
        return settings, Options(**given)

    def other_files(self):
        """Return the paths of what a translator needs beside the settings and the weights."""
        names = ("source.model", "target.model", EXAMPLES, CALIBRATION, LEXICON, NGRAMS, *WORDS)
        paths = (self.directory / name for name in names)
        return [path for path in paths if path.is_file()]

    def save_examples(self, sentences):
        """Save some source sentences, to show what the run translates."""
        write_lines(self.directory / EXAMPLES, sentences)

    def examples(self):
        """Return the saved source sentences; none for a run that has none."""
        path = self.directory / EXAMPLES
        return list(read_lines(path)) if path.is_file() else []

    def save_words(self, *counts):
        """Save {word: number of occurrences} of the training sources, and of the targets."""
        for name, side in zip(WORDS, counts, strict=True):
            lines = (f"{word}\t{number}" for word, number in side.items())
            write_lines(self.directory / name, lines)

    def words(self):
        """Return what `save_words` saved, two dicts, or None.

        Raises:
            UserError: a file is damaged.
        """
        paths = [self.directory / name for name in WORDS]
        if not all(path.is_file() for path in paths):
            return None
        return tuple(_read_counts(path) for path in paths)

    def lexicon_file(self):
        """Return the path of the `Lexicon` of the training pairs."""
        return self.directory / LEXICON

    def ngrams_file(self):
        """Return the path of the `Ngrams` of the training targets."""
        return self.directory / NGRAMS

    def save_calibration(self, values):
        """Save what the confidence in a translation is computed from, a dict."""
        content = json.dumps(values, indent=2).encode("utf-8")
        write_bytes(self.directory / CALIBRATION, content)

    def remove_calibration(self):
        """Remove what `save_calibration` saved, if anything."""
        (self.directory / CALIBRATION).unlink(missing_ok=True)

    def calibration(self):
        """Return what `save_calibration` saved, or None.

        Raises:
            UserError: the file is damaged.
        """
        path = self.directory / CALIBRATION
        if not path.is_file():
            return None
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise UserError(f"{path}: damaged: {error}") from error

    def restore_weights(self, model):
        """Gives the model the best weights, or the newest where none are best yet.

        Raises:
            UserError: there are no weights, or those of a model of another shape.
        """
        directory = self.directory / BEST
        path = latest_checkpoint(directory) or latest_checkpoint(self.directory)
        if path is None:
            raise UserError(f"{self.directory}: nothing saved yet: train it first")
        restore(path, named_variables(model))


class Side:
    """The sentences of one side of pairs, or of both; they can be read repeatedly."""

    def __init__(self, pairs, column=None):
        self.pairs = pairs
        self.column = slice(None) if column is None else slice(column, column + 1)

    def __iter__(self):
        for pair in self.pairs:
            yield from pair[self.column]


def _read_counts(path):
    """Return {word: number} of a file."""
    try:
        rows = (line.split("\t") for line in read_lines(path))
        return {word: int(count) for word, count in rows}
    except ValueError as error:
        raise UserError(f"{path}: damaged: {error}") from error


def read_config(path):
    """The `Config` in a JSON file.

    Raises:
        UserError: the file is no JSON object, or a setting is unknown or not allowed.
    """
    return _read_config(path)[0]


def read_settings(path):
    """{name: value} of just the settings that a JSON file gives; errors as for `read_config`."""
    sections = _read_config(path)[1]
    return {name: value for section in sections.values() for name, value in section.items()}


def _read_config(path):
    """The `Config` in a JSON file, and {section: {name: value}} as they stand there."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        content.pop(VERSIONS, None)
        content.pop(MEAN_OF, None)
        return Config.from_dict(content), content
    except UserError as error:
        raise UserError(f"{path}: {error}") from error
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise UserError(f"{path}: not a run's settings: {error}") from error


def chosen_run(directory=None, root=ROOT):
    """Return the run directory that the user names, or else the default, telling which it is.

    Raises:
        UserError: the user names none, and there is none under `root`.
    """
    if directory:
        return directory
    newest = newest_run(root)
    print(f"using {newest}", file=sys.stderr)
    return newest


def newest_run(root=ROOT):
    """The run directory under `root` that was trained last; a mean of checkpoints is none.

    Raises:
        UserError: there is none.
    """
    saved = [(path, path.parents[0]) for path in Path(root).glob("*/checkpoint")]
    saved += [(path, path.parents[1]) for path in Path(root).glob(f"*/{BEST}/checkpoint")]
    for _, run in sorted(saved, key=lambda each: each[0].stat().st_mtime, reverse=True):
        if not is_mean(run):
            return run
    raise UserError(f"no run under {root}/: train one with train.py, or give --checkpoint")


def is_mean(directory):
    """Return whether average.py made a run directory; one that cannot be read it did not make."""
    try:
        return MEAN_OF in json.loads((Path(directory) / "config.json").read_text("utf-8"))
    except (OSError, ValueError, TypeError):
        return False


def set_aside(directory):
    """Renames a run directory, so that a new run can take its place: NAME becomes NAME.1, …

    Returns:
        The new path.
    """
    directory = Path(directory).resolve()
    if not (directory / "config.json").is_file():
        raise UserError(f"{directory}: no run, so it is not set aside: give another --checkpoint")
    free = next(
        path
        for number in itertools.count(1)
        if not (path := directory.with_name(f"{directory.name}.{number}")).exists()
    )
    return directory.rename(free)

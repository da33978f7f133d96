"""The run directory, which contains everything that a trained translator needs.

config.json             settings and library versions; for an average, also its origin
manifest.json           what belongs to the run: see manifest.py
source.model            SentencePiece models (only this one with a joint vocabulary)
target.model
checkpoint, ckpt-N.*    the newest training states
lock                    the process that is training the run: see lock.py
best/                   the best weights: those with the best validation BLEU, or an average
average/                the mean of the last checkpoints, if average_last is set
examples.txt            a few validation sources, one per line
calibration.json        parameters of the confidence: see translation/confidence_model.py
decoding.json           defaults of the search and the reranking: see translation/decoding.py
source_words.tsv        words of the training sources, with their frequencies
target_words.tsv        words of the training targets
training.ids            the training pairs as ids: see text/id_file.py
validation.ids          the validation pairs as ids
casing.npz              capitals of the target language, for pretrained subwords:
                        see translation/truecasing.py
lexicon.npz, ngrams.npz parameters of the reranker: see translation/reranking.py
shortlist.npz           target subwords for each source subword: see translation/shortlist.py
logs/                   TensorBoard
"""

import contextlib
import importlib.metadata
import itertools
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from keras_transformer.config import Config, flat_settings, required
from keras_transformer.errors import DamagedRun, NoRun, PathTaken, UserError
from keras_transformer.files import check_no_pattern, naming, write_bytes
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.checkpoints import (
    has_identity,
    has_remains,
    latest_checkpoint,
    named_variables,
    progress,
    restore,
    restore_newest,
    saved_checkpoints,
)
from keras_transformer.runs.json_files import read_object
from keras_transformer.runs.lock import LOCK
from keras_transformer.runs.manifest import MANIFEST, SUBWORD_MODELS, Manifest
from keras_transformer.runs.network import build_network
from keras_transformer.runs.saving import LIST
from keras_transformer.text.encoding import Encoding
from keras_transformer.text.lines import read_lines, write_lines
from keras_transformer.text.pretrained_subwords import fetch_pretrained
from keras_transformer.text.subword_training import VocabularyTooLarge, train_largest
from keras_transformer.text.subwords import Subwords, check_language
from keras_transformer.version import __version__

T = TypeVar("T")

ROOT = Path("checkpoints")
LIBRARIES = ("tensorflow", "keras", "bpemb", "sentencepiece")
CONFIG = "config.json"
BEST = "best"
AVERAGE = "average"
EXAMPLES = "examples.txt"
TRAINING_IDS, VALIDATION_IDS = "training.ids", "validation.ids"
CALIBRATION = "calibration.json"
DECODING = "decoding.json"
CASING = "casing.npz"
LEXICON, NGRAMS = "lexicon.npz", "ngrams.npz"
SHORTLIST = "shortlist.npz"
WORDS = "source_words.tsv", "target_words.tsv"
# The files in the manifest.
SEALED = (
    *SUBWORD_MODELS,
    CASING,
    CALIBRATION,
    DECODING,
    LEXICON,
    NGRAMS,
    SHORTLIST,
    *WORDS,
)
# What exists only after a training state has been saved.
LATER = (LIST, BEST, AVERAGE, CALIBRATION, DECODING, LEXICON, NGRAMS, SHORTLIST, *WORDS)
# Entries of config.json besides the settings.
VERSIONS = "versions"
MEAN_OF = "mean_of"


class Run:
    """A run directory and its settings.

    Args:
        directory: path of the run directory.
        config: the `Config` of the run.
        manifest: its `Manifest`, or None if it has none.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        config: Config,
        manifest: Manifest | None = None,
    ) -> None:
        self.directory = Path(directory)
        self.config = config
        self.manifest = manifest

    @classmethod
    def open(cls, directory: str | os.PathLike[str]) -> "Run":
        """Return the run in a directory.

        Raises:
            NoRun: If the directory contains no run.
            DamagedRun: If a file differs from the manifest, or config.json or the manifest is
                missing. A run of a development build before version 0.1.0 has no manifest.
            UserError: If config.json is damaged, or TensorFlow cannot read files at the path.
        """
        check_no_pattern(directory)
        path = Path(directory) / CONFIG
        if not path.is_file():
            if (path.parent / MANIFEST).is_file():
                raise DamagedRun(f"{path}: missing; {MANIFEST} belongs to it")
            raise NoRun(f"{directory}: no run here (no {CONFIG}){_runs_below(path.parent)}")
        config, manifest = read_config(path), Manifest.load(path.parent)
        if manifest:
            manifest.check(path.parent, config)
        elif any(map(has_identity, saved_checkpoints(directory)[-1:])):
            raise DamagedRun(f"{path.parent / MANIFEST}: missing; the checkpoints belong to it")
        return cls(directory, config, manifest)

    @classmethod
    def create(
        cls,
        directory: str | os.PathLike[str],
        config: Config,
        mean_of: Mapping[str, object] | None = None,
    ) -> "Run":
        """Create a run, or save new settings for an existing one, and return the `Run`.

        Args:
            directory: the run directory, which is created if necessary.
            config: a `Config`.
            mean_of: the origin of an average, {"run": directory, "checkpoints": names}.

        Raises:
            UserError: If the directory or the config.json in it cannot be written, or TensorFlow
                cannot read files at the path.
        """
        check_no_pattern(directory)
        run = cls(directory, config, Manifest.load(Path(directory)))
        with naming(directory):
            run.directory.mkdir(parents=True, exist_ok=True)
        run._save_config(mean_of)
        return run

    def seal(self, corpus: Mapping[str, str]) -> None:
        """Save the manifest of the run's settings and files.

        Args:
            corpus: {"train": SHA-256, "validation": SHA-256}.
        """
        self.manifest = Manifest.of(self.directory, self.config, corpus, SEALED)
        self.manifest.save(self.directory)

    @property
    def identity(self) -> str | None:
        """The identity of the run, which its checkpoints contain; None without a manifest."""
        return self.manifest.identity if self.manifest else None

    def identity_in(self, name: str) -> str | None:
        """Return the identity in checkpoints in the directory `BEST` or `AVERAGE`.

        Weights that are moved from one of them to the other, or a training state in their place,
        are therefore not mistaken for the best weights.
        """
        return f"{self.identity} {name}" if self.identity else None

    def _save_config(self, mean_of: Mapping[str, object] | None = None) -> None:
        versions = {"keras_transformer": __version__} | {
            name: importlib.metadata.version(name) for name in LIBRARIES
        }
        content = json.loads(self.config.to_json()) | {VERSIONS: versions}
        content |= {MEAN_OF: mean_of} if mean_of else {}
        text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        write_bytes(self.directory / CONFIG, text.encode("utf-8"))

    # Subword models

    def subword_files(self) -> tuple[Path, Path]:
        """Return the paths of the source and target models, which are equal for a joint model."""
        target = "source.model" if self.config.text.joint_vocabulary else "target.model"
        return self.directory / "source.model", self.directory / target

    def subwords(self) -> tuple[Subwords, Subwords]:
        """Return the `Subwords` of the source and of the target.

        Raises:
            UserError: If a model is missing, damaged, or not of the size in the settings.
        """
        languages = self.config.text.source_lang, self.config.text.target_lang
        with naming_file(self.directory / CONFIG):
            for lang in languages:
                check_language(lang)
        source, target = map(self._load_subwords, self.subword_files(), languages)
        return source, target

    def encoding(self) -> Encoding:
        """Return how the run encodes sentence pairs: its subwords and its maximum lengths.

        Raises:
            UserError: If a subword model is missing, damaged, or not of the size in the settings.
        """
        text = self.config.text
        return Encoding(*self.subwords(), text.max_source_length, text.max_target_length)

    def _load_subwords(self, path: Path, lang: str) -> Subwords:
        subwords = Subwords.load(path, lang, self.config.text.subwords == "pretrained")
        wanted = self.config.text.vocab_size
        if wanted not in (None, subwords.start):
            raise UserError(
                f"{path} contains {subwords.start:,} subwords, but {CONFIG} says {wanted:,}"
            )
        return subwords

    def make_subwords(self, pairs: Iterable[tuple[str, str]], exact: bool = False) -> None:
        """Train the subword models, or fetch the pretrained ones.

        If the corpus is too small for `vocab_size` subwords, the models have the largest possible
        vocabulary, and the setting `vocab_size` of the run changes accordingly.

        Args:
            pairs: the training pairs, which are read repeatedly.
            exact: whether a vocabulary of another size is an error.

        Raises:
            VocabularyTooLarge: If the corpus is too small and `exact` is true.
        """
        text, files = self.config.text, self.subword_files()
        wanted = required(text.vocab_size)
        if text.subwords == "pretrained":
            fetch_pretrained(text.source_lang, wanted, files[0])
            fetch_pretrained(text.target_lang, wanted, files[1])
            return
        sides = [Side(pairs)] if text.joint_vocabulary else [Side(pairs, 0), Side(pairs, 1)]
        size = train_largest(sides, wanted, files[: len(sides)])
        if size < wanted:
            if exact:
                raise VocabularyTooLarge(wanted, size)
            self.config = self.config.with_settings({"vocab_size": size})
            self._save_config()

    def copy_subwords(self, other: "Run") -> None:
        """Copy the subword models of another run."""
        for source, target in zip(other.subword_files(), self.subword_files(), strict=True):
            with naming(target):
                shutil.copyfile(source, target)

    # Network

    def build_model(self, source_subwords: Subwords, target_subwords: Subwords) -> Transformer:
        """Return a `Transformer` with the run's settings and newly initialized weights.

        Raises:
            UserError: If the network is too large.
        """
        sizes = source_subwords.size, target_subwords.size
        with naming_file(self.directory / CONFIG):
            return build_network(self.config, *sizes)

    def restore_weights(self, model: Transformer) -> None:
        """Restore the best weights, or the newest weights if no best weights are saved yet.

        Raises:
            UserError: If there are no weights, the best weights are missing or damaged, or the
                weights belong to a model of another shape.
        """
        best, variables = latest_checkpoint(self.directory / BEST), named_variables(model)
        if best:
            restore(best, variables, self.identity_in(BEST))
            return
        newest = restore_newest(self.directory, variables, self.identity)
        if newest is None:
            raise UserError(f"{self.directory}: no weights saved yet: train the run first")
        if progress(newest)["best_bleu"] >= 0:
            raise UserError(f"{self.directory / BEST}: missing: it had the best weights of the run")

    # Other files that a translator needs

    def other_files(self) -> list[Path]:
        """Return the existing files that a translator needs besides settings and weights."""
        return [self.directory / name for name in (*SEALED, EXAMPLES) if self.has(name)]

    def has(self, name: str) -> bool:
        """Return whether the run has a file, which is also listed in the manifest if it must be."""
        is_complete = self.manifest is None or name not in SEALED or name in self.manifest.files
        return is_complete and (self.directory / name).is_file()

    @contextlib.contextmanager
    def replacing(self, name: str) -> Iterator[Path]:
        """Yield the path of a file to write, which the manifest does not list until it is written.

        If the process is killed in between, the file is ignored as incomplete.
        """
        path = self.directory / name
        self._remove_from_manifest(name)
        yield path
        if self.manifest:
            self.manifest = self.manifest.with_file(path)
            self.manifest.save(self.directory)

    def _remove_from_manifest(self, name: str) -> None:
        if self.manifest and name in self.manifest.files:
            self.manifest = self.manifest.without_file(name)
            self.manifest.save(self.directory)

    def save_examples(self, sentences: Iterable[str]) -> None:
        """Save some source sentences as examples of input for the run."""
        write_lines(self.directory / EXAMPLES, sentences)

    def examples(self) -> list[str]:
        """Return the saved examples, or an empty list."""
        path = self.directory / EXAMPLES
        return list(read_lines(path)) if path.is_file() else []

    def save_words(self, source: Mapping[str, int], target: Mapping[str, int]) -> None:
        """Save {word: number of occurrences} of the training sources and targets."""
        for name, counts in zip(WORDS, (source, target), strict=True):
            lines = (f"{word}\t{number}" for word, number in counts.items())
            with self.replacing(name) as path:
                write_lines(path, lines)

    def words(self) -> tuple[dict[str, int], dict[str, int]] | None:
        """Return the saved {word: number of occurrences} of sources and targets, or None.

        Raises:
            UserError: If a file is damaged.
        """
        if not all(self.has(name) for name in WORDS):
            return None
        source, target = (self.directory / name for name in WORDS)
        return _read_counts(source), _read_counts(target)

    def save_calibration(self, values: Mapping[str, object]) -> None:
        """Save {name: value} of a `ConfidenceModel`."""
        self._save_values(CALIBRATION, values)

    def remove_calibration(self) -> None:
        """Remove the saved calibration, if there is one."""
        self._remove(CALIBRATION)

    def calibration(self) -> dict[str, object] | None:
        """Return the saved calibration, or None.

        Raises:
            UserError: If the file is damaged.
        """
        return self._values(CALIBRATION)

    def save_decoding(self, values: Mapping[str, object]) -> None:
        """Save {name: value} of a `Decoding`, and remove the calibration of another one."""
        self.remove_calibration()
        self._save_values(DECODING, values)

    def remove_decoding(self) -> None:
        """Remove the saved decoding, if there is one, and the calibration that depends on it."""
        self.remove_calibration()
        self._remove(DECODING)

    def decoding(self) -> dict[str, object] | None:
        """Return the saved decoding, or None.

        Raises:
            UserError: If the file is damaged.
        """
        return self._values(DECODING)

    def decoding_file(self) -> Path:
        """Return the path of the saved decoding."""
        return self.directory / DECODING

    def _save_values(self, name: str, values: Mapping[str, object]) -> None:
        """Save {name: value} as a JSON object."""
        content = json.dumps(values, indent=2).encode("utf-8")
        with self.replacing(name) as path:
            write_bytes(path, content)

    def _values(self, name: str) -> dict[str, object] | None:
        """Return the JSON object in a file, or None if the run does not have the file."""
        return read_object(self.directory / name) if self.has(name) else None

    def _remove(self, name: str) -> None:
        """Remove a file, if the run has it."""
        self._remove_from_manifest(name)
        (self.directory / name).unlink(missing_ok=True)

    def lexicon_file(self) -> Path:
        """Return the path of the `Lexicon` of the training pairs."""
        return self.directory / LEXICON

    def ngrams_file(self) -> Path:
        """Return the path of the `Ngrams` of the training targets."""
        return self.directory / NGRAMS


class Side:
    """The sentences of one side of pairs, or of both sides, which can be read repeatedly."""

    def __init__(self, pairs: Iterable[Sequence[str]], column: int | None = None) -> None:
        self.pairs = pairs
        self.columns = slice(None) if column is None else slice(column, column + 1)

    def __iter__(self) -> Iterator[str]:
        for pair in self.pairs:
            yield from pair[self.columns]


def _read_counts(path: Path) -> dict[str, int]:
    """Read {word: number of occurrences} from a file."""
    try:
        rows = (line.split("\t") for line in read_lines(path))
        return {word: int(count) for word, count in rows}
    except ValueError as error:
        raise UserError(f"{path}: damaged: {error}") from error


def read_config(path: str | os.PathLike[str]) -> Config:
    """Return the `Config` in a JSON file.

    Raises:
        UserError: If the file is not a JSON object, or a setting is unknown or invalid.
    """
    return _read_settings(path, Config.from_dict)


def read_settings(path: str | os.PathLike[str]) -> dict[str, object]:
    """Return {name: value} of only the settings that a JSON file contains.

    Combinations of settings are not validated (see `flat_settings`).

    Raises:
        UserError: If the file is invalid, as in `read_config`.
    """
    return _read_settings(path, flat_settings)


def _read_settings(path: str | os.PathLike[str], convert: Callable[[dict[str, Any]], T]) -> T:
    """Return the converted sections {section: {name: value}} of a JSON file."""
    content = read_object(path)
    with naming_file(path):
        for name in (VERSIONS, MEAN_OF):
            if not isinstance(content.pop(name, {}), dict):
                raise UserError(f"{name} must be an object")
        return convert(content)


@contextlib.contextmanager
def naming_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Begin the message of a `UserError` with the file that contains the invalid setting."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{path}: {error}") from error


def newest_run(root: str | os.PathLike[str] = ROOT) -> Path:
    """Return the run directory under `root` that was saved last, ignoring averages.

    Raises:
        NoRun: If there is none.
    """
    saved = [(path, path.parents[0]) for path in Path(root).glob("*/checkpoint")]
    saved += [(path, path.parents[1]) for path in Path(root).glob(f"*/{BEST}/checkpoint")]
    for _, run in sorted(saved, key=lambda each: each[0].stat().st_mtime, reverse=True):
        if not is_average(run):
            return run
    raise NoRun(f"no run under {root}/")


def is_average(directory: str | os.PathLike[str]) -> bool:
    """Return whether a run directory was made by averaging; False if it cannot be read."""
    try:
        return MEAN_OF in read_object(Path(directory) / CONFIG)
    except UserError:
        return False


def _runs_below(directory: Path) -> str:
    """Return a remark on the runs in the directories of a directory, or nothing."""
    runs = sorted(path.parent for path in directory.glob(f"*/{CONFIG}"))
    return f"; there is one in {runs[0]}" if runs else ""


def check_is_run(directory: str | os.PathLike[str]) -> None:
    """Raise a `PathTaken` if a directory contains no run."""
    if not any((Path(directory) / name).is_file() for name in (CONFIG, MANIFEST)):
        raise PathTaken(f"{directory} is not a run directory, so it is not renamed")


def check_is_run_or_empty(directory: Path) -> None:
    """Check that a directory contains a run, parts of one, or nothing.

    Raises:
        PathTaken: If the directory contains something else.
        UserError: If config.json is not that of a run.
    """
    if (directory / MANIFEST).is_file() or has_remains(directory):
        return
    if (directory / CONFIG).is_file():
        read_config(directory / CONFIG)
        return
    visible = {path.name for path in directory.iterdir() if not path.name.startswith(".")} - {LOCK}
    if visible and not visible.intersection(LATER):
        raise PathTaken(f"{directory} contains other files, but no run")


def set_aside(directory: str | os.PathLike[str]) -> Path:
    """Rename a run directory NAME to the first unused name of NAME.1, NAME.2, ...

    Returns:
        The new path.

    Raises:
        PathTaken: If the directory contains no run.
    """
    directory = Path(directory).resolve()
    check_is_run(directory)
    free = next(
        path
        for number in itertools.count(1)
        if not (path := directory.with_name(f"{directory.name}.{number}")).exists()
    )
    return directory.rename(free)

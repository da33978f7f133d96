"""A run: the settings, subword models, weights and other files of a trained translator."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from keras_transformer.config import Config, required
from keras_transformer.errors import DamagedRun, UserError
from keras_transformer.files import check_directory_path, copy_file, naming
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.checkpoints import (
    ends_first_epoch,
    has_identity,
    latest_checkpoint,
    named_weights,
    progress,
    restore,
    restore_newest,
    saved_checkpoints,
)
from keras_transformer.runs.config_file import naming_file, read_config, save_config
from keras_transformer.runs.directories import check_has_config
from keras_transformer.runs.layout import (
    BEST,
    CALIBRATION,
    CONFIG,
    DECODING,
    EXAMPLES,
    LEXICON,
    MANIFEST,
    NGRAMS,
    SEALED,
    WORDS,
)
from keras_transformer.runs.manifest import Manifest
from keras_transformer.runs.network import build_network
from keras_transformer.runs.sealed_directory import SealedDirectory
from keras_transformer.text.encoding import Encoding
from keras_transformer.text.lines import read_lines, write_lines
from keras_transformer.text.pretrained_subwords import fetch_pretrained
from keras_transformer.text.subword_training import Side, VocabularyTooLarge, train_largest
from keras_transformer.text.subwords import Subwords, check_language


class Run(SealedDirectory):
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
        super().__init__(directory, manifest)
        self.config = config

    @classmethod
    def open(cls, directory: str | os.PathLike[str]) -> "Run":
        """Return the run in a directory.

        Raises:
            NoRun: If the directory contains no run.
            DamagedRun: If a file differs from the manifest, or config.json or the manifest is
                missing. A run of a development build before version 0.1.0 has no manifest.
            UserError: If config.json is damaged, or TensorFlow cannot read files at the path.
        """
        check_directory_path(directory)
        path = Path(directory) / CONFIG
        if not path.is_file() and (path.parent / MANIFEST).is_file():
            raise DamagedRun(f"{path}: missing; {MANIFEST} belongs to it")
        check_has_config(path.parent)
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
        check_directory_path(directory)
        run = cls(directory, config, Manifest.load(Path(directory)))
        with naming(directory):
            run.directory.mkdir(parents=True, exist_ok=True)
        save_config(run.directory, config, mean_of)
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
            save_config(self.directory, self.config)

    def copy_subwords(self, other: "Run") -> None:
        """Copy the subword models of another run.

        Raises:
            UserError: If a model cannot be read or its copy cannot be written.
        """
        files = zip(other.subword_files(), self.subword_files(), strict=True)
        for source, target in dict.fromkeys(files):  # a joint model is copied once
            copy_file(source, target)

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
        # A run that starts from this one may have other dropout, with other random states.
        best, variables = latest_checkpoint(self.directory / BEST), named_weights(model)
        if best:
            restore(best, variables, self.identity_in(BEST))
            return
        newest = restore_newest(self.directory, variables, self.identity)
        if newest is None:
            raise UserError(f"{self.directory}: no weights saved yet: train the run first")
        if progress(newest)["best_bleu"] >= 0 and not ends_first_epoch(newest):
            raise UserError(f"{self.directory / BEST}: missing: it had the best weights of the run")

    # Other files that a translator needs

    def other_files(self) -> list[Path]:
        """Return the existing files that a translator needs besides settings and weights."""
        return [self.directory / name for name in (*SEALED, EXAMPLES) if self.has(name)]

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

    def lexicon_file(self) -> Path:
        """Return the path of the `Lexicon` of the training pairs."""
        return self.directory / LEXICON

    def ngrams_file(self) -> Path:
        """Return the path of the `Ngrams` of the training targets."""
        return self.directory / NGRAMS


def _read_counts(path: Path) -> dict[str, int]:
    """Read {word: number of occurrences} from a file."""
    try:
        rows = (line.split("\t") for line in read_lines(path))
        return {word: int(count) for word, count in rows}
    except ValueError as error:
        raise UserError(f"{path}: damaged: {error}") from error

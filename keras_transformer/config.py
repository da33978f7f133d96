"""The settings of a run: defaults, descriptions and valid values; conversion to and from JSON.

A setting is a field of one of three frozen dataclasses. Its help text is part of the field, and
`keras_transformer.commands.settings_flags` derives the flag from it, so that each setting is
described only once.
"""

import dataclasses
import json
import math
import os
import reprlib
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from keras_transformer.errors import UserError

T = TypeVar("T")

# Defaults of the settings that are None in `Config` because the built-in corpus has other values.
DEFAULTS = {"vocab_size": 10_000, "batch_size": 64, "epochs": 10}

# Limits that keep a damaged or hostile file from exhausting memory or time. All are far beyond what
# a translator needs. The number of weights has its own limit: see `runs.network`.
MAX_LAYERS = 256
MAX_DEPTH = 2**14
MAX_INNER_DEPTH = 2**17
MAX_LENGTH = 2**12
MAX_POSITIONS = 2**20  # of the widest batch: sentence pairs times subwords
MAX_EPOCHS = 10**6
MAX_HOURS = 10**4
MAX_CHECKPOINTS = 10**4
MAX_COUNT = 10**9  # of steps or sentence pairs
MAX_LEARNING_RATE = 100.0
MAX_NORM = 1e9
MAX_FILES = 2
MAX_CHARACTERS = 2**12  # of a string; no path on Linux is longer

# Former settings, with the values that turned them off. Runs with these values can still be read.
RETIRED: dict[str, dict[str, object]] = {"training": {"bpe_dropout": 0.0, "r_drop": 0.0}}


def setting(
    default: T,
    help: str,
    *,
    choices: Sequence[str] | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    below: float | None = None,
    booleans: tuple[str, str] | None = None,
    metavar: str | None = None,
) -> T:
    """Return a dataclass field, with the metadata for its flag and its validation.

    Args:
        default: value of the setting if the user chooses none.
        help: what the setting does, with its unit.
        choices: the valid values, or None.
        minimum: smallest valid value, or None.
        maximum: largest valid value, or None.
        below: exclusive upper bound of the valid values, or None.
        booleans: the values that false and true stand for, if they are valid too.
        metavar: what stands for the value in descriptions; None for that of its type.
    """
    limits = {"minimum": minimum, "maximum": maximum, "below": below}
    metadata = {"help": help, "metavar": metavar, "choices": choices, "booleans": booleans}
    return field(default=default, metadata=metadata | limits)


def required(value: T | None) -> T:
    """Return the value of a setting that is not None in a resolved `Config`.

    Raises:
        ValueError: If the value is None.
    """
    if value is None:
        raise ValueError("a setting of the config is None: call Config.resolved() first")
    return value


def validated(each: dataclasses.Field, value: object) -> object:
    """Return a valid value of a setting: a list becomes a tuple, and paths become strings.

    Args:
        each: the field of the setting.
        value: its value.

    Raises:
        UserError: If the value is invalid.
    """
    if isinstance(value, list) and _plain_type(each.type) is tuple:  # JSON has no tuples
        value = tuple(value)
    if isinstance(value, bool) and each.metadata["booleans"]:
        value = each.metadata["booleans"][value]
    _check_type(each.name, value, each.type)
    if isinstance(value, tuple):
        if len(value) > MAX_FILES:
            raise UserError(f"{each.name} must name at most {MAX_FILES} files, not {len(value):,}")
        return tuple(_path_string(each.name, element) for element in value)
    _check_choice(each.name, value, each.metadata["choices"])
    if isinstance(value, str):
        _check_text(each.name, value)
    if isinstance(value, int | float):
        _check_range(each.name, value, each.metadata)
    return value


def _shown(value: object) -> str:
    """Return the representation of a value for an error message, shortened if it is long."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = 100
    return short.repr(value)


def _path_string(name: str, element: object) -> str:
    path = os.fspath(element) if isinstance(element, os.PathLike) else element
    if not isinstance(path, str):
        raise UserError(f"{name} must contain only paths, not {_shown(element)}")
    _check_text(name, path)
    return path


def _check_text(name: str, text: str) -> None:
    """Raise a `UserError` if a string cannot be a path or cannot be saved as UTF-8."""
    if len(text) > MAX_CHARACTERS:
        raise UserError(f"{name} must have at most {MAX_CHARACTERS} characters, not {len(text)}")
    if "\0" in text or not _is_unicode(text):
        raise UserError(f"{name} must not contain NUL or lone surrogates: {_shown(text)}")


def _is_unicode(text: str) -> bool:
    """Return whether a string has no lone surrogates."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _check_type(name: str, value: object, annotation: object) -> None:
    """Validate the type of a value.

    Args:
        name: name of the setting.
        value: its value.
        annotation: type of the field: bool, int, float, str, tuple[str, ...], or X | None.
    """
    if value is None and isinstance(annotation, types.UnionType):
        return
    kind = _plain_type(annotation)
    valid = isinstance(value, (int, float) if kind is float else kind)
    if not valid or (isinstance(value, bool) and kind is not bool):
        wanted = "a list of paths" if kind is tuple else f"of type {kind.__name__}"
        raise UserError(f"{name} must be {wanted}, not {_shown(value)}")


def _plain_type(annotation: object) -> type:
    """Return X for X | None, and tuple for tuple[str, ...]."""
    if isinstance(annotation, types.UnionType):
        annotation = typing.get_args(annotation)[0]
    kind = typing.get_origin(annotation) or annotation
    assert isinstance(kind, type)
    return kind


def _check_choice(name: str, value: object, choices: Sequence[str] | None) -> None:
    if choices and value not in choices:
        raise UserError(f"{name} must be one of {', '.join(choices)}, not {_shown(value)}")


def _check_range(name: str, value: float, limits: Mapping[str, float | None]) -> None:
    """Raise a `UserError` if a number is outside the limits `minimum`, `maximum` and `below`."""
    if isinstance(value, float) and not math.isfinite(value):
        raise UserError(f"{name} must be a finite number, not {value!r}")
    minimum, maximum, below = (limits[limit] for limit in ("minimum", "maximum", "below"))
    if minimum is not None and not value >= minimum:
        raise UserError(f"{name} must be at least {minimum}, not {_shown(value)}")
    if maximum is not None and not value <= maximum:
        raise UserError(f"{name} must be at most {maximum:,}, not {_shown(value)}")
    if below is not None and not value < below:
        raise UserError(f"{name} must be less than {below}, not {_shown(value)}")


@dataclass(frozen=True)
class Settings:
    """Base class of the three dataclasses, which validates the value of each field."""

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            object.__setattr__(self, each.name, validated(each, getattr(self, each.name)))


@dataclass(frozen=True)
class TextConfig(Settings):
    """Languages, subwords and lengths."""

    source_lang: str = setting("en", "source language, as named by BPEmb")
    target_lang: str = setting("de", "target language, as named by BPEmb")
    subwords: str = setting(
        "trained",
        "subword models: trained on the corpus, or pretrained by BPEmb (lower case, digits 0)",
        choices=("trained", "pretrained"),
    )
    vocab_size: int | None = setting(
        None,
        f"subwords per language (default {DEFAULTS['vocab_size']}, "
        "or as many as the corpus allows)",
        minimum=8,
        below=2**20,
    )
    joint_vocabulary: bool = setting(False, "one subword model for both languages")
    max_source_length: int = setting(
        41, "longest source, in subwords including start and end", minimum=3, maximum=MAX_LENGTH
    )
    max_target_length: int = setting(
        42, "longest target, in subwords including start and end", minimum=3, maximum=MAX_LENGTH
    )


@dataclass(frozen=True)
class ModelConfig(Settings):
    """Layers and dimensions of the network."""

    num_layers: int = setting(
        4, "encoder layers, and decoder layers by default", minimum=1, maximum=MAX_LAYERS
    )
    decoder_layers: int | None = setting(
        None, "decoder layers (default: as many as num_layers)", minimum=1, maximum=MAX_LAYERS
    )
    d_model: int = setting(
        128, "depth of embeddings and layers, an even number", minimum=2, maximum=MAX_DEPTH
    )
    num_heads: int = setting(
        8, "attention heads; must divide d_model", minimum=1, maximum=MAX_DEPTH
    )
    dff: int = setting(
        512, "inner depth of the feed-forward networks", minimum=1, maximum=MAX_INNER_DEPTH
    )
    rate: float = setting(
        0.1, "dropout rate of the embeddings and of the output of each sublayer", minimum=0, below=1
    )
    attention_rate: float = setting(
        0.0, "dropout rate of the attention weights", minimum=0, below=1
    )
    activation_rate: float = setting(
        0.0, "dropout rate inside the feed-forward networks", minimum=0, below=1
    )
    norm_first: bool = setting(False, "normalize before each sublayer (pre-norm), not after it")
    tied_embeddings: str = setting(
        "output",
        "output: the target embedding is also the matrix of the output layer; all: so is the "
        "source embedding (needs joint_vocabulary); none: three matrices",
        choices=("none", "output", "all"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.d_model % self.num_heads:
            raise UserError(
                f"d_model {self.d_model} is not divisible by num_heads {self.num_heads}"
            )
        if self.d_model % 2:
            raise UserError(f"d_model must be an even number, not {self.d_model}")


@dataclass(frozen=True)
class TrainingConfig(Settings):
    """Data, schedule and checkpoints of a training run."""

    train: tuple[str, ...] = setting(
        (),
        "sentence pairs to train on: one tab-separated file, two parallel files, or "
        "tfds:NAME/CONFIG (default: the built-in English-German corpus)",
    )
    validation: tuple[str, ...] = setting(
        (),
        "sentence pairs to validate on, in the same form (default: the corpus's own, or held out)",
    )
    start_from: str | None = setting(
        None,
        "run directory to fine-tune: the new run has its subwords, its best weights and, except "
        "for the schedule, its settings",
        metavar="DIR",
    )
    mix: float | None = setting(
        None,
        "share of pairs of the run start_from in each epoch, against forgetting (default 0.5, or 0 "
        "if its pairs are no longer available)",
        minimum=0,
        below=1,
    )
    epochs: int | None = setting(
        None,
        f"passes over the training pairs (default {DEFAULTS['epochs']})",
        minimum=1,
        maximum=MAX_EPOCHS,
    )
    hours: float | None = setting(
        None,
        "time budget of the whole command in hours; settings that are not given are chosen to suit "
        "it and the corpus (default: none; the setting epochs ends the training)",
        minimum=0.01,
        maximum=MAX_HOURS,
    )
    batching: str = setting(
        "bucketed",
        "batches of sentences of similar length, or all batches of the widest shape",
        choices=("bucketed", "fixed"),
    )
    batch_size: int | None = setting(
        None,
        "sentence pairs in the widest batch; narrower batches contain more "
        f"(default {DEFAULTS['batch_size']})",
        minimum=1,
        maximum=MAX_POSITIONS,
    )
    shuffle_buffer: int = setting(
        100_000, "sentence pairs that are shuffled at a time", minimum=1, maximum=MAX_COUNT
    )
    optimizer: str = setting(
        "adam",
        "muon needs fewer epochs than adam, but each takes longer",
        choices=("adam", "muon"),
    )
    peak_learning_rate: float = setting(
        0.003, "learning rate at the end of the warm-up", minimum=0, maximum=MAX_LEARNING_RATE
    )
    warmup_steps: int = setting(
        300, "steps over which the learning rate rises", minimum=1, maximum=MAX_COUNT
    )
    decay_epochs: int = setting(
        0,
        "number of final epochs in which the learning rate falls linearly almost to zero; 0: none",
        minimum=0,
        maximum=MAX_EPOCHS,
    )
    label_smoothing: float = setting(
        0.1,
        "probability spread over the whole vocabulary in the training loss",
        minimum=0,
        below=1,
    )
    both_directions: int = setting(
        0,
        "number of first epochs that also train on the reversed pairs; needs joint_vocabulary; "
        "0: none",
        minimum=0,
        maximum=MAX_EPOCHS,
    )
    reversed_share: float = setting(
        0.0,
        "share of the pairs that are also reversed in the epochs after both_directions, so that "
        "the network remembers the reverse direction; needs joint_vocabulary",
        minimum=0,
        maximum=1,
    )
    augment: float = setting(
        0.0,
        "share of the training pairs, chosen again for each epoch, that are changed: the source in "
        "lower case or in capitals, no final punctuation mark, or two pairs joined in one line",
        minimum=0,
        maximum=1,
    )
    mixed_precision: str = setting(
        "float32",
        "dtype of the computation; the weights stay float32. bfloat16 is for devices with bfloat16 "
        "instructions, float16 (with loss scaling) for GPUs without them",
        choices=("float32", "bfloat16", "float16"),
        booleans=("float32", "bfloat16"),
    )
    clip_norm: float = setting(
        0.0, "maximum global norm of the gradients; 0: no clipping", minimum=0, maximum=MAX_NORM
    )
    patience: int = setting(
        5,
        "epochs without better weights before training stops early, but not in the first 1,000 "
        "steps of a new run; 0: no early stopping",
        minimum=0,
        maximum=MAX_EPOCHS,
    )
    bleu_sentences: int = setting(
        500,
        "validation sentences translated after each epoch for BLEU",
        minimum=1,
        maximum=MAX_COUNT,
    )
    save_every: int = setting(
        1000, "steps between checkpoints within an epoch", minimum=1, maximum=MAX_COUNT
    )
    keep_checkpoints: int = setting(
        3, "number of newest checkpoints to keep", minimum=1, maximum=MAX_CHECKPOINTS
    )
    skip_bad_steps: int = setting(
        0,
        "number of steps whose loss or gradient may be infinite or undefined; they are skipped, "
        "and the next one ends the training",
        minimum=0,
        maximum=MAX_COUNT,
    )
    average_last: int = setting(
        0,
        "number of last epochs whose final weights are averaged at the end; the average is used if "
        "it does not raise the validation loss; 0: none",
        minimum=0,
        maximum=MAX_CHECKPOINTS,
    )
    seed: int = setting(
        1, "seed of weights, dropout, batch order and augmentation", minimum=0, below=2**32
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_start()
        if self.hours and self.decay_epochs:
            raise UserError(
                "decay_epochs cannot be combined with the setting hours, which already lowers the "
                "learning rate at the end"
            )
        if not self.train and self.validation:
            raise UserError("validation needs train: the built-in corpus has validation pairs")

    def _check_start(self) -> None:
        """Raise a `UserError` if a setting does not go together with `start_from`, or needs it."""
        if self.mix is not None and self.start_from is None:
            raise UserError("mix needs start_from: the run whose pairs are mixed in")
        if self.start_from is not None and not self.train:
            raise UserError("start_from needs train: the sentence pairs to fine-tune with")
        if self.start_from == "":
            raise UserError("start_from must not be empty")
        if self.start_from is not None and self.hours:
            raise UserError(
                "start_from cannot be combined with the setting hours: fine-tuning ends by epochs "
                "and patience"
            )

    def reversals(self, epoch: int) -> float:
        """Return the share of the pairs that are also reversed in an epoch, counted from 0."""
        return 1.0 if epoch < self.both_directions else self.reversed_share


@dataclass(frozen=True)
class Config:
    """All settings of a run."""

    text: TextConfig = TextConfig()
    model: ModelConfig = ModelConfig()
    training: TrainingConfig = TrainingConfig()

    def __post_init__(self) -> None:
        if self.model.tied_embeddings == "all" and not self.text.joint_vocabulary:
            raise UserError(
                "tied_embeddings all needs joint_vocabulary: a shared table has one vocabulary"
            )
        for name in ("both_directions", "reversed_share"):
            if getattr(self.training, name) and not self.text.joint_vocabulary:
                raise UserError(f"{name} needs joint_vocabulary: the encoder reads both languages")
        if self.text.joint_vocabulary and self.text.subwords == "pretrained":
            raise UserError(
                "joint_vocabulary needs trained subwords: BPEmb's models have one language each"
            )
        self._check_batch()

    def _check_batch(self) -> None:
        """Raise a `UserError` if the widest batch has too many positions."""
        pairs = self.training.batch_size or DEFAULTS["batch_size"]
        longest = max(self.text.max_source_length, self.text.max_target_length)
        if pairs * longest > MAX_POSITIONS:
            raise UserError(
                f"a batch of {pairs:,} pairs (batch_size) of {longest:,} subwords "
                f"(max_source_length, max_target_length) has {pairs * longest:,} positions; "
                f"the limit is {MAX_POSITIONS:,}"
            )

    @classmethod
    def sections(cls) -> dict[str, type[Settings]]:
        """Return {name of a section: dataclass}."""
        return {"text": TextConfig, "model": ModelConfig, "training": TrainingConfig}

    def with_settings(self, settings: Mapping[str, object]) -> "Config":
        """Return this config with some settings changed.

        Args:
            settings: {name: value}, of any section.

        Raises:
            UserError: If a name is unknown or a value is invalid.
        """
        sections = {}
        left = dict(settings)
        for section in self.sections():
            old = getattr(self, section)
            names = [each.name for each in dataclasses.fields(old) if each.name in left]
            sections[section] = dataclasses.replace(old, **{name: left.pop(name) for name in names})
        if left:
            raise UserError(f"unknown setting: {', '.join(left)}")
        return Config(**sections)

    def resolved(self) -> "Config":
        """Return this config with `DEFAULTS` for the settings that are None."""
        settings = self.flat()
        missing = {name: value for name, value in DEFAULTS.items() if settings[name] is None}
        return self.with_settings(missing)

    def flat(self) -> dict[str, object]:
        """Return {setting: value} over all sections."""
        return {
            name: value
            for section in dataclasses.asdict(self).values()
            for name, value in section.items()
        }

    def to_json(self) -> str:
        """Return a JSON object that contains an object for each section."""
        return json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False)

    @classmethod
    def from_dict(cls, settings: Mapping[str, Mapping[str, object]]) -> "Config":
        """Return the config in {section: {name: value}}, with defaults for missing settings.

        Raises:
            UserError: If a section or a name is unknown, or a value is invalid.
        """
        return cls().with_settings(flat_settings(settings))


def flat_settings(settings: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """Return {name: value} of the settings in {section: {name: value}}, without retired ones.

    Each value is validated on its own. Which values go together depends on the other settings of
    the `Config` for which they are meant.

    Raises:
        UserError: If a section or a name is unknown, or a value is invalid.
    """
    _check_names(settings)
    settings = {section: _without_retired(section, each) for section, each in settings.items()}
    return {
        each.name: validated(each, settings[section][each.name])
        for section, kind in Config.sections().items()
        for each in dataclasses.fields(kind)
        if each.name in settings.get(section, {})
    }


def _check_names(settings: Mapping[str, Mapping[str, object]]) -> None:
    """Raise a `UserError` if a section or a setting is unknown, or a section is not a mapping."""
    for section, values in settings.items():
        if section not in Config.sections():
            raise UserError(f"unknown setting: {_name(section)}")
        if not isinstance(values, Mapping):
            raise UserError(f"{section} must contain settings, not {_shown(values)}")
        known = {each.name for each in dataclasses.fields(Config.sections()[section])}
        for name in _without_retired(section, values):
            if name not in known:
                raise UserError(f"unknown setting: {section}.{_name(name)}")


def _name(name: str) -> str:
    """Return a name for an error message; one with other characters than letters is quoted."""
    return name if name.isidentifier() and len(name) < 100 else _shown(name)


def _without_retired(section: str, values: Mapping[str, object]) -> Mapping[str, object]:
    """Return the values of a section without the retired settings that are turned off."""
    retired = RETIRED.get(section, {})
    return {name: value for name, value in values.items() if (name, value) not in retired.items()}

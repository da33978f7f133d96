"""Every setting of a run: its default, what it means, what it may be; to and from JSON.

A setting is a field of one of three frozen dataclasses. Its help text is part of the field, and
`keras_transformer.commands.command_line` derives the flags from it, so no setting is described
twice.
"""

import dataclasses
import json
import math
import types
import typing
from dataclasses import dataclass, field

from keras_transformer.errors import UserError

# Defaults of settings that the built-in corpus has its own for.
DEFAULTS = {"vocab_size": 10_000, "batch_size": 64, "epochs": 10}

# Settings that there were once. Where they were off, a run of that time can still be read.
RETIRED = {"training": {"bpe_dropout": 0.0, "r_drop": 0.0}}


def setting(default, help, *, choices=None, minimum=None, below=None):
    """A dataclass field with what its command-line flag and its validation need.

    Args:
        default: value where the user gives none.
        help: what the setting does, with its unit.
        choices: the only values allowed, or None.
        minimum: the least value allowed, or None.
        below: a bound that the value must stay below, or None.
    """
    metadata = {"help": help, "choices": choices, "minimum": minimum, "below": below}
    return field(default=default, metadata=metadata)


def _check_type(name, value, kind):
    """`kind` is the annotation of a field: bool, int, float, str, tuple[str, ...] or X | None."""
    if isinstance(kind, types.UnionType):
        if value is None:
            return
        kind = typing.get_args(kind)[0]
    kind = typing.get_origin(kind) or kind
    right = isinstance(value, (int, float) if kind is float else kind)
    if not right or (isinstance(value, bool) and kind is not bool):
        raise UserError(f"{name} must be of type {kind.__name__}, not {value!r}")


def _check_range(name, value, metadata):
    choices, minimum, below = (metadata[key] for key in ("choices", "minimum", "below"))
    if choices and value not in choices:
        raise UserError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    if isinstance(value, float) and not math.isfinite(value):
        raise UserError(f"{name} must be a finite number, not {value!r}")
    if minimum is not None and not value >= minimum:
        raise UserError(f"{name} must be at least {minimum}, not {value!r}")
    if below is not None and not value < below:
        raise UserError(f"{name} must be less than {below}, not {value!r}")


class Settings:
    """What the three dataclasses share: each value is checked when an object is made."""

    def __post_init__(self):
        for each in dataclasses.fields(self):
            value = getattr(self, each.name)
            if isinstance(value, list):  # JSON has no tuples
                value = tuple(value)
                object.__setattr__(self, each.name, value)
            _check_type(each.name, value, each.type)
            if value is not None:
                _check_range(each.name, value, each.metadata)


@dataclass(frozen=True)
class TextConfig(Settings):
    """Languages, subwords and lengths."""

    source_lang: str = setting("en", "language translated from, as BPEmb names it")
    target_lang: str = setting("de", "language translated to, as BPEmb names it")
    subwords: str = setting(
        "trained",
        "subword models: trained on the corpus, or BPEmb's pretrained ones (lower case, digits 0)",
        choices=("trained", "pretrained"),
    )
    vocab_size: int | None = setting(
        None,
        "subwords per language (default 10000, or as many as the corpus allows)",
        minimum=8,
        below=2**20,
    )
    joint_vocabulary: bool = setting(False, "one subword model for both languages")
    max_source_length: int = setting(
        41, "longest source, in subwords with start and end", minimum=3
    )
    max_target_length: int = setting(
        42, "longest target, in subwords with start and end", minimum=3
    )


@dataclass(frozen=True)
class ModelConfig(Settings):
    """The shape of the network."""

    num_layers: int = setting(4, "encoder layers, and decoder layers", minimum=1)
    d_model: int = setting(128, "depth of embeddings and layers, an even number", minimum=2)
    num_heads: int = setting(8, "attention heads; must divide d_model", minimum=1)
    dff: int = setting(512, "inner depth of the feed-forward networks", minimum=1)
    rate: float = setting(
        0.1, "dropout rate of embeddings and of what each sublayer gives", minimum=0, below=1
    )
    attention_rate: float = setting(
        0.0, "dropout rate of the attention weights", minimum=0, below=1
    )
    activation_rate: float = setting(
        0.0, "dropout rate within the feed-forward networks", minimum=0, below=1
    )
    norm_first: bool = setting(False, "normalize before each sublayer (pre-norm), not after it")
    tied_embeddings: str = setting(
        "output",
        "share the target embedding with the output layer, all three embeddings, or none",
        choices=("none", "output", "all"),
    )

    def __post_init__(self):
        super().__post_init__()
        if self.d_model % self.num_heads:
            raise UserError(
                f"d_model {self.d_model} is not divisible by num_heads {self.num_heads}"
            )
        if self.d_model % 2:
            raise UserError(f"d_model must be an even number, not {self.d_model}")


@dataclass(frozen=True)
class TrainingConfig(Settings):
    """Data, schedule and bookkeeping of a training."""

    train: tuple[str, ...] = setting(
        (),
        "sentence pairs to train on: one tab-separated file, two parallel files, or "
        "tfds:NAME/CONFIG (default: the built-in English-German corpus)",
    )
    validation: tuple[str, ...] = setting(
        (),
        "sentence pairs to validate on, named likewise (default: the corpus's own, or held out)",
    )
    epochs: int | None = setting(None, "passes over the training pairs (default 10)", minimum=1)
    batching: str = setting(
        "bucketed",
        "batches of like length, or all of the widest shape",
        choices=("bucketed", "fixed"),
    )
    batch_size: int | None = setting(
        None,
        "sentence pairs in the widest batch; narrower ones hold more (default 64)",
        minimum=1,
    )
    shuffle_buffer: int = setting(
        100_000, "sentence pairs held in memory to shuffle from", minimum=1
    )
    optimizer: str = setting(
        "adam",
        "adam, or muon: fewer epochs, each of which takes longer",
        choices=("adam", "muon"),
    )
    peak_learning_rate: float = setting(0.003, "learning rate at the end of the warm-up", minimum=0)
    warmup_steps: int = setting(300, "steps over which the learning rate rises", minimum=1)
    decay_epochs: int = setting(
        0,
        "epochs at the end over which the learning rate falls linearly to zero; 0: none",
        minimum=0,
    )
    label_smoothing: float = setting(
        0.1,
        "probability spread over the whole vocabulary in the training loss",
        minimum=0,
        below=1,
    )
    both_directions: int = setting(
        0,
        "epochs at the start that train on the reversed pairs too, with joint_vocabulary; 0: none",
        minimum=0,
    )
    mixed_precision: bool = setting(
        False, "compute in bfloat16, for processors that have it; the weights stay float32"
    )
    clip_norm: float = setting(
        0.0, "largest norm of the gradient, which is scaled down to it; 0: not clipped", minimum=0
    )
    patience: int = setting(
        5, "epochs without a better validation BLEU after which training stops; 0: never", minimum=0
    )
    bleu_sentences: int = setting(
        500, "validation sentences translated after each epoch for BLEU", minimum=1
    )
    save_every: int = setting(1000, "steps between checkpoints within an epoch", minimum=1)
    keep_checkpoints: int = setting(3, "newest checkpoints that are kept", minimum=1)
    average_last: int = setting(
        0,
        "newest checkpoints whose mean is tried at the end of the training; 0: none",
        minimum=0,
    )
    seed: int = setting(1, "seed of weights, dropout and batch order", minimum=0, below=2**32)

    def __post_init__(self):
        super().__post_init__()
        if not self.train and self.validation:
            raise UserError("--validation needs --train: the built-in corpus has its own")


@dataclass(frozen=True)
class Config:
    """All settings of a run."""

    text: TextConfig = TextConfig()
    model: ModelConfig = ModelConfig()
    training: TrainingConfig = TrainingConfig()

    def __post_init__(self):
        if self.model.tied_embeddings == "all" and not self.text.joint_vocabulary:
            raise UserError(
                "tied_embeddings all needs joint_vocabulary: one table is for one vocabulary"
            )
        if self.training.both_directions and not self.text.joint_vocabulary:
            raise UserError(
                "both_directions needs joint_vocabulary: either language is read and written"
            )
        if self.text.joint_vocabulary and self.text.subwords == "pretrained":
            raise UserError(
                "joint_vocabulary needs trained subwords: each of BPEmb's has one language"
            )

    @classmethod
    def sections(cls):
        """{section: its dataclass}."""
        return {each.name: each.type for each in dataclasses.fields(cls)}

    def with_settings(self, settings):
        """This config with some settings changed.

        Args:
            settings: {name: value}; a name is looked for in every section.

        Raises:
            UserError: an unknown name or a value that is not allowed.
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

    def resolved(self):
        """Return this config with the defaults of settings that are None."""
        settings = self.flat()
        missing = {name: value for name, value in DEFAULTS.items() if settings[name] is None}
        return self.with_settings(missing)

    def flat(self):
        """{setting: value} over all sections."""
        return {
            name: value
            for section in dataclasses.asdict(self).values()
            for name, value in section.items()
        }

    def to_json(self):
        """A JSON object with an object for each section."""
        return json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False)

    @classmethod
    def from_dict(cls, settings):
        """The config in {section: {name: value}}; what is missing has its default.

        Raises:
            UserError: an unknown section or name, or a value that is not allowed.
        """
        sections = cls.sections()
        settings = {name: _without_retired(name, values) for name, values in settings.items()}
        unknown = [name for name in settings if name not in sections]
        for section, values in settings.items():
            if section in sections:
                known = {each.name for each in dataclasses.fields(sections[section])}
                unknown += [f"{section}.{name}" for name in values if name not in known]
        if unknown:
            raise UserError(f"unknown setting: {', '.join(unknown)}")
        return cls(**{name: sections[name](**values) for name, values in settings.items()})


def _without_retired(section, values):
    """The values of a section, without retired settings that are off."""
    retired = RETIRED.get(section, {})
    if not retired:
        return values
    return {name: value for name, value in values.items() if (name, value) not in retired.items()}

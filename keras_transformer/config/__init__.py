"""The settings of a run: defaults, descriptions and valid values; conversion to and from JSON.

A setting is a field of one of the frozen dataclasses `TextConfig`, `ModelConfig` and
`TrainingConfig`. Its help text is part of the field, and
`keras_transformer.commands.settings_flags` derives the flag from it, so that each setting is
described only once.
"""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from keras_transformer.config.fields import Settings, shown, validated
from keras_transformer.config.sections import (
    DEFAULTS,
    MAX_POSITIONS,
    ModelConfig,
    TextConfig,
    TrainingConfig,
)
from keras_transformer.errors import UserError

T = TypeVar("T")

# Former settings, with the values that turned them off. Runs with these values can still be read.
RETIRED: dict[str, dict[str, object]] = {"training": {"bpe_dropout": 0.0, "r_drop": 0.0}}


def required(value: T | None) -> T:
    """Return the value of a setting that is not None in a resolved `Config`.

    Raises:
        ValueError: If the value is None.
    """
    if value is None:
        raise ValueError("a setting of the config is None: call Config.resolved() first")
    return value


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
            raise UserError(f"{section} must contain settings, not {shown(values)}")
        known = {each.name for each in dataclasses.fields(Config.sections()[section])}
        for name in _without_retired(section, values):
            if name not in known:
                raise UserError(f"unknown setting: {section}.{_name(name)}")


def _name(name: str) -> str:
    """Return a name for an error message; one with other characters than letters is quoted."""
    return name if name.isidentifier() and len(name) < 100 else shown(name)


def _without_retired(section: str, values: Mapping[str, object]) -> Mapping[str, object]:
    """Return the values of a section without the retired settings that are turned off."""
    retired = RETIRED.get(section, {})
    return {name: value for name, value in values.items() if (name, value) not in retired.items()}

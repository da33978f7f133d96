"""The settings of a run: those that the user chose, and defaults that depend on them."""

from collections.abc import Mapping
from pathlib import Path

from keras_transformer import phrasebook
from keras_transformer.config import DEFAULTS, Config, required
from keras_transformer.errors import RunMismatch
from keras_transformer.runs.config_file import read_settings
from keras_transformer.runs.layout import ROOT
from keras_transformer.runs.manifest import MAY_CHANGE, NAMES_OF_PAIRS
from keras_transformer.runs.network import check_weights
from keras_transformer.runs.run import Run
from keras_transformer.text.corpus import corpus_name
from keras_transformer.training.fine_tuning import fine_tuned_config
from keras_transformer.training.planning import endless_settings, recipe_settings
from keras_transformer.training.precision import fast_dtype

# Settings of the built-in corpus that need one vocabulary for both languages.
JOINT = ("vocab_size", "joint_vocabulary", "tied_embeddings")


def all_chosen(settings: Mapping[str, object], config_file: Path | str | None) -> dict[str, object]:
    """Return the settings that the user chose in a file, or directly, which take precedence.

    If the vocabulary is to be planned, a joint one counts as chosen if another choice needs it.
    """
    chosen = _given(read_settings(config_file) if config_file else {}) | _given(settings)
    is_planned = chosen.get("hours") and chosen.get("subwords") != "pretrained"
    if is_planned and _needs_joint_vocabulary(chosen):
        return {"joint_vocabulary": True} | chosen
    return chosen


def _needs_joint_vocabulary(chosen: Mapping[str, object]) -> bool:
    """Return whether a setting that the user chose needs one vocabulary for both languages."""
    reverses = chosen.get("both_directions") or chosen.get("reversed_share")
    return bool(reverses) or chosen.get("tied_embeddings") == "all"


def _given(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings that have a value; None stands for a default that is chosen later."""
    chosen_later = {*DEFAULTS, "mix"}
    return {
        name: value
        for name, value in settings.items()
        if not (value is None and name in chosen_later)
    }


def new_config(settings: Mapping[str, object]) -> Config:
    """Return the `Config` of a new run with the settings that the user chose.

    Raises:
        UserError: If settings do not go together, or the run to start from cannot be used.
    """
    if settings.get("start_from"):
        return fine_tuned_config(settings)
    defaults = {} if settings.get("train") else built_in_settings(settings)
    if settings.get("hours"):
        defaults |= recipe_settings() if settings.get("train") else {}
        defaults |= endless_settings()
    config = Config().with_settings(defaults | dict(settings)).resolved()
    size = required(config.text.vocab_size)
    check_weights(config.model, size, size)  # before anything is written or allocated
    return config


def built_in_settings(chosen: Mapping[str, object]) -> dict[str, object]:
    """Return the settings tuned for the built-in corpus.

    Args:
        chosen: {name: value} of the settings that the user chose. Tuned settings that are
            incompatible with them are omitted.
    """
    settings = read_settings(Path(phrasebook.__file__).with_name("settings.json")) | fast_dtype()
    omitted: set[str] = set()
    if chosen.get("subwords") == "pretrained" or chosen.get("joint_vocabulary") is False:
        omitted |= set(JOINT)
    if chosen.get("batching") == "fixed":
        # Bucketed batches of the short sentences have about three times as many pairs.
        omitted.add("batch_size")
    return {name: value for name, value in settings.items() if name not in omitted}


def default_directory(settings: Mapping[str, object]) -> Path:
    """Return checkpoints/CORPUS-SOURCE-TARGET for the settings that the user chose."""
    if settings.get("start_from"):
        config = fine_tuned_config(settings)
    else:
        names = {"train", "source_lang", "target_lang"} & settings.keys()
        config = Config().with_settings({name: settings[name] for name in names})
    languages = config.text.source_lang, config.text.target_lang
    return ROOT / "-".join([corpus_name(config.training.train), *languages])


def changed_config(run: Run, settings: Mapping[str, object]) -> Config:
    """Return the config of an existing run with the settings that the user chose now.

    Raises:
        RunMismatch: If a setting that must not change differs from that of the run.
    """
    training = run.config.training
    # Fine-tuning has no time budget at all, which `with_settings` reports.
    if settings.get("hours") and training.decay_epochs and not training.start_from:
        raise RunMismatch(
            f"{run.directory} was started with decay_epochs {training.decay_epochs}, which a time "
            "budget replaces"
        )
    config = run.config.with_settings(settings)
    old, new = run.config.flat(), config.flat()
    # Without a manifest, it is not known whether files of another name have the same pairs.
    may_change = MAY_CHANGE if run.manifest else MAY_CHANGE - NAMES_OF_PAIRS
    if run.manifest and old["start_from"] and new["start_from"]:
        may_change = may_change | {"start_from"}  # the run may have moved
    changed = [name for name in new if new[name] != old[name] and name not in may_change]
    if changed:
        differences = ", ".join(f"{name} {old[name]}, not {new[name]}" for name in changed)
        raise RunMismatch(f"{run.directory} was started with {differences}")
    return config

import dataclasses
import json
from pathlib import Path

import pytest

from keras_transformer.config import (
    DEFAULTS,
    Config,
    ModelConfig,
    TextConfig,
    TrainingConfig,
    required,
)
from keras_transformer.errors import UserError
from keras_transformer.model.options import TIED_EMBEDDINGS, Options


def test_defaults_are_those_of_the_tutorial():
    config = Config()
    model = {"num_layers": 4, "d_model": 128, "num_heads": 8, "dff": 512, "rate": 0.1}
    assert model.items() <= dataclasses.asdict(config.model).items()
    assert config.model.norm_first is False
    assert (config.text.max_source_length, config.text.max_target_length) == (41, 42)
    assert config.training.batching == "bucketed"


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ({"train": ("pairs.tsv",)}, (10_000, 64, 10)),
        ({"vocab_size": 500, "epochs": 3, "batch_size": 8}, (500, 8, 3)),
        ({"batch_size": 8}, (10_000, 8, 10)),
    ],
)
def test_open_settings_are_resolved_to_defaults(settings, wanted):
    config = Config().with_settings(settings).resolved()
    training = config.training
    assert (config.text.vocab_size, training.batch_size, training.epochs) == wanted


def test_whole_numbers_of_a_file_are_those_of_the_command_line():
    """Fingerprints of augmented pairs contain the share."""
    training = Config().with_settings({"augment": 1, "hours": 2, "epochs": None}).training
    assert repr((training.augment, training.hours)) == "(1.0, 2.0)"


def test_a_config_is_restored_from_json():
    config = Config().with_settings({"train": ("a", "b"), "rate": 0.2, "joint_vocabulary": True})
    assert Config.from_dict(json.loads(config.to_json())) == config


def test_every_setting_has_a_unique_name_and_a_help_text():
    kinds = (TextConfig, ModelConfig, TrainingConfig)
    fields = [each for kind in kinds for each in dataclasses.fields(kind)]
    assert len({each.name for each in fields}) == len(fields) == len(Config().flat())
    assert all(each.metadata["help"] for each in fields)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"d_model": 100}, "d_model 100 is not divisible by num_heads 8"),
        ({"d_model": 15, "num_heads": 5}, "d_model must be an even number"),
        ({"num_layers": 0}, "num_layers must be at least 1, not 0"),
        ({"rate": 1.0}, "rate must be less than 1"),
        ({"rate": float("nan")}, "rate must be a finite number"),
        ({"peak_learning_rate": float("inf")}, "peak_learning_rate must be a finite number"),
        ({"seed": 2**32}, "seed must be less than"),
        ({"batching": "other"}, "batching must be one of fixed, bucketed|bucketed, fixed"),
        ({"epochs": "three"}, "epochs must be of type int"),
        ({"mixed_precision": "half"}, "mixed_precision must be one of float32, bfloat16, float16"),
        ({"mixed_precision": 1}, "mixed_precision must be of type str, not 1"),
        ({"epochs": True}, "epochs must be of type int"),
        ({"tied_embeddings": "all"}, "needs joint_vocabulary"),
        ({"joint_vocabulary": True, "subwords": "pretrained"}, "needs trained subwords"),
        ({"both_directions": 2}, "both_directions needs joint_vocabulary"),
        ({"reversed_share": 0.2}, "reversed_share needs joint_vocabulary"),
        ({"reversed_share": 1.5}, "reversed_share must be at most 1, not 1.5"),
        ({"decoder_layers": 0}, "decoder_layers must be at least 1, not 0"),
        ({"validation": ("val.tsv",)}, "validation needs train"),
        ({"speed": 3}, "unknown setting: speed"),
        ({"train": "pairs.tsv"}, "train must be a list of paths, not 'pairs.tsv'"),
        ({"train": (3,)}, "train must contain only paths, not 3"),
        ({"train": ("a.en", None)}, "train must contain only paths, not None"),
        ({"train": ("a.tsv",), "validation": [b"b.tsv"]}, "validation must contain only paths"),
    ],
)
def test_errors_name_the_invalid_setting(settings, message):
    with pytest.raises(UserError, match=message):
        Config().with_settings(settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_layers": 10**9}, "num_layers must be at most 256, not 1000000000"),
        ({"decoder_layers": 257}, "decoder_layers must be at most 256, not 257"),
        ({"d_model": 10**9}, "d_model must be at most 16,384, not 1000000000"),
        ({"num_heads": 10**400}, "num_heads must be at most 16,384, not 10000"),
        ({"dff": 2**30}, "dff must be at most 131,072, not 1073741824"),
        ({"max_source_length": 4097}, "max_source_length must be at most 4,096, not 4097"),
        ({"max_target_length": 10**7}, "max_target_length must be at most 4,096, not 10000000"),
        ({"num_layers": 1e9}, "num_layers must be of type int, not 1000000000.0"),
        ({"peak_learning_rate": 1e30}, "peak_learning_rate must be at most 100.0, not 1e"),
        ({"clip_norm": 10**400}, "clip_norm must be at most 1,000,000,000.0, not 10000"),
        ({"batch_size": 2**17, "max_source_length": 9}, "has 5,505,024 positions; the limit is 1,"),
        ({"batch_size": 257, "max_source_length": 4096}, "has 1,052,672 positions; the limit is"),
        ({"source_lang": "x" * 4097}, "source_lang must have at most 4096 characters, not 4097"),
        ({"source_lang": "e\0n"}, "source_lang must not contain NUL or lone surrogates"),
        ({"train": ["a\0.tsv"]}, "train must not contain NUL or lone surrogates"),
        ({"train": ["\ud800.tsv"]}, "train must not contain NUL or lone surrogates"),
        ({"train": ["a"] * 100_000}, "train must name at most 2 files, not 100,000"),
        ({"train": "x" * 10**6}, "train must be a list of paths, not 'xxx"),
        ({"subwords": {"a": [[["b"]]]}}, "subwords must be of type str, not {'a': "),
    ],
)
def test_values_that_would_exhaust_memory_or_time_are_rejected(settings, message):
    with pytest.raises(UserError) as error:
        Config().with_settings(settings)
    assert message in str(error.value)
    assert len(str(error.value)) < 250


def test_every_number_has_a_largest_value():
    kinds = (TextConfig, ModelConfig, TrainingConfig)
    fields = [each for kind in kinds for each in dataclasses.fields(kind)]
    numbers = [each for each in fields if each.type in (int, float, int | None)]
    assert len(numbers) > 20
    for each in numbers:
        limits = each.metadata["maximum"], each.metadata["below"]
        assert limits.count(None) == 1, each.name


def test_files_may_be_paths():
    """A config contains strings, which JSON can represent."""
    files = {"train": (Path("a.en"), "a.de"), "validation": [Path("b.en"), Path("b.de")]}
    training = Config().with_settings(files).training
    assert training.train == ("a.en", "a.de")
    assert training.validation == ("b.en", "b.de")


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ("true", "bfloat16"),
        ("false", "float32"),
        ('"float16"', "float16"),
        ('"float32"', "float32"),
    ],
)
def test_true_stands_for_bfloat16_and_false_for_float32(value, dtype):
    """Mixed precision used to be on or off."""
    content = json.loads(f'{{"training": {{"mixed_precision": {value}}}}}')
    assert Config.from_dict(content).training.mixed_precision == dtype


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"modell": {}}, "modell"),
        ({"model": {"heads": 3}}, "model.heads"),
        ({"model": {"\x1b[31m\n": 3}}, r"model\.'\\x1b\[31m\\n'$"),
        ({"x" * 10**6: {}}, "'x+[.]{3}x+'$"),
    ],
)
def test_unknown_names_in_a_file_are_an_error(content, message):
    with pytest.raises(UserError, match=f"unknown setting: {message}"):
        Config.from_dict(content)


def test_a_retired_setting_is_ignored_if_it_was_off():
    old = {"training": {"epochs": 3, "bpe_dropout": 0.0, "r_drop": 0.0}}
    assert Config.from_dict(old) == Config.from_dict({"training": {"epochs": 3}})
    with pytest.raises(UserError, match="unknown setting: training.r_drop"):
        Config.from_dict({"training": {"r_drop": 5.0}})


def test_a_config_without_decoder_layers_has_as_many_as_the_encoder():
    """Runs saved before the setting existed have none."""
    assert Config.from_dict({"model": {"num_layers": 3}}).model.decoder_layers is None
    assert Config.from_dict({"model": {"decoder_layers": 2}}).model.decoder_layers == 2


def test_a_required_setting_must_have_a_value():
    assert required(0) == 0
    with pytest.raises(ValueError, match=r"call Config\.resolved"):
        required(Config().training.epochs)


def test_help_texts_state_the_defaults_of_settings_that_are_none():
    fields = {each.name: each for each in dataclasses.fields(TextConfig)}
    fields |= {each.name: each for each in dataclasses.fields(TrainingConfig)}
    for name, value in DEFAULTS.items():
        assert f"(default {value}" in fields[name].metadata["help"], name


def test_the_settings_of_the_network_have_the_defaults_of_its_options():
    """The two are stated separately, because the network does not import the settings."""
    settings = dataclasses.asdict(ModelConfig())
    options = Options()._asdict()
    assert not options.pop("folded"), "no setting: only the search sets it"
    assert options.items() <= settings.items()
    fields = {each.name: each for each in dataclasses.fields(ModelConfig)}
    assert set(fields["tied_embeddings"].metadata["choices"]) == set(TIED_EMBEDDINGS)

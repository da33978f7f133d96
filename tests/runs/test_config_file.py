import json

import pytest

from keras_transformer.errors import UserError
from keras_transformer.runs.config_file import read_settings


@pytest.mark.parametrize(
    ("content", "settings"),
    [
        ({"training": {"epochs": 3, "bpe_dropout": 0.0, "r_drop": 0.0}}, {"epochs": 3}),
        ({"text": {}, "versions": {"keras": "3"}, "mean_of": {"run": "a"}}, {}),
        ({"model": {"num_heads": 6}}, {"num_heads": 6}),
        ({"model": {"tied_embeddings": "all"}}, {"tied_embeddings": "all"}),
        ({"training": {"validation": ["a.en", "a.de"]}}, {"validation": ("a.en", "a.de")}),
        ({"text": {"vocab_size": None}}, {"vocab_size": None}),
    ],
)
def test_a_settings_file_may_be_incomplete(tmp_path, content, settings):
    """Other settings may be needed to make a valid combination, and retired ones are ignored."""
    (tmp_path / "settings.json").write_text(json.dumps(content))
    assert read_settings(tmp_path / "settings.json") == settings


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"model": {"num_heads": 0}}, "num_heads must be at least 1, not 0"),
        ({"model": {"num_heads": "6"}}, "num_heads must be of type int, not '6'"),
        ({"training": {"r_drop": 5.0}}, "unknown setting: training.r_drop"),
        ({"training": {"train": [3]}}, "train must contain only paths, not 3"),
        ({"train": {}}, "unknown setting: train"),
        ({"model": 3}, "model must contain settings, not 3"),
        ({"model": []}, "model must contain settings, not []"),
        ({"versions": "2.21"}, "versions must be an object"),
        ({"mean_of": ["ckpt-1"]}, "mean_of must be an object"),
    ],
)
def test_an_invalid_value_in_a_settings_file_is_an_error(tmp_path, content, message):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(content))
    with pytest.raises(UserError) as error:
        read_settings(path)
    assert str(error.value).startswith(f"{path}: {message}")
    assert "\n" not in str(error.value)

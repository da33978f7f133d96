"""Flags of settings, and their names in errors."""

from pathlib import Path

import pytest

from keras_transformer.commands import command_line, settings_flags
from keras_transformer.config import Config
from keras_transformer.errors import UserError


def test_only_the_settings_that_the_user_gives_are_in_the_namespace():
    parser = command_line.Parser(prog="x")
    settings_flags.add_settings(parser)
    assert vars(parser.parse_args([])) == {}
    given = vars(parser.parse_args(["--train", "a", "b", "--no-norm-first", "--rate", "0.3"]))
    assert given == {"train": ["a", "b"], "norm_first": False, "rate": 0.3}
    assert Config().with_settings(given).training.train == ("a", "b")


def test_the_run_to_fine_tune_is_called_a_directory():
    parser = command_line.make_parser("train", "")
    settings_flags.add_settings(parser)
    assert "--start-from DIR " in " ".join(parser.format_help().split())


@pytest.mark.parametrize(
    ("message", "with_flags"),
    [
        (
            "d_model 5 is not divisible by num_heads 2",
            "--d-model 5 is not divisible by --num-heads 2",
        ),
        ("epochs must be at least 1, not 0", "--epochs must be at least 1, not 0"),
        ("validation needs train: there is none", "--validation needs --train: there is none"),
        ("joint_vocabulary needs trained subwords", "--joint-vocabulary needs trained subwords"),
        (
            "both_directions needs joint_vocabulary: x",
            "--both-directions needs --joint-vocabulary: x",
        ),
        ("the setting train must name a corpus", "--train must name a corpus"),
        ("my/num_heads/x.tsv: no such file", "my/num_heads/x.tsv: no such file"),
        ("num_heads.tsv: no such file", "num_heads.tsv: no such file"),
        ("--num-heads is there already", "--num-heads is there already"),
        ("the train pairs and the seed are kept", "the train pairs and the seed are kept"),
    ],
)
def test_settings_in_a_message_become_flags(message, with_flags):
    assert settings_flags.with_flags(message, Config().flat()) == with_flags


def test_the_strategy_of_a_search_has_another_flag():
    assert settings_flags.with_flags("strategy must be x", ["strategy"]) == "--search must be x"


class Special(UserError):
    """An error whose arguments are not its message alone."""

    def __init__(self, size, limit):
        super().__init__(f"vocab_size {size} is larger than {limit}")
        self.limit = limit


def test_an_error_that_names_flags_keeps_its_class():
    with (
        pytest.raises(Special, match="^--vocab-size 3 is larger than 2$") as error,
        settings_flags.naming_flags(["vocab_size"]),
    ):
        raise Special(3, 2)
    assert error.value.limit == 2


def test_errors_in_a_settings_file_name_settings():
    message = "a.json: num_heads must be at least 1"
    with (
        pytest.raises(UserError, match=f"^{message}$"),
        settings_flags.naming_flags(["num_heads"], Path("a.json")),
    ):
        raise UserError(message)

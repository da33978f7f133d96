"""docs/commands.md, which docs/command_reference.py generates from the argument parsers."""

import importlib

import pytest

from keras_transformer.commands import COMMANDS
from tests.programs import HOME, load_script

PAGE = HOME / "docs/commands.md"


def sections():
    """Return {command: its section of the page}."""
    parts = PAGE.read_text(encoding="utf-8").split("\n## keras-transformer ")[1:]
    return {part.split("\n")[0]: part for part in parts}


def test_the_page_is_up_to_date():
    generated = load_script("docs/command_reference").page()
    assert PAGE.read_text(encoding="utf-8") == generated, "run docs/command_reference.py"


def test_each_command_has_a_section():
    assert list(sections()) == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_flag_is_on_the_page_with_its_help(command):
    parser = importlib.import_module(f"keras_transformer.commands.{command}").make_parser()
    text = sections()[command].replace("`", "").replace("\\|", "|")
    for action in parser._actions:
        if action.dest not in ("help", "version"):
            assert all(f" {flag}" in text for flag in action.option_strings), action
            assert str(action.help) in text, action

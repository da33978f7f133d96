"""docs/commands.md, which docs/command_reference.py generates from the argument parsers."""

import html
import importlib
import re

import pytest

from keras_transformer.commands import COMMANDS
from keras_transformer.commands.drawing import KINDS
from tests.programs import HOME, load_script

PAGE = HOME / "docs/commands.md"
# {heading: module in keras_transformer.commands}; the flags of `draw` are those of its kinds.
MODULES = {name: name for name in COMMANDS if name != "draw"} | {
    f"draw {kind}": f"drawing.{kind}" for kind in KINDS
}


def sections():
    """Return {command, or kind of picture: its section of the page}."""
    parts = re.split("\n###? keras-transformer ", PAGE.read_text(encoding="utf-8"))[1:]
    return {part.split("\n")[0]: part for part in parts}


def test_the_page_is_up_to_date():
    generated = load_script("docs/command_reference").page()
    assert PAGE.read_text(encoding="utf-8") == generated, "run docs/command_reference.py"


def test_each_command_has_a_section():
    kinds = [f"draw {kind}" for kind in KINDS]
    before = list(COMMANDS)[: list(COMMANDS).index("draw") + 1]
    assert list(sections()) == [*before, *kinds, *list(COMMANDS)[len(before) :]]


@pytest.mark.parametrize("command", MODULES)
def test_each_flag_is_on_the_page_with_its_help(command):
    module = importlib.import_module(f"keras_transformer.commands.{MODULES[command]}")
    text = html.unescape(re.sub(r"`|</?code>", "", sections()[command]))
    for action in module.make_parser()._actions:
        if action.dest not in ("help", "version"):
            assert all(f" {flag}" in text for flag in action.option_strings), action
            assert str(action.help) in text, action

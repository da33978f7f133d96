"""Write docs/commands.md, the reference of all commands, from their argument parsers.

python docs/command_reference.py
"""

import argparse
import importlib
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from keras_transformer.commands import COMMANDS, command_line, draw
from keras_transformer.commands.drawing import KINDS

BAR = "&#124;"  # a vertical bar within the cell of a table

PAGE = Path(__file__).with_name("commands.md")
# Flags that every command has, which the head of the page describes.
COMMON = {"--help", "--version"}
# Titles of groups of arguments that the help writes in another way.
TITLES = {
    "positional arguments": "Arguments",
    "options": "Flags",
    "savedmodel": "SavedModel",
    "html": "HTML",
}
HEAD = """\
# Commands

<!-- Generated from the argument parsers by docs/command_reference.py. Do not edit. -->

`pip install` provides the program `keras-transformer`, whose first argument is one of the commands
below. In a clone, `python train.py` is the same as `keras-transformer train`, and likewise for the
other commands. `--help` prints the arguments of a command, and `--version` the package's version.

The exit status is 0 after success and 2 after an error, which is reported in one line on standard
error. [Exit status](installing.md#exit-status) lists the others.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the text of the page."""
    drawing = [section(f"draw {kind}", f"drawing.{kind}") for kind in KINDS]
    sections = {command: section(command, command) for command in COMMANDS}
    sections["draw"] = "\n".join([head_of_draw(), *drawing])
    return "\n".join([HEAD, *sections.values()])


def section(command: str, module: str) -> str:
    """Return the section of a command: its description, and a table for each group of flags.

    Args:
        command: the command; for `draw`, followed by the kind of picture.
        module: its module in `keras_transformer.commands`.
    """
    parser = importlib.import_module(f"keras_transformer.commands.{module}").make_parser()
    prog = f"{command_line.PROGRAM} {command}"
    text = str(parser.description).replace("%(prog)s", prog)
    tables = [table(group, prog) for group in parser._action_groups]
    heading = "###" if " " in command else "##"
    return "\n".join([f"{heading} {prog}", "", *paragraphs(text), *filter(None, tables)])


def head_of_draw() -> str:
    """Return the beginning of the section of `draw`: a table of the kinds of pictures."""
    rows = [f"| [`{kind}`](#keras-transformer-draw-{kind}) | {KINDS[kind]} |" for kind in KINDS]
    table = ["| kind | picture |", "| --- | --- |", *rows]
    prog = f"{command_line.PROGRAM} draw"
    text = draw.DESCRIPTION.replace("%(prog)s", prog)
    return "\n".join([f"## {prog}", "", *paragraphs(text), *table, ""])


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text; those that are indented, which are examples, as code."""
    for paragraph in text.strip().split("\n\n"):
        is_code = paragraph.startswith("  ")
        text = textwrap.dedent(paragraph)
        yield f"```sh\n{text}\n```\n" if is_code else f"{with_code(text)}\n"


def table(group: argparse._ArgumentGroup, prog: str) -> str:
    """Return the table of a group of arguments, or an empty string if the group is empty."""
    actions = [each for each in group._group_actions if not COMMON & set(each.option_strings)]
    title = TITLES.get(str(group.title), str(group.title).capitalize())
    head = [f"**{title}**", "", "| argument | meaning |", "| --- | --- |"]
    rows = [f"| {invocation(each)} | {meaning(each, prog)} |" for each in actions]
    return "\n".join([*head, *rows, ""]) if rows else ""


def invocation(action: argparse.Action) -> str:
    """Return how an argument is given, such as `-o`, `--output FILE`."""
    if not action.option_strings:
        return as_code(f"{action.metavar} ..." if action.nargs == "*" else str(action.metavar))
    *others, last = action.option_strings
    value = "" if action.nargs == 0 else f" {placeholder(action)}"
    return ", ".join(map(as_code, [*others, f"{last}{value}"]))


def placeholder(action: argparse.Action) -> str:
    """Return what stands for the value of a flag, or its choices."""
    if action.choices:
        choices = f"{{{','.join(action.choices)}}}"
        return f"[{choices}]" if action.nargs == "?" else choices
    name = str(action.metavar)
    return f"{name} [{name} ...]" if action.nargs == "+" else name


def as_code(text: str) -> str:
    """Return a text as code, for the cell of a table."""
    return f"<code>{text.replace('|', BAR)}</code>" if "|" in text else f"`{text}`"


def meaning(action: argparse.Action, prog: str) -> str:
    """Return the help text of an argument."""
    text = with_code(str(action.help) % (vars(action) | {"prog": prog})).replace("|", BAR)
    is_flag = bool(action.option_strings)
    return f"{text} (required)" if is_flag and action.required else text


def with_code(text: str) -> str:
    """Return a text in which flags are marked as code."""
    return re.sub(r"(?<![\w-])--[a-z][\w-]*", r"`\g<0>`", text)


if __name__ == "__main__":
    main()

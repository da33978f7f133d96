"""Listings of code in the pages of the manual.

python docs/listings.py

writes the current code into the pages, so that they can be read on GitHub and in an editor too. A
listing is a fenced block below one of these lines:

    <!-- source: keras_transformer.model.masks.create_padding_mask -->
    <!-- file: examples/text_classifier.py -->

The first stands for a function, method or class without its docstrings, the second for a whole
file. A new block may be empty. Modules are parsed and not imported, so that the script does not
need TensorFlow.
"""

import ast
import re
import textwrap
from pathlib import Path
from typing import TypeAlias

HOME = Path(__file__).parents[1]
Definition: TypeAlias = ast.FunctionDef | ast.ClassDef
SOURCE = re.compile(r"^(<!-- source: (\S+) -->\n)```.*?^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^(<!-- file: (\S+) -->\n```[^\n]*\n).*?^```$", re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"^<!-- (?:source|file): .*-->\n(?!```)", re.MULTILINE)


def main() -> None:
    """Update the listings of all pages."""
    for page in HOME.glob("docs/**/*.md"):
        text = page.read_text(encoding="utf-8")
        if (new := with_listings(text)) != text:
            page.write_text(new, encoding="utf-8")


def with_listings(markdown: str) -> str:
    """Return the text of a page with the current code in its listings.

    Raises:
        ValueError: there is no such function, method or class, or no block below a line that needs
            one.
        FileNotFoundError: there is no such file.
    """
    if alone := MARKER.search(markdown):
        raise ValueError(f"no block of code follows {alone[0].strip()}")
    markdown = SOURCE.sub(lambda match: f"{match[1]}{excerpt(match[2])}", markdown)
    return FILE.sub(lambda match: f"{match[1]}{_text(match[2])}```", markdown)


def _text(path: str) -> str:
    return HOME.joinpath(path).read_text(encoding="utf-8")


def excerpt(name: str) -> str:
    """Return a fenced code block with a function, method or class, without its docstrings.

    Its first line is a comment that names the file and the class of a method: GitHub does not show
    the title of a block.

    Args:
        name: the qualified name, such as "keras_transformer.model.masks.create_padding_mask".

    Raises:
        ValueError: there is no such function, method or class.
    """
    path, names = _module(name)
    text = path.read_text(encoding="utf-8")
    code = _without_docstrings(_definition(ast.parse(text), names), text.splitlines())
    place = path.relative_to(HOME).as_posix()
    of_class = f", {'.'.join(names[:-1])}" if len(names) > 1 else ""
    return f"```python\n# {place}{of_class}\n{code}\n```"


def _module(name: str) -> tuple[Path, list[str]]:
    """Return the file of the module that a qualified name begins with, and the other names."""
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        path = HOME.joinpath(*parts[:count]).with_suffix(".py")
        if path.is_file():
            return path, parts[count:]
    raise ValueError(f"no module contains {name}")


def _definition(parent: ast.AST, names: list[str]) -> Definition:
    """Return the definition in a module or class that names such as ["Encoder", "call"] lead to."""
    first, *rest = names
    for child in ast.iter_child_nodes(parent):
        if isinstance(child, Definition) and child.name == first:
            return _definition(child, rest) if rest else child
    raise ValueError(f"there is no definition of {first}")


def _without_docstrings(definition: Definition, lines: list[str]) -> str:
    """Return the source of a definition in the lines of its module, dedented."""
    hidden: set[int] = set()
    for node in ast.walk(definition):
        if isinstance(node, Definition) and ast.get_docstring(node):
            hidden |= _numbers(node.body[0])
            hidden |= {max(hidden) + 1} if not lines[max(hidden)].strip() else set()
    return textwrap.dedent("\n".join(lines[i - 1] for i in sorted(_numbers(definition) - hidden)))


def _numbers(node: ast.stmt) -> set[int]:
    """Return the numbers of the lines of a statement, from 1."""
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


if __name__ == "__main__":
    main()

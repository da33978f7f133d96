"""Bundling of ES modules into one script.

Each module becomes a function that is called once and returns the module's exports, so that the
names of different modules do not collide. A module comes after those that it imports. The sources
are formatted, so statements of the top level, and no others, begin in the first column.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

NAME = r"[A-Za-z_$][\w$]*"
# The only forms of these statements. Anything else that begins with the same words is an error.
IMPORT = re.compile(r'^import\s*\{([^{}]*)\}\s*from\s*"(\.{1,2}/[^"\n]+)";\n*', re.MULTILINE)
IMPORTED = re.compile(rf"({NAME})(?:\s+as\s+({NAME}))?")
EXPORT = re.compile(rf"^export (?=(?:(?:async )?function|class|const) ({NAME})\b)", re.MULTILINE)
STATEMENT = re.compile(r"^(?:import|export)\b", re.MULTILINE)
# {what a function, or a script in HTML, cannot contain: pattern of a line with it}
REFUSED = {
    "a dynamic import": re.compile(r"\bimport\s*[(.]"),
    "an indented import or export": re.compile(
        r"^\s+(?:import|export)\s*(?:[{*\"]|(?:default|const|function|async|class)\b)"
    ),
    "await outside of a function": re.compile(
        r"^(?:for )?await\b|^(?:export )?(?:const|let|var) [^=]*= await\b"
    ),
}
COMMENT = re.compile(r"\s*(?://|/?\*)")


class ModuleError(ValueError):
    """A source of a page that cannot be bundled. The message begins with its file and line."""


@dataclass(frozen=True)
class Import:
    """An import statement.

    Args:
        path: the imported module, relative to the directory of all modules.
        names: {name in that module: name in the importing module}.
        place: file and line of the statement.
    """

    path: str
    names: Mapping[str, str]
    place: str


@dataclass(frozen=True)
class Module:
    """A module.

    Args:
        path: its path, relative to the directory of all modules.
        imports: its imports.
        exports: the names that it exports.
        body: its source without `import` statements and without the word `export`.
    """

    path: str
    imports: tuple[Import, ...]
    exports: tuple[str, ...]
    body: str


def bundle(directory: Path, entry: str) -> str:
    """Return a script that does what a module and all modules that it imports do.

    Args:
        directory: the directory of all modules.
        entry: path of the module, relative to `directory`.

    Returns:
        The script, which can be the content of an element `<script>`.

    Raises:
        ModuleError: If a module or an imported name is missing, modules import each other, or a
            statement has a form that cannot be bundled.
    """
    modules: dict[str, Module] = {}
    _add(directory, entry, modules, ())
    numbers = {path: number for number, path in enumerate(modules)}
    wrapped = (_wrapped(module, numbers) for module in modules.values())
    return "\n".join(['"use strict";', *wrapped, ""])


def _add(directory: Path, path: str, modules: dict[str, Module], chain: tuple[str, ...]) -> None:
    """Add a module to `modules`, after those that it imports.

    Args:
        directory: the directory of all modules.
        path: path of the module.
        modules: {path: module} of the modules added so far, in order.
        chain: the modules being added, each imported by the one before.
    """
    if path in modules:
        return
    module, chain = parse(path, (directory / path).read_text(encoding="utf-8")), (*chain, path)
    for each in module.imports:
        _check_path(directory, each, chain)
        _add(directory, each.path, modules, chain)
        _check_names(each, modules[each.path])
    modules[path] = module


def _check_path(directory: Path, imported: Import, chain: tuple[str, ...]) -> None:
    """Raise a `ModuleError` if an imported module does not exist, or imports its importer."""
    path = imported.path
    if path.startswith("../") or not (directory / path).is_file():
        raise ModuleError(f"{imported.place}: no module {path}")
    if path in chain:
        cycle = " -> ".join([*chain[chain.index(path) :], path])
        raise ModuleError(f"{imported.place}: modules import each other: {cycle}")


def _check_names(imported: Import, module: Module) -> None:
    """Raise a `ModuleError` if a module does not export an imported name."""
    for name in imported.names:
        if name not in module.exports:
            raise ModuleError(f"{imported.place}: {module.path} does not export {name}")


def parse(path: str, source: str) -> Module:
    """Return a module.

    Args:
        path: its path, relative to the directory of all modules.
        source: its source.

    Raises:
        ModuleError: If a statement has a form that cannot be bundled.
    """
    _check_lines(path, source)
    _check_statements(path, source)
    imports = tuple(_imports(path, source))
    exports = tuple(match[1] for match in EXPORT.finditer(source))
    body = EXPORT.sub("", IMPORT.sub("", source)).strip()
    # In strings, templates, regular expressions and comments, `\/` means the same as `/`.
    body = re.sub("</(?=script)", r"<\\/", body, flags=re.IGNORECASE)
    return Module(path, imports, exports, body)


def _check_lines(path: str, source: str) -> None:
    """Raise a `ModuleError` if a line contains what cannot be bundled."""
    for number, line in enumerate(source.split("\n"), start=1):
        if "<!--" in line:  # after it, browsers would not end the script at the next </script>
            raise ModuleError(f"{path}:{number}: <!-- cannot be bundled")
        for what, pattern in REFUSED.items():
            if pattern.search(line) and not COMMENT.match(line):
                raise ModuleError(f"{path}:{number}: {what} cannot be bundled")


def _check_statements(path: str, source: str) -> None:
    """Raise a `ModuleError` if an import or export has a form that cannot be bundled."""
    for found in STATEMENT.finditer(source):
        if not IMPORT.match(source, found.start()) and not EXPORT.match(source, found.start()):
            line = source[found.start() :].partition("\n")[0]
            raise ModuleError(f"{_place(path, source, found)}: cannot be bundled: {line}")


def _place(path: str, source: str, match: re.Match[str]) -> str:
    """Return file and line of a match."""
    line = source.count("\n", 0, match.start()) + 1
    return f"{path}:{line}"


def _imports(path: str, source: str) -> Iterator[Import]:
    """Yield the imports of a module."""
    for match in IMPORT.finditer(source):
        place = _place(path, source, match)
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[2]))
        yield Import(target, dict(_names(match[1], place)), place)


def _names(text: str, place: str) -> Iterator[tuple[str, str]]:
    """Yield each imported name and its local name from the braces of an import statement."""
    for part in filter(None, map(str.strip, text.split(","))):
        names = IMPORTED.fullmatch(part)
        if names is None:
            raise ModuleError(f"{place}: cannot be bundled: {part}")
        yield names[1], names[2] or names[1]


def _wrapped(module: Module, numbers: Mapping[str, int]) -> str:
    """Return a module as a function that is called once and returns the exports."""
    # The names have a number, because paths are not names; `$` keeps them apart from other names.
    imports = (
        f"const {{ {_pattern(each.names)} }} = $module{numbers[each.path]};"
        for each in module.imports
    )
    lines = [f"// {module.path}", f"const $module{numbers[module.path]} = (function () {{"]
    lines += [*imports, module.body, f"return {{ {', '.join(module.exports)} }};", "})();"]
    return "\n".join(lines)


def _pattern(names: Mapping[str, str]) -> str:
    """Return the inside of a destructuring pattern that binds imported names."""
    return ", ".join(name if name == local else f"{name}: {local}" for name, local in names.items())

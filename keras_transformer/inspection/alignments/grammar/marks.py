"""Marks on words: characters that show which nodes of a syntax tree a word realizes.

A mark is a character of Unicode's private use area. It stands after the first character of a word,
so that the rules of inflection, which look at the end of a word, still apply.
"""

import re
from collections.abc import Iterable
from itertools import count

MARKS = re.compile("[\ue000-\uf8ff]+")
WORD = re.compile(r"\S+")


class Marks:
    """The marks of the nodes of one syntax tree.

    Attributes:
        hosts: {mark: mark of the node on which its node depends}. An article depends on its noun.
        compounds: the marks of nodes whose words form a unit: "washing machine", "Waschmaschine".
    """

    def __init__(self) -> None:
        self.hosts: dict[str, str] = {}
        self.compounds: set[str] = set()
        self._numbers = count(0xE000)
        # The nodes are kept, as the identity of a deleted object may be that of another one.
        self._marks: dict[tuple[int, str], tuple[object, str]] = {}

    def new(self, host: str = "") -> str:
        """Return a new mark."""
        mark = chr(next(self._numbers))
        if host:
            self.hosts[mark] = host
        return mark

    def of(self, node: object, role: str = "", host: str = "") -> str:
        """Return the mark of a node, or of one of its roles, such as that of its article."""
        key = id(node), role
        if key not in self._marks:
            self._marks[key] = node, self.new(host)
        return self._marks[key][1]

    def assign(self, node: object, mark: str, role: str = "") -> None:
        """Give a mark to a node, or to one of its roles."""
        self._marks[id(node), role] = node, mark


def marked(text: str, mark: str) -> str:
    """Return a text with a mark on every word that has none."""
    return WORD.sub(lambda match: match[0] if marks_of(match[0]) else also(match[0], mark), text)


def also(word: str, mark: str) -> str:
    """Return a word with one more mark."""
    return word[:1] + mark + word[1:]


def plain(text: str) -> str:
    """Return a text without marks."""
    return MARKS.sub("", text)


def marks_of(word: str) -> set[str]:
    """Return the marks of a word."""
    return set("".join(MARKS.findall(word)))


def positions(words: Iterable[str]) -> dict[str, list[int]]:
    """Return {mark: indices of the words that have it}."""
    found: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        for mark in marks_of(word):
            found.setdefault(mark, []).append(index)
    return found

"""British words and spellings; the corpus itself is written in American English."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

BRITISH = 0.5  # fraction of the pairs containing an American word that become British


@cache
def words() -> dict[str, list[tuple[str, str]]]:
    """Return the table: {American: [(British, German word required in the translation or "")]}."""
    table: dict[str, list[tuple[str, str]]] = {}
    path = Path(__file__).with_name("british.tsv")
    for line in path.read_text(encoding="utf-8").splitlines():
        american, british, *required = line.split("\t")
        table.setdefault(american, []).append((british, "".join(required)))
    return table


@cache
def american_word() -> re.Pattern[str]:
    """Return a pattern that matches the words of the table, longest first."""
    longest_first = sorted(words(), key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def in_british(english: str, german: str) -> str:
    """Return an American sentence in British English.

    Args:
        english: the sentence.
        german: its translation, which disambiguates words with several meanings.
    """

    def replacement(match: re.Match[str]) -> str:
        found = match[0]
        choices = words().get(found) or words().get(found.lower(), [])
        # "Band-Aid" has a capital of its own, which "plaster" lacks.
        is_capital = found[0].isupper() and (found not in words() or match.start() == 0)
        for british, required in choices:
            if required in german:
                return british[0].upper() + british[1:] if is_capital else british
        return found

    return american_word().sub(replacement, english)


def sometimes_british(pair: tuple[str, str], rand: random.Random) -> tuple[str, str]:
    """Return an (English, German) pair unchanged or, at random, with British words."""
    english, german = pair
    british = in_british(english, german)
    return (british, german) if british != english and rand.random() < BRITISH else pair

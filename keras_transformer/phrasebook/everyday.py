"""The written pairs, read from the folder `everyday`, which has one file per topic."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
FIRST = "first_sentences"  # the file of sentences that users are most likely to try first
FIRST_REPEATS = 3  # how often an epoch repeats each of them
# The files of other sentences that users are likely to try first.
LIKELY = (
    "greetings",
    "chat_messages",
    "countries_and_institutions",
    "frequent_verbs_in_use",
    "health_and_family",
    "home_and_free_time",
    "language_and_translation",
    "machine_learning",
    "news_and_knowledge",
    "news_reports",
    "office_and_email",
    "programs_and_computers",
    "science_and_machines",
    "services_and_signs",
    "short_and_frequent",
    "small_talk_and_feelings",
    "stories_and_opinions",
    "stories_and_proverbs",
    "travel_and_restaurants",
    "work_school_and_devices",
)


@cache
def everyday_pairs() -> tuple[tuple[str, str], ...]:
    """Return the (English, German) pairs of all topics, without repeated English sentences."""
    pairs: dict[str, str] = {}
    for path in sorted((FOLDER / "everyday").glob("*.tsv")):
        for english, german in read_pairs(path):
            pairs.setdefault(english, german)
    return tuple(pairs.items())


def repeated_pairs() -> list[tuple[str, str]]:
    """Return the pairs that an epoch repeats, because users are likely to try them first."""
    names = (*LIKELY, *[FIRST] * FIRST_REPEATS)
    return [pair for name in names for pair in read_pairs(FOLDER / "everyday" / f"{name}.tsv")]


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """Return the pairs of a file with one pair per line: English, tab, German."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(english, german) for english, german in (line.split("\t") for line in lines)]


@cache
def held_out_pairs(split: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of "validation" or "test", which were written independently."""
    file = {"validation": "development.tsv", "test": "test.tsv"}[split]
    return tuple(read_pairs(FOLDER / file))

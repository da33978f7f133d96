"""Words that are names in both languages, unlike other words that have a capital."""

from collections.abc import Mapping

from keras_transformer.corrections.dates import MONTHS
from keras_transformer.corrections.name_kinds import TITLES

PROPER_RATIO = 4  # a proper noun is capitalized more than this many times as often as not
# Names that both languages have occur about equally often in a parallel corpus: the rarer count
# is at least this share of the other one. German names also have genitives.
MIN_SHARE = 0.5
WEEKDAYS = (
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday "
    "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonnabend Sonntag"
)
# Capitalized words that are translated, even if some occur in both languages.
TRANSLATED = TITLES | {word.lower() for word in (*MONTHS, *MONTHS.values(), *WEEKDAYS.split())}


class KnownNames:
    """Recognizes names that occur in the training data of both languages.

    In German, all nouns have a capital, but most are rare in the other language.

    Args:
        source_counts: {word: occurrences in the training sources}, case-sensitive.
        target_counts: {word: occurrences in the training targets}, case-sensitive.
    """

    def __init__(self, source_counts: Mapping[str, int], target_counts: Mapping[str, int]) -> None:
        self.source_counts = source_counts
        self.target_counts = target_counts

    def has(self, word: str) -> bool:
        """Return whether a word is a name in the sources, and equally frequent in the targets."""
        count, target_count = (
            counts.get(word, 0) for counts in (self.source_counts, self.target_counts)
        )
        is_proper = count > PROPER_RATIO * self.source_counts.get(word.lower(), 0)
        is_shared = min(count, target_count) >= MIN_SHARE * max(count, target_count)
        return is_proper and is_shared and word.lower() not in TRANSLATED

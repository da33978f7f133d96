"""Replacement of unknown names by known names before translation.

A name that does not occur in the training data is split into many subwords. A small network copies
them badly, and translates the rest of the sentence worse. A frequent name therefore replaces the
unknown name. `stand_ins.restored` restores it in the translation.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from keras_transformer.text.touching import TOUCHING
from keras_transformer.text.words import WORD, touches_digit
from keras_transformer.translation.common_nouns import CommonNouns

# Names that are the same in many languages. Those that occur more often are preferred, up to
# ENOUGH occurrences.
PEOPLE = ("Peter", "David", "Paul", "Simon", "Tom", "Anna", "John", "Maria")
TOWNS = ("Berlin", "Hamburg", "London", "Boston", "Paris", "Madrid")
SURNAMES = ("Wagner", "Weber", "Miller", "Schmidt", "Becker", "Smith", "Brown")
ENOUGH = 100
BEFORE_TOWNS = ("in", "near")
# Titles, without their period. "Mr. and Mrs. Tom" is rare in the training data.
BEFORE_SURNAMES = ("mr", "mrs", "ms", "miss", "dr", "prof", "professor", "herr", "frau")
PROPER_RATIO = 4  # a proper noun is capitalized more than this many times as often as not
MIN_OCCURRENCES = 5  # of a known name in the training data of each language
PARTICLES = frozenset(
    ("de", "del", "della", "der", "den", "di", "do", "du", "el", "la", "van", "von")
)
GENITIVE = re.compile(r"'s$", re.IGNORECASE)
CLAUSE = re.compile(f"[{TOUCHING}]")  # in a clause without spaces, which `WORD` matches as a whole
TITLE_CASE = 0.6  # if this fraction of words is capitalized, capitals do not indicate names


class Words(NamedTuple):
    """The words of a sentence."""

    sentence: str
    matches: Sequence[re.Match[str]]  # of `WORD`
    unknown: Sequence[bool]  # whether each word is an unknown name


class Names:
    """Replaces unknown names by known ones.

    Args:
        source_counts: {word: occurrences in the training sources}, case-sensitive.
        target_counts: {word: occurrences in the training targets}, case-sensitive.
        lang: the language of the sentences.
    """

    def __init__(
        self, source_counts: Mapping[str, int], target_counts: Mapping[str, int], lang: str = ""
    ) -> None:
        def known(names: Iterable[str]) -> list[str]:
            sides = source_counts, target_counts
            least = {name: min(counts.get(name, 0) for counts in sides) for name in names}
            found = [name for name in names if least[name] >= MIN_OCCURRENCES]
            return sorted(found, key=lambda name: -min(least[name], ENOUGH))

        self.counts = source_counts
        self.folded = frozenset(word.lower() for word in source_counts)
        self.common_nouns = CommonNouns(source_counts, lang)
        self.people, self.towns, self.surnames = map(known, (PEOPLE, TOWNS, SURNAMES))

    def masked(self, sentence: str) -> tuple[str, dict[str, str]]:
        """Return a sentence with unknown names replaced, and {known name: original name}."""
        originals: dict[str, str] = {}
        masked, shift = sentence, 0
        people, towns, surnames = (
            [name for name in names if name not in sentence]
            for names in (self.people, self.towns, self.surnames)
        )
        for start, end in self._spans(sentence):
            before = "".join(sentence[:start].split()[-1:]).lower().removesuffix(".")
            free = towns if before in BEFORE_TOWNS else people
            free = surnames if before in BEFORE_SURNAMES and surnames else free
            if not free:
                break
            name = free.pop(0)
            originals[name] = sentence[start:end]
            masked = masked[: start + shift] + name + masked[end + shift :]
            shift += len(name) - (end - start)
        return masked, originals

    def _spans(self, sentence: str) -> list[tuple[int, int]]:
        """Return the start and end of each unknown name, of one or more words, in a sentence."""
        matches = list(WORD.finditer(sentence))
        capitals = sum(match[0][0].isupper() for match in matches)
        is_title = capitals >= TITLE_CASE * len(matches)
        unknown = [
            self._is_unknown(match[0], i > 0 and not is_title)
            and not touches_digit(sentence, match)
            and not self.common_nouns.has(sentence, match)
            for i, match in enumerate(matches)
        ]
        words = Words(sentence, matches, unknown)
        spans, i = [], 0
        while i < len(matches):
            end = self._end(words, i)
            if end > i:
                stop = matches[end - 1].end() - len(_genitive(matches[end - 1][0]))
                spans.append((matches[i].start(), stop))
            i = max(end, i + 1)
        return spans

    def _end(self, words: Words, first: int) -> int:
        """Return the index of the word after the name that begins at the word with index `first`.

        If no unknown name begins there, return `first`.
        """
        end, has_unknown = first, False
        while end < len(words.matches) and self._continues(words, first, end):
            has_unknown |= words.unknown[end]
            end += 1
            if _genitive(words.matches[end - 1][0]):
                break
        while end > first and words.matches[end - 1][0].lower() in PARTICLES:
            end -= 1
        return end if has_unknown else first

    def _continues(self, words: Words, first: int, place: int) -> bool:
        """Return whether the word with index `place` belongs to the name that begins at `first`."""
        match = words.matches[place]
        word = match[0]
        if place > first:
            before = words.matches[place - 1]
            between = words.sentence[before.end() : match.start()]
            initial = len(before[0]) == 1 and between == ". "
            if between not in (" ", "-") and not initial:
                return False
            if word in PARTICLES or (len(word) == 1 and word.isupper()):
                return True
        return words.unknown[place] or (word[0].isupper() and self._is_proper(word))

    def _is_proper(self, word: str) -> bool:
        """Return whether a word is usually capitalized in the training data."""
        return self.counts.get(word, 0) > PROPER_RATIO * self.counts.get(word.lower(), 0)

    def _is_unknown(self, word: str, shows_name: bool) -> bool:
        """Return whether a capitalized word is unknown, or known only in lower case.

        Args:
            word: the word.
            shows_name: whether the capital shows that a word is a name.
        """
        word = GENITIVE.sub("", word)
        if not word[:1].isupper() or CLAUSE.search(word):
            return False
        if word.lower() not in self.folded:
            return True
        return shows_name and word not in self.counts


def _genitive(word: str) -> str:
    """Return the English genitive ending of a word, or an empty string."""
    match = GENITIVE.search(word)
    return match[0] if match else ""

"""Replacement of unknown and rare names by known names before translation.

A name that does not occur in the training data is split into many subwords. A small network copies
them badly, and translates the rest of the sentence worse. The same happens to a name that hardly
ever occurs. A frequent name therefore replaces such a name. `stand_ins.restored` restores it in the
translation.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from keras_transformer.corrections.common_nouns import CommonNouns
from keras_transformer.corrections.genitives import (
    bare_genitive,
    genitive_ending,
    german_genitive_ending,
)
from keras_transformer.corrections.known_names import KnownNames
from keras_transformer.corrections.name_kinds import TITLES, Kind, kind_of
from keras_transformer.corrections.values import COUNTED
from keras_transformer.text.touching import TOUCHING
from keras_transformer.text.words import WORD, touches_digit

# Names that are the same in many languages. Those that occur more often are preferred, up to
# ENOUGH occurrences.
STAND_INS: Mapping[Kind, Sequence[str]] = {
    Kind.PERSON: ("Peter", "David", "Paul", "Simon", "Tom", "Anna", "John", "Maria"),
    Kind.TOWN: ("Berlin", "Hamburg", "London", "Boston", "Paris", "Madrid"),
    Kind.SURNAME: ("Wagner", "Weber", "Miller", "Schmidt", "Becker", "Smith", "Brown"),
}
ENOUGH = 100
# Of a stand-in in the training data of each language. Names that are rarer in the sources are
# replaced.
MIN_OCCURRENCES = 5
PARTICLES = frozenset(
    ("de", "del", "della", "der", "den", "di", "do", "du", "el", "la", "van", "von")
)
# Of towns. The network knows some of them from other towns: New York.
BEGINNINGS = frozenset(("Las", "Los", "New", "Saint", "San", "Santa"))
AMOUNT_AFTER = re.compile(f" {COUNTED}", re.IGNORECASE)  # in Quedlinburg 20 people
CLAUSE = re.compile(f"[{TOUCHING}]")  # in a clause without spaces, which `WORD` matches as a whole
PRONOUN = "I"  # in English
# What follows a German verb at the beginning of a question or a request: Reservierst du.
AFTER_VERB = re.compile(
    r" (?:du|ihr|er|es|wir|ich|man|Sie|mir|mich|uns|der|die|das|den|dem|eine?[mnrs]?|bitte)\b"
)
# Other words with a capital may come between a determiner and a common noun: the Prime Minister.
AFTER_DETERMINER = re.compile(
    r"\b(?i:the|an?|this|my|your|his|her|its|our|their|every|no) "
    r"(?P<others>(?:[A-Z][\w'-]*\.? )*)\Z"
)
REACH = 80  # characters before a word that are searched for a determiner
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
        self.counts = source_counts
        self.lang = lang
        self.folded = frozenset(word.lower() for word in source_counts)
        self.known = KnownNames(source_counts, target_counts)
        self.common_nouns = CommonNouns(source_counts, self.known, lang)
        sides = source_counts, target_counts
        self.stand_ins = {kind: _frequent(names, sides) for kind, names in STAND_INS.items()}

    def masked(self, sentence: str) -> tuple[str, dict[str, str]]:
        """Return a sentence with unknown names replaced, and {known name: original name}.

        English common nouns are in lower case, as in the training data: the Prime Minister.
        """
        sentence = self._with_small_nouns(sentence) if self.lang == "en" else sentence
        originals: dict[str, str] = {}
        masked, shift = sentence, 0
        free = {
            kind: [name for name in names if name not in sentence]
            for kind, names in self.stand_ins.items()
        }
        for start, end in self._spans(sentence):
            kind = kind_of(sentence, start, end)
            if kind is Kind.SURNAME and not free[kind]:
                kind = Kind.PERSON
            if not free[kind]:
                break
            name = free[kind].pop(0)
            originals[name] = sentence[start:end]
            ending = bare_genitive(sentence, end, self.lang)
            new, rest = name + ending, end + (1 if ending else 0)
            masked = masked[: start + shift] + new + masked[rest + shift :]
            shift += len(new) - (rest - start)
        return masked, originals

    def _with_small_nouns(self, sentence: str) -> str:
        """Return an English sentence with small letters in common nouns after determiners.

        These are words that the training data has only in lower case. Acronyms (the US) and words
        after a title or a name (this Mr. Bush) are left.
        """

        def small(match: re.Match[str]) -> str:
            word, before = match[0], sentence[max(match.start() - REACH, 0) : match.start()]
            is_known_in_lower_case = word.lower() in self.counts and word not in self.counts
            is_common = is_known_in_lower_case and not (word.isupper() and len(word) > 1)
            return word.lower() if is_common and self._precedes_noun(before) else word

        return WORD.sub(small, sentence)

    def _precedes_noun(self, before: str) -> bool:
        """Return whether a text ends with a determiner, with or without words that are no names."""
        match = AFTER_DETERMINER.search(before)
        others = WORD.findall(match["others"]) if match else []
        return match is not None and not any(
            word.lower() in TITLES or self.known.has(word) for word in others
        )

    def _spans(self, sentence: str) -> list[tuple[int, int]]:
        """Return the start and end of each unknown name, of one or more words, in a sentence."""
        matches = list(WORD.finditer(sentence))
        words = Words(sentence, matches, self._unknown(sentence, matches))
        spans, i = [], 0
        while i < len(matches):
            end = self._end(words, i)
            if end > i:
                start, last = matches[i].start(), matches[end - 1]
                spans.append((start, last.end() - len(self._genitive(sentence, start, last))))
            i = max(end, i + 1)
        return spans

    def _unknown(self, sentence: str, matches: Sequence[re.Match[str]]) -> list[bool]:
        """Return whether each word of a sentence is an unknown name."""
        capitals = [match[0][0].isupper() for match in matches if not self._is_pronoun(match)]
        is_title = sum(capitals) >= TITLE_CASE * len(capitals)
        unknown = [
            self._is_unknown(match[0], i > 0 and not is_title)
            and not _touches_value(sentence, match)
            and not self.common_nouns.has(sentence, match)
            for i, match in enumerate(matches)
        ]
        if matches and self._begins_clause(sentence, matches[0]):
            unknown[0] = False
        return unknown

    def _is_pronoun(self, match: re.Match[str]) -> bool:
        """Return whether a word is the English pronoun "I", always in capitals: I, I'm, I've."""
        return self.lang == "en" and match[0].partition("'")[0] == PRONOUN

    def _begins_clause(self, sentence: str, first: re.Match[str]) -> bool:
        """Return whether the first word is a German verb, as a pronoun or an article shows.

        A network knows other forms of it. In English it would be a verb that it does not know.
        """
        return self.lang == "de" and AFTER_VERB.match(sentence, first.end()) is not None

    def _end(self, words: Words, first: int) -> int:
        """Return the index of the word after the name that begins at the word with index `first`.

        If no unknown name begins there, return `first`.
        """
        end, has_unknown = first, False
        while end < len(words.matches) and self._continues(words, first, end):
            has_unknown |= words.unknown[end]
            end += 1
            if genitive_ending(words.matches[end - 1][0]):
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
            if word in PARTICLES or self._is_initial(words.sentence, match):
                return True
        is_beginning = place > 0 and word in BEGINNINGS and self._is_name(words, place + 1)
        return is_beginning or self._is_name(words, place)

    def _is_initial(self, sentence: str, match: re.Match[str]) -> bool:
        """Return whether a word is a capital letter. The English "I" needs a period after it."""
        is_letter = len(match[0]) == 1 and match[0].isupper()
        return is_letter and (not self._is_pronoun(match) or sentence[match.end() :][:1] == ".")

    def _is_name(self, words: Words, place: int) -> bool:
        """Return whether there is a word with index `place` that is a name, known or not."""
        if place >= len(words.matches):
            return False
        word = words.matches[place][0]
        return words.unknown[place] or (word[0].isupper() and self.known.has(word))

    def _genitive(self, sentence: str, start: int, last: re.Match[str]) -> str:
        """Return the genitive ending of a name, given by its start and its last word, or ""."""
        ending = genitive_ending(last[0])
        is_german = self.lang == "de" and last[0] not in self.counts
        return ending or (german_genitive_ending(sentence, start, last) if is_german else "")

    def _is_unknown(self, word: str, shows_name: bool) -> bool:
        """Return whether a capitalized word is unknown, known only in lower case, or a rare name.

        A compound such as *Self-service* has a capital only because it begins a sentence.

        Args:
            word: the word.
            shows_name: whether the capital shows that a word is a name.
        """
        word = word.removesuffix(genitive_ending(word))
        if not word[:1].isupper() or CLAUSE.search(word) or word.lower() in TITLES:
            return False
        if any(part[:1].islower() for part in word.split("-")[1:]):
            return False
        if word.lower() not in self.folded:
            return True
        return shows_name and (word not in self.counts or self._is_rare(word))

    def _is_rare(self, word: str) -> bool:
        """Return whether a word is a name, but no acronym, that occurs too rarely to be copied.

        Acronyms (the EU, DVDs) have a gender on which other words depend.
        """
        is_acronym = word[:2].isupper()
        return not is_acronym and self.counts[word] < MIN_OCCURRENCES and self.known.has(word)


def _touches_value(sentence: str, match: re.Match[str]) -> bool:
    """Return whether a word is part of a code or the like, and not only before an amount."""
    is_before_amount = AMOUNT_AFTER.match(sentence, match.end()) is not None
    return touches_digit(sentence, match) and not is_before_amount


def _frequent(names: Sequence[str], sides: Sequence[Mapping[str, int]]) -> list[str]:
    """Return the names that both languages have often enough, the most frequent ones first."""
    least = {name: min(counts.get(name, 0) for counts in sides) for name in names}
    found = [name for name in names if least[name] >= MIN_OCCURRENCES]
    return sorted(found, key=lambda name: -min(least[name], ENOUGH))

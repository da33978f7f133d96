"""Capitals for translations in lower case, learned from the training targets (Lita et al. 2003).

The forms of a word are those of the training targets, such as "sie" and "Sie". An n-gram model of
the cased text chooses among them. Capitals at the start of a sentence are a separate rule, so that
they do not influence the choice.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self, TypeAlias

import numpy as np

from keras_transformer.errors import UserError
from keras_transformer.text.normalization import with_straight_apostrophes
from keras_transformer.text.word_arrays import read_arrays, write_arrays
from keras_transformer.text.words import TOKEN, tokens
from keras_transformer.translation.ngrams import END, START, Ngrams

ORDER = 3
BEAM = 8  # hypotheses
MIN_SHARE = 0.01  # of the occurrences of a word: rarer forms are ignored
LONGEST_SUFFIX = 5
FINAL_MARKS = frozenset(".!?")
OPENING_MARKS = frozenset("¿¡([{")
QUOTATION_MARKS = frozenset('"“”„‟«»')  # which of them open depends on the language

Forms: TypeAlias = tuple[str, ...]


class Hypothesis(NamedTuple):
    """The forms of the words up to a place, and their score."""

    forms: Forms
    score: float


class Truecaser:
    """Restores the capitals of sentences in lower case.

    Args:
        ngrams: `Ngrams` of cased sentences, without the capitals at their starts.
        starts_with_capital: whether a sentence starts with a capital letter.
    """

    def __init__(self, ngrams: Ngrams, starts_with_capital: bool) -> None:
        self.ngrams = ngrams
        self.starts_with_capital = starts_with_capital

    @classmethod
    def learn(cls, sentences: Iterable[str]) -> Self:
        """Return the truecaser learned from cased sentences.

        Raises:
            UserError: If no sentence contains a word.
        """
        rows = [found for each in sentences if (found := tokens(each))]
        if not rows:
            raise UserError("the target sentences contain no words")
        forms = best_forms(word for row in rows for _, word in _inside(row))
        changed = (
            [_at_start(word, forms) if i in starts else word for i, word in enumerate(row)]
            for row in rows
            for starts in [_starts(row)]
        )
        first = [row[i] for row in rows if (i := _first_word(row)) < len(row)]
        capitals = sum(word[0].isupper() for word in first)
        return cls(Ngrams.learn(map(" ".join, changed), ORDER), 2 * capitals > len(first))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load a truecaser that `save` saved.

        Raises:
            UserError: If the file is damaged.
        """
        names, arrays = Ngrams.CONTENTS
        words, [*found, starts_with_capital] = read_arrays(path, names, (*arrays, "capital"))
        return cls(Ngrams.of_contents(words, found), bool(starts_with_capital))

    def save(self, path: Path) -> None:
        """Save the truecaser to a file."""
        words, arrays = self.ngrams.contents()
        write_arrays(path, words, arrays | {"capital": np.array(self.starts_with_capital)})

    def __call__(self, text: str, source: str = "") -> str:
        """Return a text in lower case with capitals.

        An unknown word has the capitals of the same word in the source, or else those that most
        words with the same ending have.

        Args:
            text: one or several sentences in lower case.
            source: the text of which `text` is the translation.
        """
        matches = list(TOKEN.finditer(with_straight_apostrophes(text)))
        given = {word.lower(): word for word in _after_first(source) if word != word.lower()}
        forms = self._forms([match[0] for match in matches], given)
        for match, form in reversed(list(zip(matches, forms, strict=True))):
            start, end = match.span()
            text = text[:start] + _with_apostrophes(form, text[start:end]) + text[end:]
        return text

    def _forms(self, words: Sequence[str], given: Mapping[str, str]) -> Forms:
        """Return the form of each word that beam search finds, with capitals at the starts."""
        beam = [Hypothesis((START,), 0.0)]
        for word in words:
            beam = self._extended(beam, self._candidates(word, given))
        [_, *forms] = beam[0].forms
        starts = _starts(forms) if self.starts_with_capital else ()
        return tuple(_capitalized(form) if i in starts else form for i, form in enumerate(forms))

    def _candidates(self, word: str, given: Mapping[str, str]) -> Forms:
        known = self._known.get(word)
        return known or (given.get(word) or self._guess(word),)

    def _extended(self, beam: Sequence[Hypothesis], candidates: Forms) -> list[Hypothesis]:
        """Return the best hypotheses with one of several forms of the next word."""
        extended = [
            Hypothesis((*each.forms, form), each.score + self._score(each.forms, form))
            for each in beam
            for form in candidates
        ]
        return sorted(extended, key=lambda each: -each.score)[:BEAM]

    def _score(self, forms: Forms, form: str) -> float:
        return self.ngrams.log_score(forms[1 - ORDER :], form)

    @cached_property
    def _known(self) -> dict[str, Forms]:
        """The forms of each word in lower case, the most frequent one first."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for word, number in self.ngrams.words.items():
            if word not in (START, END):
                found[word.lower()][word] = int(self.ngrams.counts[0][number])
        return {word: _frequent(counts) for word, counts in found.items()}

    @cached_property
    def _endings(self) -> dict[str, Counter[bool]]:
        """For each ending, how many words with it do and do not start with a capital."""
        found: dict[str, Counter[bool]] = defaultdict(Counter)
        for word, forms in self._known.items():
            for suffix in _suffixes(word):
                found[suffix][forms[0][0].isupper()] += 1
        return found

    def _guess(self, word: str) -> str:
        """Return an unknown word in the case of most words with the same ending."""
        for suffix in _suffixes(word):
            if counts := self._endings.get(suffix):
                return _capitalized(word) if counts[True] > counts[False] else word
        return word


def best_forms(words: Iterable[str]) -> dict[str, str]:
    """Return {word in lower case: its most frequent form}."""
    found: dict[str, str] = {}
    for word, _ in Counter(words).most_common():
        found.setdefault(word.lower(), word)
    return found


def _at_start(word: str, forms: Mapping[str, str]) -> str:
    """Return the first word of a sentence as it is written elsewhere."""
    return forms.get(word.lower(), word)


def _starts(row: Sequence[str]) -> set[int]:
    """Return the places of the words with which sentences start.

    Only opening marks may come before such a word. Others may close what the end of the sentence
    before is in: "Wer ist da?" fragt sie.
    """
    ends = (i for i in range(1, len(row)) if _ends_sentence(row[max(i - 2, 0) : i]))
    opening = _opening_marks(row)
    return {_first_word(row), *(_first_outside(opening, end) for end in ends)}


def _first_outside(places: Set[int], start: int) -> int:
    """Return the first place from a start on that is not among some places."""
    return next(place for place in itertools.count(start) if place not in places)


def _first_word(row: Sequence[str]) -> int:
    """Return the place of the first word, or the length of a row without words."""
    return next((i for i, token in enumerate(row) if not _is_mark(token)), len(row))


def _opening_marks(row: Sequence[str]) -> set[int]:
    """Return the places of opening marks, including every other quotation mark."""
    quotation_marks = [i for i, token in enumerate(row) if token in QUOTATION_MARKS]
    others = (i for i, token in enumerate(row) if token in OPENING_MARKS)
    return {*quotation_marks[::2], *others}


def _is_mark(token: str) -> bool:
    """Return whether a token is neither a word nor a number."""
    return not any(map(str.isalnum, token))


def _after_first(text: str) -> Sequence[str]:
    """Return the tokens of a text after its first word."""
    row = tokens(text)
    return row[_first_word(row) + 1 :]


def _ends_sentence(row: Sequence[str]) -> bool:
    """Return whether a sentence ends after one or two words; the period of an ordinal ends none."""
    return row[-1] in FINAL_MARKS and not (len(row) > 1 and row[-2][-1].isdigit())


def _inside(row: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the words of a row that do not start a sentence, and their places."""
    starts = _starts(row)
    return ((i, word) for i, word in enumerate(row) if i not in starts)


def _frequent(counts: Counter[str]) -> Forms:
    """Return the forms that are not rare, the most frequent one first."""
    least = MIN_SHARE * counts.total()
    return tuple(form for form, count in counts.most_common() if count >= least)


def _suffixes(word: str) -> list[str]:
    """Return the endings of a word, the longest first; the last one is empty."""
    longest = min(LONGEST_SUFFIX, len(word) - 1)
    return [word[len(word) - n :] for n in range(longest, -1, -1)]


def _capitalized(word: str) -> str:
    """Return a word with a capital, if its first letter has one of the same length, unlike ß."""
    first = word[:1].upper()
    return first + word[1:] if len(first) == 1 else word


def _with_apostrophes(form: str, written: str) -> str:
    """Return the form of a word with the apostrophes of the written word, which may be typographic.

    If their lengths differ, because the capital of a letter is two, the form stays as it is.
    """
    if len(form) != len(written):
        return form
    return "".join(old if new == "'" else new for old, new in zip(written, form, strict=True))

"""Repair of names and numbers that are garbled in a translation.

A network copies names and numbers subword by subword, and a small network sometimes drops or
changes a subword. The result is a word that exists in neither language. Such a word is replaced by
the word of the source that is missing from the translation.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Sequence, Set
from typing import TypeAlias

from keras_transformer.corrections.common_nouns import CAPITALIZED
from keras_transformer.corrections.extra_numbers import WORD_WITH_NUMBER
from keras_transformer.corrections.formats import Formats
from keras_transformer.corrections.half_hours import follows_half
from keras_transformer.corrections.locating import located
from keras_transformer.corrections.measures import Measure, unit_after
from keras_transformer.corrections.placing import without_period
from keras_transformer.corrections.spans import Span, TextSpan, blanked
from keras_transformer.corrections.values import (
    numbers,
    phone_spans,
    values,
    without_addresses,
)
from keras_transformer.corrections.written_times import UHR
from keras_transformer.text.digits import ascii_digits
from keras_transformer.text.scripts import scripts
from keras_transformer.text.sentences import UNSPACED
from keras_transformer.text.words import WORD, touches_digit

# Between a name or a number and its garbled copy. A noun at the beginning of a sentence looks like
# a name, and is a little similar to its translation by chance.
MIN_NAME_SIMILARITY, MIN_NUMBER_SIMILARITY = 0.4, 0.3
WORD_BEFORE = re.compile(rf"({WORD.pattern}) $")
NEXT_WORD = re.compile(rf" ({WORD.pattern})(?![\w'-])")
LONGEST_WORD = 100  # that is searched before a name
GAP = re.compile(r"[\s-]*")  # between the words of a name
DIGITS = re.compile(r"\d+")

Replacement: TypeAlias = tuple[TextSpan, str]  # replaced part, new text


class Repairer:
    """Replaces garbled names and numbers by those of the source.

    Args:
        source_words: the words of the training sources, in lower case.
        target_words: the words of the training targets, in lower case.
        formats: the `Formats` of numbers and dates.
        languages: the source language and the target language. If one is written without spaces
            between words, names and numbers are not replaced, because a whole clause would be one
            word.
        is_name: returns whether a known word is a name.
    """

    def __init__(
        self,
        source_words: Set[str],
        target_words: Set[str],
        formats: Formats,
        languages: tuple[str, str] = ("", ""),
        is_name: Callable[[str], bool] = str.istitle,
    ) -> None:
        self.source_words = source_words
        self.target_words = target_words
        self.formats = formats
        self.is_name = is_name
        source_lang, self.target_lang = languages
        self.capitals_show_names = source_lang not in CAPITALIZED
        has_spaces = UNSPACED.isdisjoint(languages)
        self.finders = [self._names, self._completions, self._numbers] if has_spaces else []

    def __call__(self, source: str, translation: str) -> str:
        """Return a translation with garbled names and numbers replaced by those of the source."""
        source = without_addresses(source)
        for find in self.finders:
            replacements = find(source, without_addresses(translation))
            translation = _replaced(translation, replacements)
        return self.formats.corrected(source, translation)

    def with_numbers(self, source: str, translation: str) -> str:
        """Return a translation with garbled numbers replaced by those of the source."""
        if not self.finders:
            return translation
        found = self._numbers(without_addresses(source), without_addresses(translation))
        return _replaced(translation, found)

    def _names(self, source: str, translation: str) -> list[Replacement]:
        """Return the replacements of garbled words in a translation."""
        there, here = _bare_words(source), _bare_words(translation)
        missing = _runs(source, lambda word: word in self.source_words or _bare(word) in here)
        garbled = _runs(translation, lambda word: word in self.target_words or _bare(word) in there)
        if len(missing) == len(garbled) == 1 and self._is_name(missing[0], source):
            return _replaceable(garbled[0], _without_genitive(missing[0].text))
        names = [_without_genitive(part.text) for part in missing if _may_be_name(part.text)]
        copies = [part for part in garbled if _may_be_name(part.text)]
        return _matched(names, copies, MIN_NAME_SIMILARITY)

    def _is_name(self, part: TextSpan, source: str) -> bool:
        """Return whether a capital within a sentence shows that an unknown word is a name."""
        is_within = any(map(str.isalpha, source[: part.start]))
        return self.capitals_show_names and is_within and part.text[0].isupper()

    def _completions(self, source: str, translation: str) -> list[Replacement]:
        """Return the replacements that complete names of which only the first word was copied.

        The rest of the name is inserted, or replaces a capitalized word after the first.
        """
        there, here = _bare_words(source), _bare_words(translation)
        found: list[Replacement] = []
        rest = translation  # without the completed names
        for part in _runs(source, lambda word: word in self.source_words or _bare(word) in here):
            before = WORD_BEFORE.search(source[max(part.start - LONGEST_WORD, 0) : part.start])
            if before and part.text[0].isupper() and self._may_begin_name(before[1]):
                new = _after(before[1], _without_genitive(part.text), rest, there)
                rest = blanked(rest, ((each.start - len(before[1]), each.end) for each, _ in new))
                found += new
        return found

    def _may_begin_name(self, word: str) -> bool:
        """Return whether a word is unknown or a name, unlike the first one of "In Springfield"."""
        return word.lower() not in self.source_words or self.is_name(word)

    def _numbers(self, source: str, translation: str) -> list[Replacement]:
        """Return the replacements of garbled numbers in a translation."""
        found = values(source, self.formats)
        kept, missing = located(found, translation, self.target_lang)
        others = [span[:2] for span in self.formats.dates(source)]
        others += [each.span for each in phone_spans(source)]
        wanted = [each.text for each in missing if not _overlaps(each.span, others)]
        garbled = _unexplained(translation, kept, blanked(source, (each.span for each in found)))
        return [
            _fitted(part, text, translation)
            for part, text in _paired(wanted, garbled)
            if self.formats.may_replace(part.text, text)
        ]


def _unexplained(translation: str, kept: Sequence[Span], rest: str) -> list[TextSpan]:
    """Return the numbers of a translation that express no number of its source.

    Half hours, which are corrected as such, are left out.

    Args:
        translation: the translation.
        kept: the places of the values of the source in it.
        rest: the source without its values.
    """
    others = {*DIGITS.findall(ascii_digits(rest))}  # of ordinals and words with numbers
    return [
        each
        for each in numbers(ascii_digits(translation))
        if not _overlaps(each.span, kept)
        and not WORD_WITH_NUMBER.fullmatch(each.text)
        and not follows_half(translation, each.start)
        and others.isdisjoint(DIGITS.findall(each.text))
    ]


def _overlaps(span: Span, others: Iterable[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def _paired(wanted: Sequence[str], garbled: Sequence[TextSpan]) -> list[Replacement]:
    """Return replacements of garbled numbers. A single one need not be similar."""
    if len(wanted) == len(garbled) == 1:
        return _replaceable(garbled[0], wanted[0])
    return _matched(wanted, garbled, MIN_NUMBER_SIMILARITY)


def _replaceable(part: TextSpan, text: str) -> list[Replacement]:
    """Return the replacement of a part, or none if the text has another script."""
    return [(part, text)] if _have_common_script(text, part.text) else []


def _fitted(part: TextSpan, text: str, translation: str) -> Replacement:
    """Return a replacement of a number that repeats no sign, unit or word beside it.

    If the new number has no unit, that of the garbled one is kept: the source has it in words.
    """
    before, after = translation[: part.start], translation[part.end :]
    new, old = Measure.of_price(text), Measure.of_price(part.text)
    if new is None:
        return part, text.removesuffix(" Uhr") if UHR.match(after) else text
    if old and old.unit and not new.unit:
        start = part.start + part.text.index(old.amount)
        return TextSpan(old.amount, start, start + len(old.amount)), text
    if new.unit and re.match(unit_after(new.unit), after):
        text = str(new._replace(unit=""))
    return part, text.removeprefix(new.sign) if before.endswith("minus ") else text


def _after(first: str, rest: str, translation: str, source_words: Set[str]) -> list[Replacement]:
    """Return the replacement that puts the rest of a name after its first word, if any.

    Args:
        first: first word of the name.
        rest: the other words of the name.
        translation: the text to change.
        source_words: words in lower case that are not replaced.
    """
    match = re.search(rf"(?<!\w){re.escape(first)}(?![\w'-])", translation)
    if not match or not first[0].isupper():
        return []
    end = match.end()
    next_word = NEXT_WORD.match(translation, end)
    follower = next_word[1] if next_word else ""
    if follower and not _have_common_script(follower, rest):
        return []
    if follower[:1].isupper() and _bare(follower.lower()) not in source_words:
        return [(TextSpan(follower, end + 1, end + 1 + len(follower)), rest)]
    return [(TextSpan("", end, end), f" {rest}")]


def _may_be_name(text: str) -> bool:
    """Return whether a word is not in lower case. Common nouns are translated, not copied."""
    return not text[0].islower()


def _runs(text: str, is_known: Callable[[str], bool]) -> list[TextSpan]:
    """Return the unknown words of a sentence. Adjacent words form one `TextSpan`.

    Args:
        text: the sentence.
        is_known: whether a word in lower case is known.
    """
    parts: list[TextSpan] = []
    for match in WORD.finditer(text):
        if is_known(match[0].lower()) or touches_digit(text, match):
            continue
        if parts and GAP.fullmatch(text, parts[-1].end, match.start()):
            first = parts.pop()
            parts.append(TextSpan(text[first.start : match.end()], first.start, match.end()))
        else:
            parts.append(TextSpan(match[0], match.start(), match.end()))
    return parts


def _bare_words(text: str) -> set[str]:
    """Return the words of a text in lower case, both with and without a genitive ending."""
    found = [match.lower() for match in WORD.findall(text)]
    return {*found, *map(_bare, found)}


def _bare(word: str) -> str:
    """Return a word without an English or German genitive ending."""
    return word.removesuffix("'s").removesuffix("s")


def _without_genitive(text: str) -> str:
    return text.removesuffix("'s").removesuffix("'S")


def _matched(
    missing: Sequence[str], garbled: Sequence[TextSpan], least: float
) -> list[Replacement]:
    """Return replacements of garbled parts, each by the missing text that is most similar.

    Args:
        missing: the texts of the source.
        garbled: the parts of the translation.
        least: the least similarity of a replacement, from 0 to 1.
    """
    pairs = sorted(
        (
            (_similarity(text, part.text), i, j)
            for i, text in enumerate(missing)
            for j, part in enumerate(garbled)
        ),
        reverse=True,
    )
    chosen: dict[int, int] = {}
    used: set[int] = set()
    for similarity, i, j in pairs:
        if similarity >= least and i not in chosen and j not in used:
            chosen[i] = j
            used.add(j)
    return [(garbled[j], missing[i]) for i, j in chosen.items()]


def _have_common_script(one: str, other: str) -> bool:
    """Return whether two texts have letters of the same script, or one has no letters."""
    found = scripts(one), scripts(other)
    return not all(found) or bool(found[0] & found[1])


def _similarity(one: str, other: str) -> float:
    """Return the similarity of two strings, from 0 to 1, ignoring case."""
    return difflib.SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


def _replaced(text: str, replacements: Iterable[Replacement]) -> str:
    """Return a text with some of its parts replaced."""
    for part, replacement in sorted(replacements, key=lambda each: -each[0].start):
        after = text[part.end :]
        text = text[: part.start] + without_period(replacement, after) + after
    return text

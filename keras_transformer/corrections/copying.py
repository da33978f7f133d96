"""Names and values that a network copies from its source.

Before the network reads a sentence, rare names and values are replaced by frequent ones. After it,
they are restored, garbled ones are repaired, missing values are inserted, and numbers that the
source does not contain are removed. The first word gets the capital letter of the source.
"""

import itertools
from collections.abc import Mapping, Sequence

from keras_transformer.corrections.extra_numbers import without_extra_numbers
from keras_transformer.corrections.formats import Formats
from keras_transformer.corrections.initial_capitals import has_capitals, with_initial_capital
from keras_transformer.corrections.locating import located, surely_missing
from keras_transformer.corrections.names import Names
from keras_transformer.corrections.placing import place_of, placed
from keras_transformer.corrections.repairing import Repairer
from keras_transformer.corrections.spans import blanked
from keras_transformer.corrections.stand_ins import (
    in_digits,
    restored,
    stand_ins,
    with_stand_ins,
)
from keras_transformer.corrections.values import (
    Value,
    address_spans,
    formatted,
    is_code,
    is_small,
    numbers,
    phone_spans,
    values,
    without_addresses,
)
from keras_transformer.corrections.word_lexicon import WordLexicon
from keras_transformer.text.normalization import composed

MIN_PERIODS = 0.1  # probability of a period given a period
MAX_ALIGNED = 20  # missing values
MIN_SHARE = 0.1  # occurrences of a word of the target language, for each in the source language


class Copier:
    """Replaces names and values before a network translates, and restores them afterwards.

    Args:
        source_counts: {word: occurrences in the training sources}, case-sensitive.
        target_counts: {word: occurrences in the training targets}, case-sensitive.
        formats: the `Formats` of numbers and dates.
        target_lang: the target language.
        lexicon: the `WordLexicon` that aligns words, or None.
        source_lang: the source language.
    """

    def __init__(
        self,
        source_counts: Mapping[str, int],
        target_counts: Mapping[str, int],
        formats: Formats,
        target_lang: str = "",
        lexicon: WordLexicon | None = None,
        source_lang: str = "",
    ) -> None:
        source_words, target_words = (
            frozenset(map(str.lower, counts)) for counts in (source_counts, target_counts)
        )
        languages = source_lang, target_lang
        self.names = Names(source_counts, target_counts, source_lang)
        is_name = self.names.known.has
        self.repairer = Repairer(source_words, target_words, formats, languages, is_name)
        # Without words of the source language in titles and the like.
        self.target_counts = {
            word: count
            for word, count in target_counts.items()
            if count > MIN_SHARE * source_counts.get(word, 0)
        }
        self.formats = formats
        self.source_lang = source_lang
        self.target_lang = target_lang
        self.lexicon = lexicon
        self.stand_ins = stand_ins(lexicon)
        self.knows_capitals = has_capitals(target_counts)
        # Whether sentences of both languages end with periods in the training data.
        self.knows_periods = bool(lexicon and lexicon.probability(".", ".") > MIN_PERIODS)

    def masked(self, source: str) -> tuple[str, dict[str, str]]:
        """Replace unknown names and dates by frequent ones, and codes and addresses by numbers.

        Returns:
            The masked sentence, and {replacement in the translation: original text}.
        """
        fixed = [*address_spans(source), *phone_spans(without_addresses(source))]
        dates = [(each.start, each.end) for each in self.formats.dates(source)]
        rest = blanked(source, [*(part.span for part in fixed), *dates])
        codes = list(filter(is_code, numbers(rest)))
        spans = [(*part.span, part.text) for part in (*fixed, *codes)]
        source, originals = with_stand_ins(source, spans, self.stand_ins, self.source_lang)
        source, frequent = self.formats.masked(source)
        source, names = self.names.masked(source)
        return source, originals | frequent | names

    def with_values_masked(self, source: str) -> tuple[str, dict[str, str]]:
        """Replace all values except small integers by numbers; return the same as `masked`."""
        source = self.formats.separated(source)
        found = [each for each in values(source, self.formats) if not is_small(each)]
        spans = [(*each.span, each.text) for each in found]
        return with_stand_ins(source, spans, self.stand_ins, self.source_lang)

    def in_digits(self, translation: str, originals: Mapping[str, str]) -> str:
        """Return a translation of a masked sentence in which its stand-ins are in digits."""
        return in_digits(translation, originals, self.target_lang)

    def restored(
        self, source: str, read: str, translation: str, originals: Mapping[str, str]
    ) -> str:
        """Return a translation with the names and values of the source, and its initial capital.

        Args:
            source: the sentence.
            read: the masked sentence, which `masked` or `with_values_masked` returned.
            translation: translation of the masked sentence.
            originals: the mapping that was returned with it.
        """
        text = self.completed(source, self.corrected(source, read, translation, originals))
        if not self.knows_capitals:
            return text
        return with_initial_capital(source, text, self.target_counts, self.target_lang)

    def corrected(
        self, source: str, read: str, translation: str, originals: Mapping[str, str]
    ) -> str:
        """Return what `restored` returns, without missing values and the initial capital."""
        translation = composed(self.in_digits(translation, originals))
        if self.formats.knows_all_forms:
            translation = formatted(source, values(source, self.formats), translation)
        if originals:
            translation = self.repairer.with_numbers(read, translation)
        return self.repairer(source, restored(translation, originals, self.target_lang))

    def num_missing(self, source: str, translation: str) -> int:
        """Return how many values of the source a translation lacks."""
        return len(self._located(values(source, self.formats), translation)[1])

    def _located(
        self, found: Sequence[Value], translation: str
    ) -> tuple[list[tuple[int, int]], list[Value]]:
        """Return the places of values in a translation, and the values that are missing."""
        kept, missing = located(found, translation, self.target_lang)
        if not self.formats.knows_all_forms:
            missing = surely_missing(missing, translation, kept, self.target_lang)
        return kept, missing

    def completed(self, source: str, translation: str) -> str:
        """Return a translation with the missing values of the source, without other numbers.

        The lexicon determines the places of missing values.
        """
        found = values(source, self.formats)
        kept, missing = self._located(found, translation)
        # The alignment takes time proportional to the square of the length of the line.
        lexicon = self.lexicon if len(missing) <= MAX_ALIGNED else None
        undivided = [each.span for each in numbers(translation)]
        undivided += self.formats.undivided(translation)
        spans = [*kept, *undivided]
        for value in reversed(missing):
            place = place_of(value.span, source, translation, lexicon, spans)
            translation, spans = placed(value.text, place, translation, spans)
        kept = [*spans[: len(kept)], *spans[len(kept) + len(undivided) :]]
        if self.formats.knows_all_forms:
            translation = without_extra_numbers(source, found, translation, kept, self.source_lang)
        forms = itertools.chain.from_iterable(value.forms for value in found)
        return self.formats.tidied(source, translation, forms)

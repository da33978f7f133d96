"""Digits of the source for translations by a vocabulary that replaces every digit by 0."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from keras_transformer.corrections.measures import Measure
from keras_transformer.corrections.spans import Span, blanked
from keras_transformer.corrections.values import Value

Place: TypeAlias = Callable[[Span], int]  # of a part of the source: its place in the translation

DIGIT = re.compile(r"\d")
DIGITS = re.compile(r"\d+")


class Item(NamedTuple):
    """A part of a source with digits.

    Attributes:
        start: its first position in the source.
        end: the position after it.
        forms: the texts by which a translation may express it.
    """

    start: int
    end: int
    forms: tuple[str, ...]

    @property
    def span(self) -> Span:
        """The start and the end."""
        return self.start, self.end

    @property
    def shape(self) -> tuple[str, ...]:
        """The forms, with every digit replaced by 0."""
        return tuple(map(zeroed, self.forms))


def zeroed(text: str) -> str:
    """Return a text with every digit replaced by 0."""
    return DIGIT.sub("0", text)


def with_digits(source: str, found: Sequence[Value], translation: str, place: Place) -> str:
    """Return a translation in which the digits of the source replace zeros.

    Values have the format of the target language. Among numbers of the same length, the order in
    the translation is that of their places.

    Args:
        source: the source.
        found: its values.
        translation: the translation, in which every digit is 0.
        place: function that returns the place in the translation to which a part of the source
            corresponds.
    """
    values = [Item(*each.span, _forms(each)) for each in found if DIGIT.search(each.text)]
    others = _digits(blanked(source, (each.span for each in values)))
    translation, filled, rest = _filled(translation, [*values, *others], [], place)
    # A translation may have the numbers of a value separately.
    parts = [part for item in rest for part in _digits(source, *item.span)]
    return _filled(translation, parts, filled, place)[0]


def _forms(value: Value) -> tuple[str, ...]:
    """Return the forms of a value. The unit of an amount may be at another place or in words."""
    amounts = (each.amount for each in map(Measure.of_price, value.forms) if each and each.is_price)
    return tuple(dict.fromkeys([*value.forms, *amounts]))


def _digits(source: str, start: int = 0, end: int | None = None) -> list[Item]:
    """Return the digits in a part of a source, those that are next to each other as one item."""
    found = DIGITS.finditer(source, start, len(source) if end is None else end)
    return [Item(*match.span(), (match[0],)) for match in found]


def _filled(
    translation: str, items: Sequence[Item], filled: Sequence[Span], place: Place
) -> tuple[str, list[Span], list[Item]]:
    """Write items into a translation, those with the most digits first.

    Args:
        translation: the translation.
        items: the items.
        filled: parts of the translation that have their digits.
        place: as for `with_digits`.

    Returns:
        The translation, all parts that have their digits, and the items for which there is no part.
    """
    filled, rest = list(filled), []
    for item in sorted(items, key=lambda each: (-len(each.shape[0]), place(each.span))):
        if found := _occurrence(blanked(translation, filled), item):
            (start, end), form = found
            translation = translation[:start] + form + translation[end:]
            filled.append((start, end))
        else:
            rest.append(item)
    return translation, filled, rest


def _occurrence(translation: str, item: Item) -> tuple[Span, str] | None:
    """Return the first part of a translation that has the shape of an item, and its form."""
    for form, shape in zip(item.forms, item.shape, strict=True):
        pattern = rf"(?<!\d)(?<!\d[.,:]){re.escape(shape)}(?!\d|[.,:]\d)"
        if match := re.search(pattern, translation, re.IGNORECASE):
            return match.span(), form
    return None

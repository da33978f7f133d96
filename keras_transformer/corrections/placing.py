"""Insertion of a text into a translation, at the place that corresponds to its place in the source.

The lexicon aligns the words next to the text with the words of the translation.
"""

import re
from collections.abc import Iterator, Sequence
from unicodedata import is_normalized

from keras_transformer.corrections.spans import Span
from keras_transformer.corrections.word_lexicon import WordLexicon
from keras_transformer.text.normalization import with_straight_apostrophes
from keras_transformer.text.words import TOKEN

REACH = 4  # words on each side of the text that may be aligned
END = re.compile(r"[\s.!?…。！？؟۔।\"')\]]*\Z")  # noqa: RUF001, full-width marks
OPENING = "([„"  # marks that a word follows without a space
# Marks that follow a word without a space.
CLOSING = ".,;:!?…)]。！？、，؟،؛۔।"  # noqa: RUF001


def placed(
    text: str, place: int, translation: str, kept: Sequence[Span] = ()
) -> tuple[str, list[Span]]:
    """Insert a text at a place of a translation, with spaces where words touch.

    Args:
        text: the text.
        place: the place.
        translation: the translation.
        kept: parts of the translation.

    Returns:
        The new translation, and its parts, of which the text is the last.
    """
    before, after = translation[:place].rstrip(), translation[place:]
    touches = after and not after[0].isspace() and after[0] not in CLOSING
    before += " " if before and before[-1] not in OPENING else ""
    text = without_period(text, after)
    new = f"{before}{text}{' ' if touches else ''}"
    shift = len(new) - place
    moved = [
        (start + shift, end + shift) if start >= place else (start, end) for start, end in kept
    ]
    return new + after, [*moved, (len(before), len(before) + len(text))]


def without_period(text: str, after: str) -> str:
    """Return a text without its last period (p.m.) if a period follows."""
    return text.removesuffix(".") if after.startswith(".") else text


def place_of(
    span: Span,
    source: str,
    translation: str,
    lexicon: WordLexicon | None,
    kept: Sequence[Span] = (),
) -> int:
    """Return the place in a translation that corresponds to a part of its source.

    It follows the translation of the word before the part, or precedes that of the word after it.
    If no word near the part is aligned, the place is at the same fraction of the translation. It
    is between words, and before final punctuation.

    Args:
        span: the part of the source.
        source: the source.
        translation: its translation.
        lexicon: the `WordLexicon` that aligns words, or None.
        kept: parts of the translation that are not divided.
    """
    place = _aligned(span, source, translation, lexicon) if lexicon else None
    if place is None:
        fraction = span[0] / max(len(source), 1)
        place = _after_word(round(len(translation) * fraction), translation) if fraction else 0
    place = next((end for start, end in kept if start < place < end), place)
    end = END.search(translation)
    return min(place, end.start()) if end else place


def _aligned(span: Span, source: str, translation: str, lexicon: WordLexicon) -> int | None:
    """Return the place next to the translation of the nearest aligned word, if any.

    The lexicon composes letters, so the words of other text would be different ones.
    """
    if not all(is_normalized("NFC", text) for text in (source, translation)):
        return None
    # The lexicon reads straight apostrophes, too. They change no position.
    source, translation = map(with_straight_apostrophes, (source, translation))
    targets = [match.span() for match in TOKEN.finditer(translation)]
    links = lexicon.explanations(source, translation)
    matches = list(TOKEN.finditer(source))
    for i, is_before in _neighbors(span, [match.span() for match in matches]):
        if matches[i][0].isalpha() and links[i] >= 0:
            start, end = targets[links[i]]
            return _after_word(end, translation) if is_before else _word_start(start, translation)
    return None


def _neighbors(span: Span, tokens: Sequence[Span]) -> Iterator[tuple[int, bool]]:
    """Yield the tokens around a span, nearest first, and whether each precedes the span."""
    before = [i for i, (_, end) in enumerate(tokens) if end <= span[0]][: -REACH - 1 : -1]
    after = [i for i, (start, _) in enumerate(tokens) if start >= span[1]][:REACH]
    for k in range(REACH):
        yield from ((i, True) for i in before[k : k + 1])
        yield from ((i, False) for i in after[k : k + 1])


def _after_word(place: int, text: str) -> int:
    """Return the first place from `place` on that follows a word, before its punctuation."""
    rest = re.match(r"\S*", text[place:])
    end = place + len(rest[0]) if rest else place
    return max(place, len(text[:end].rstrip(CLOSING))) if end > place else place


def _word_start(place: int, text: str) -> int:
    """Return the start of the word that contains a place."""
    return text.rfind(" ", 0, place) + 1

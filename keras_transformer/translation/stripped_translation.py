"""Translation of sentences without something at the edge that their translations also have."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from keras_transformer.corrections.enclosing import Enclosed
from keras_transformer.corrections.inner_parts import with_case_of
from keras_transformer.corrections.symbols import with_symbols, without_symbols
from keras_transformer.corrections.word_lexicon import WordLexicon
from keras_transformer.text.final_marks import lacks_mark, with_mark, without_mark
from keras_transformer.translation.plain_translation import SearchOptions, SentenceTranslation
from keras_transformer.translation.translated_line import TranslatedSentence

# The sentence that is translated instead, and the change of its translations, or None for none.
Stripped: TypeAlias = tuple[str, Callable[[str], str] | None]


class StrippedTranslation:
    """Translates other sentences instead of the given ones, and changes their translations.

    Args:
        inner: translates the other sentences.
        strip: returns a sentence as `Stripped`.

    The arguments of a call, and its result, are those of `PlainTranslation`.
    """

    def __init__(self, inner: SentenceTranslation, strip: Callable[[str], Stripped]) -> None:
        self.inner = inner
        self.strip = strip

    def __call__(
        self, sentences: Sequence[str], numbers: Sequence[int | None], options: SearchOptions
    ) -> list[TranslatedSentence]:
        stripped = list(map(self.strip, sentences))
        found = self.inner([text for text, _ in stripped], numbers, options)
        return [
            each.with_texts(change) if change else each
            for each, (_, change) in zip(found, stripped, strict=True)
        ]


def keep_wordless(sentence: str) -> Stripped:
    """Remove a whole sentence without letters and digits, such as a separator; it stays as it is.

    Those of symbols, such as :D, do not count. For such a sentence, a network invents a
    translation.
    """
    rest, _ = without_symbols(sentence)
    return (sentence, None) if any(map(str.isalnum, rest)) else ("", lambda _: sentence)


def strip_symbols(sentence: str, lexicon: WordLexicon | None) -> Stripped:
    """Remove symbols, such as emoji; the lexicon determines their places in a translation."""
    rest, symbols = without_symbols(sentence)
    return rest, (lambda text: with_symbols(text, rest, symbols, lexicon)) if symbols else None


def strip_enclosing(sentence: str, counts: Mapping[str, int]) -> Stripped:
    """Remove a list marker and marks around a sentence; an initial small letter stays small.

    Args:
        sentence: a sentence.
        counts: {word: occurrences in the target language}, case-sensitive.
    """
    part = Enclosed.of(sentence)
    if part.text == sentence:
        return sentence, None
    return part.text, lambda text: part.around(with_case_of(part.text, text, counts))


def add_mark(sentence: str) -> Stripped:
    """Add a period to a sentence without a final mark; a translation loses its period."""
    return (with_mark(sentence), without_mark) if lacks_mark(sentence) else (sentence, None)

"""Restoration of the digits and capitals that a pretrained vocabulary of BPEmb does not have."""

import functools
from typing import Self

from keras_transformer.corrections.digits import Place, with_digits
from keras_transformer.corrections.formats import Formats, formats
from keras_transformer.corrections.placing import place_of
from keras_transformer.corrections.values import values
from keras_transformer.runs.layout import CASING
from keras_transformer.runs.run import Run
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.truecasing import Truecaser


class Restorer:
    """Restores the digits and capitals of translations in lower case in which every digit is 0.

    Args:
        truecaser: the `Truecaser` of the target language.
        formats: the `Formats` of numbers and dates.
        lexicon: the `Lexicon` that aligns words, or None.
    """

    def __init__(
        self, truecaser: Truecaser, formats: Formats, lexicon: Lexicon | None = None
    ) -> None:
        self.truecaser = truecaser
        self.formats = formats
        self.lexicon = lexicon

    @classmethod
    def of(cls, run: Run) -> Self | None:
        """Load the restorer of a run, or return None if the run needs none or has none.

        Raises:
            UserError: If a file is damaged.
        """
        if not run.has(CASING):
            return None
        text = run.config.text
        languages = formats(text.source_lang, text.target_lang)
        return cls(Truecaser.load(run.directory / CASING), languages, Lexicon.of(run))

    def __call__(self, source: str, translation: str) -> str:
        """Return a translation with the digits of its source, and with capitals."""
        found = values(source, self.formats)
        place = self._place(source, translation)
        return self.truecaser(with_digits(source, found, translation, place), source)

    def _place(self, source: str, translation: str) -> Place:
        """Return the function that maps a part of the source to a place in the translation."""
        return functools.partial(
            place_of, source=source, translation=translation, lexicon=self.lexicon
        )

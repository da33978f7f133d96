"""Translation of sentences so that names, values and symbols are copied, in several steps.

Each step is given sentences by the step around it, changes them, has them translated by the step
inside it, and changes their translations.
"""

from functools import partial

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.inner_parts import InnerPart
from keras_transformer.corrections.interrupted_speech import InterruptedSpeech
from keras_transformer.translation.copying_translation import CopyingTranslation
from keras_transformer.translation.partwise_translation import PartwiseTranslation
from keras_transformer.translation.plain_translation import PlainTranslation, SentenceTranslation
from keras_transformer.translation.stripped_translation import (
    StrippedTranslation,
    add_mark,
    keep_wordless,
    strip_enclosing,
    strip_symbols,
)
from keras_transformer.translation.translation import SentenceTranslator


def sentence_translation(
    translator: SentenceTranslator, copier: Copier | None = None
) -> SentenceTranslation:
    """Return a function that translates sentences, with the arguments of `PlainTranslation`.

    A sentence without letters and digits stays as it is. Symbols such as emoji, list markers, and
    marks around the whole sentence such as parentheses are added to the translation of the rest. A
    part of a sentence in quotation marks or parentheses is translated on its own, and so is the
    second half of interrupted speech. A sentence without a final mark is read with a period, if the
    training data has periods, and its translation loses its period.

    Args:
        translator: translates the sentences.
        copier: the `Copier`, or None to translate the sentences as they are.
    """
    step: SentenceTranslation = PlainTranslation(translator)
    if copier is None:
        return step
    counts = copier.target_counts
    step = CopyingTranslation(step, copier)
    step = StrippedTranslation(step, add_mark) if copier.knows_periods else step
    step = PartwiseTranslation(step, InnerPart.of, counts)
    step = PartwiseTranslation(step, InterruptedSpeech.of, counts)
    step = StrippedTranslation(step, partial(strip_enclosing, counts=counts))
    step = StrippedTranslation(step, partial(strip_symbols, lexicon=copier.lexicon))
    return StrippedTranslation(step, keep_wordless)

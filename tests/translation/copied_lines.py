"""Lines translated by a substitute for a network, and corrected by a `Copier`."""

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.formats import Formats
from keras_transformer.translation.line_translator import LineTranslator

COUNTS = dict.fromkeys(["it", "is"], 9)  # the words of both languages


def translated_line(translator, line, counts=COUNTS):
    """Return the `TranslatedLine` of a line."""
    [found] = LineTranslator(translator, copier=Copier(counts, counts, Formats())).translate([line])
    return found


def translations(translator, line, counts=COUNTS):
    """Return the texts of the translations of a line."""
    return [each.text for each in translated_line(translator, line, counts).translations()]

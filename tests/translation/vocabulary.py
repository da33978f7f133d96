"""Words of a small English-German corpus."""

from keras_transformer.text.words import words

ENGLISH = frozenset(
    words(
        "The a my sister works with is at costs we to and tell that called has two cats order "
        "flight late bus number on Mr in people were there of from dog I p.m. a.m. it was he"
    )
)
GERMAN = frozenset(
    words(
        "Die das der mein meine Schwester arbeitet mit ist um Uhr kostet Euro wir und sag dass "
        "heißt hat zwei Katzen Bestellung Flug Verspätung Bus Nummer am Herr in es waren Leute von "
        "Hund ich Hosen war er da"
    )
)

"""Words for small integers, which a translation may contain in place of digits."""

from collections.abc import Mapping

SMALL = 13  # integers below it are usually written in words
# {language: {integer: regular expression of its words}}. Longer words that begin with a number
# word count too: "zweimal" and "zweijährig" express 2.
NUMBER_WORDS: Mapping[str, Mapping[int, str]] = {
    lang: {number: rf"\b(?i:{words})" for number, words in enumerate(line.split())}
    for lang, line in {
        "de": (
            r"null|kein ein(?:e[mnrs]?|s|mal)?\b|erste zwei|beide drei|dritt vier fünf sechs "
            r"sieb acht neun zehn elf zwölf"
        ),
        "en": (
            r"zero|no\b one\b|an?\b|once|first two|both|twice|second\b three|third four five|fifth "
            r"six seven eight nine|ninth ten eleven twelve|twelfth"
        ),
    }.items()
}

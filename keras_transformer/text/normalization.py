"""Text normalization before segmentation: whitespace, quotes, apostrophes and dashes.

The rules are stored in the subword model (SentencePiece's `normalization_rule_tsv`). Training,
translation, the exported graph and any other program that loads the model apply the same rules.
"""

import re
import unicodedata

# Unicode separators except the space, and the control characters for which `str.isspace` is true.
SPACES = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
# Soft hyphen, zero-width space, directional marks, word joiner, byte order mark. The zero-width
# joiner is not removed, because emoji and several scripts need it.
INVISIBLE = "\xad\u200b\u200e\u200f\u2060\ufeff"
REPLACEMENTS = {
    " ": SPACES,
    "": INVISIBLE,
    "'": "\u2018\u2019\u201a\u201b\u02bc\u2032\xb4`",
    '"': "\u201c\u201d\u201e\u201f\u2033\xab\xbb",
    "-": "\u2010\u2011\u2012\u2013\u2212",
    " - ": "\u2014\u2015",
    "...": "\u2026",
    "fi": "\ufb01",
    "fl": "\ufb02",
}

ASCII = "".join(map(chr, range(0x21, 0x7F)))
LATIN = "".join(map(chr, (*range(0xC0, 0x180), *range(0x218, 0x21C), 0x1E9E)))
GREEK = "".join(c for c in map(chr, range(0x386, 0x3CF)) if c.isalpha())
CYRILLIC = "".join(map(chr, (*range(0x400, 0x460), 0x490, 0x491)))
SIGNS = "¡¿§°²³½¼¾€£¥¢©®™№±·•µ†"

# Direct speech between straight apostrophes. Others, as in "the boys' room", stay.
SPEECH = re.compile(r"(?<![\w'])'(?=\w)((?:[^'\"]|(?<=\w)'(?=\w))+[,.!?])'(?![\w'])")
APOSTROPHES = str.maketrans(dict.fromkeys(REPLACEMENTS["'"], "'"))


def without_surrogates(text: str) -> str:
    """Return the text with "?" for lone surrogates, which UTF-8 cannot encode.

    They stand, for example, for invalid bytes in an argument of a command.
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def composed(text: str) -> str:
    """Return the text with composed letters, of which words such as "Müller" consist."""
    return unicodedata.normalize("NFC", text)


def with_straight_apostrophes(text: str) -> str:
    """Return the text with straight apostrophes, so that words such as "don't" are recognized."""
    return text.translate(APOSTROPHES)


def with_double_quotes(text: str) -> str:
    """Return the text with direct speech in double quotation marks: "Yes," she said.

    Apostrophes must be straight.
    """
    return SPEECH.sub(r'"\1"', text)


def rules() -> dict[str, str]:
    """Return all rules as {sequence of characters: replacement}.

    Besides `REPLACEMENTS`, the rules compose a base letter and its combining marks into a single
    character. macOS, for example, decomposes letters in file names.
    """
    replaced = {char: text for text, chars in REPLACEMENTS.items() for char in chars}
    return replaced | {
        unicodedata.normalize("NFD", letter): letter
        for letter in LATIN + GREEK + CYRILLIC
        if unicodedata.normalize("NFC", unicodedata.normalize("NFD", letter)) == letter
        and unicodedata.normalize("NFD", letter) != letter
    }


def rules_tsv() -> str:
    """Return the rules in SentencePiece's format: tab-separated columns of hexadecimal codes."""
    return "".join(f"{_hex(old)}\t{_hex(new)}\n" for old, new in sorted(rules().items()))


def _hex(text: str) -> str:
    return " ".join(f"{ord(char):X}" for char in text)


def european_characters() -> str:
    """Return the characters that every full vocabulary contains, regardless of the corpus.

    These are printable ASCII and the letters and signs of European languages, except for
    characters that the rules replace.
    """
    replaced = rules()
    return "".join(c for c in ASCII + LATIN + GREEK + CYRILLIC + SIGNS if c not in replaced)

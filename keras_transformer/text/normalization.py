"""Normalization of text before segmentation: whitespace, quotes, apostrophes and dashes.

The rules become part of the subword model (SentencePiece's `normalization_rule_tsv`), so that
training, translation, the exported graph and any other program that loads the model agree.
"""

import unicodedata

# Space separators, and the control characters that Python's `str.isspace` knows.
SPACES = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
# Soft hyphen, zero-width space, directional marks, word joiner, byte order mark. The zero-width
# joiner is kept: emoji and several scripts need it.
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


APOSTROPHES = str.maketrans(dict.fromkeys(REPLACEMENTS["'"], "'"))


def with_straight_apostrophes(text):
    """Return a text with straight apostrophes, by which words such as don't are told."""
    return text.translate(APOSTROPHES)


def rules():
    """Return {sequence of characters: its replacement} for all rules.

    Letters that are written as a base letter with combining marks, as macOS writes file names, are
    composed.
    """
    replaced = {char: text for text, chars in REPLACEMENTS.items() for char in chars}
    return replaced | {
        unicodedata.normalize("NFD", letter): letter
        for letter in LATIN + GREEK + CYRILLIC
        if unicodedata.normalize("NFC", unicodedata.normalize("NFD", letter)) == letter
        and unicodedata.normalize("NFD", letter) != letter
    }


def rules_tsv():
    """Return the rules in SentencePiece's format: code points in hexadecimal, tab-separated."""
    return "".join(f"{_hex(old)}\t{_hex(new)}\n" for old, new in sorted(rules().items()))


def _hex(text):
    return " ".join(f"{ord(char):X}" for char in text)


def european_characters():
    """Return the characters that a full vocabulary contains whatever the corpus is.

    They are printable ASCII and the letters and signs of European languages, without those that
    the rules replace.
    """
    replaced = rules()
    return "".join(c for c in ASCII + LATIN + GREEK + CYRILLIC + SIGNS if c not in replaced)

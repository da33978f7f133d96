"""E-mail addresses and web addresses in a text."""

import re
from collections.abc import Iterator

from keras_transformer.text.touching import TOUCHING

# Domains that a text names without "www." and without a path. Domains that are also words ("it",
# "at") are left out, because they follow a period where a space is missing.
DOMAINS = "com|org|net|edu|gov|info|io|eu|de|uk|fr|nl|pl|ch"
LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"  # a part of a domain: RFC 1035, section 2.3.4
HOST = rf"{LABEL}(?:\.{LABEL})*"
EMAIL = rf"(?:mailto:)?[\w.+%-]{{1,64}}@{HOST}"
WITH_SCHEME = r"[A-Za-z][A-Za-z+.-]{1,9}://[^\s<>\"]+"
WITH_WWW = r"www\.[^\s<>\"]+"
PATH = r"[/?#:][^\s<>\"]*"
COUNTRY = r"\.[a-z]{2}(?![\w-])"
BARE = rf"{HOST}\.(?:(?:{DOMAINS})(?![\w-])(?:{COUNTRY})?(?:{PATH})?|[a-z]{{2,6}}/[^\s<>\"]*)"
# An address begins after a character that cannot belong to it.
ADDRESS = re.compile(rf"(?<![\w@/.+%-])(?:{WITH_SCHEME}|{EMAIL}|{WITH_WWW}|{BARE})", re.IGNORECASE)
CHUNK = re.compile(rf"[^\s{TOUCHING}]+")
FINAL = ".,;:!?'\"*"  # punctuation after an address, which does not belong to it
BRACKETS = {")": "(", "]": "[", "}": "{"}


def addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each e-mail address and web address in a text.

    Punctuation after an address does not belong to it, nor does a closing bracket whose opening
    bracket precedes the address.
    """
    # The patterns of hosts take quadratic time for a long word, so only parts of a text that
    # look like an address are searched.
    for chunk in CHUNK.finditer(text):
        if "@" in chunk[0] or "." in chunk[0] or "://" in chunk[0]:
            for start, end in _in_chunk(chunk[0][:2_000]):
                yield chunk.start() + start, chunk.start() + end


def _in_chunk(chunk: str) -> Iterator[tuple[int, int]]:
    for match in ADDRESS.finditer(chunk):
        address = without_final(match[0])
        if address:
            yield match.start(), match.start() + len(address)


def without_final(address: str) -> str:
    """Return an address without the punctuation and unmatched brackets after it."""
    while address and (address[-1] in FINAL or _is_unmatched(address)):
        address = address[:-1]
    return address


def _is_unmatched(address: str) -> bool:
    opening = BRACKETS.get(address[-1])
    return opening is not None and address.count(opening) < address.count(address[-1])

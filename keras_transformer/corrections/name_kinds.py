"""Kinds of names, which the words before and after a name tell apart.

A person replaces a person and a town replaces a town, because other words depend on the kind:
"to Peter" is "zu Peter", but "to Berlin" is "nach Berlin".
"""

import re
from enum import Enum, auto

REACH = 60  # characters before a name that are searched
# Without their period.
TITLES = frozenset(
    ("mr", "mrs", "ms", "miss", "dr", "doctor", "doktor", "prof", "professor", "herr", "herrn")
    + ("frau", "fräulein")
)
TRAVEL = (
    r"(?:go|goes|going|went|gone|been|com(?:e|es|ing)|came|travel\w*|driv(?:e[ns]?|ing)|drove"
    r"|fl(?:y|ies|ying|ew|own|ights?)|mov(?:e[ds]?|ing)|return(?:s|ed|ing)?|arriv(?:e[ds]?|ing)"
    r"|trains?|bus(?:es)?|planes?|trips?|journeys?|tickets?)"
)
DIRECTION = r"(?: (?:back|home|here|there|over|down|up|away|today|tomorrow|yesterday|again))?"
TO_OR_FROM = rf"{TRAVEL}{DIRECTION}(?: from \w+)? (?:to|from)"
BEFORE_TOWN = re.compile(
    rf"\b(?:in|near|aus|nach|Stadt|Dorf|(?:city|town|village) of|{TO_OR_FROM})\s\Z", re.IGNORECASE
)
# Verbs after which German "nach" and "in" precede a person: nach Peter fragen, in Peter verliebt.
ABOUT_PERSON = {
    "nach": re.compile(r"\b(?:ge)?(?:frag|such|r[iu]ef|schau|sehn|nannt)|\bbenannt"),
    "in": re.compile(r"\bverlieb"),
}
BEFORE_SURNAME = re.compile(rf"\b(?:{'|'.join(TITLES)})\.?\s\Z", re.IGNORECASE)


class Kind(Enum):
    """What a name names."""

    PERSON = auto()
    SURNAME = auto()
    TOWN = auto()


def kind_of(sentence: str, start: int, end: int) -> Kind:
    """Return the probable kind of a name, given by its place in a sentence."""
    before = sentence[max(start - REACH, 0) : start]
    if BEFORE_SURNAME.search(before):
        return Kind.SURNAME
    is_genitive = sentence[end : end + 1] in ("'", "s")  # to Peter's house, nach Peters Hochzeit
    if is_genitive or not BEFORE_TOWN.search(before):
        return Kind.PERSON
    verb = ABOUT_PERSON.get(before.split()[-1].lower())
    return Kind.PERSON if verb and verb.search(sentence) else Kind.TOWN

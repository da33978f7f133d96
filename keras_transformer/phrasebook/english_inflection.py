"""The forms of English words."""

from __future__ import annotations

from keras_transformer.phrasebook.lexicon import Adjective, Verb
from keras_transformer.phrasebook.syntax import (
    PLURAL,
    SINGULAR,
)

# Subject, object and possessive forms of the personal pronouns.
PRONOUNS = {
    (1, SINGULAR, ""): ("I", "me", "my"),
    (2, SINGULAR, ""): ("you", "you", "your"),
    (3, SINGULAR, "m"): ("he", "him", "his"),
    (3, SINGULAR, "f"): ("she", "her", "her"),
    (3, SINGULAR, "n"): ("it", "it", "its"),
    (1, PLURAL, ""): ("we", "us", "our"),
    (2, SINGULAR, "formal"): ("you", "you", "your"),
    (2, PLURAL, ""): ("you two", "you two", "your"),
    (2, PLURAL, "addressed"): ("you", "you", "your"),
    (3, PLURAL, ""): ("they", "them", "their"),
}
INVARIABLE = {"can": "could", "will": "would", "would": "would", "should": "should"}
INVARIABLE |= {"shall": "should", "may": "might"}
IRREGULAR_PAST = {"have": "had", "do": "did"}
VOWELS = "aeiou"
CONSONANT_SOUND = ("uni", "use", "eu", "one")  # vowel letter, but consonant: "a useful tool"
VOWEL_SOUND = ("hour", "honest")


def article(following: str) -> str:
    """Return the indefinite article before a word."""
    word = following.lower()
    vowel = word[0] in VOWELS and not word.startswith(CONSONANT_SOUND)
    return "an" if vowel or word.startswith(VOWEL_SOUND) else "a"


def graded(word: Adjective, degree: str) -> str:
    """Return an attributive adjective in a degree of comparison."""
    comparative = word.en_comparative
    if degree == "comparative":
        return comparative
    if degree == "superlative":
        return superlative(comparative)
    return word.en


def superlative(comparative: str) -> str:
    """Return the superlative for a comparative."""
    if comparative.startswith("more "):
        return "most" + comparative[4:]
    return {"better": "best", "worse": "worst"}.get(comparative, comparative[:-1] + "st")


def split_verb(verb: Verb) -> tuple[str, str]:
    """Return the inflected verb and the rest: ``get`` and ``up``."""
    head, _, rest = verb.en.partition(" ")
    return head, rest


def third_person(base: str) -> str:
    """Return the third person singular present form."""
    if base == "have":
        return "has"
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "o")) else "s")


def past(base: str, irregular: str = "") -> str:
    """Return the simple past of any verb except "be"."""
    if irregular or base in IRREGULAR_PAST:
        return irregular or IRREGULAR_PAST[base]
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ied"
    return base + ("d" if base.endswith("e") else "ed")


def ing_form(verb: Verb) -> str:
    """Return the -ing form of the inflected verb."""
    head, _ = split_verb(verb)
    if verb.en_ing:
        return verb.en_ing
    return (head[:-1] if head.endswith("e") and not head.endswith("ee") else head) + "ing"


def finite(base: str, subject: tuple[int, str], tense: str, irregular: str = "") -> str:
    """Return the finite form for the person and number of a subject."""
    if base == "be":
        return _be(subject, tense)
    remote = tense in ("past", "unreal", "former", "conditional")
    if base in INVARIABLE:
        return INVARIABLE[base] if remote else base
    if remote:
        return past(base, irregular)
    return third_person(base) if subject == (3, SINGULAR) else base


def _be(subject: tuple[int, str], tense: str) -> str:
    first, third = subject == (1, SINGULAR), subject == (3, SINGULAR)
    if tense == "unreal":
        return "were"
    if tense == "past":
        return "was" if first or third else "were"
    if first:
        return "am"
    return "is" if third else "are"


def past_participle(verb: Verb) -> str:
    """Return the past participle of the inflected verb."""
    return verb.en_done or past(split_verb(verb)[0], verb.en_past)

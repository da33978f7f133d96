"""Words that begin a German sentence, and are no nouns: Er kommt am 12. Kommst du auch?"""

import re
from itertools import product

PRONOUNS = (
    "ich du er sie es wir ihr man der die das den dem dies wer was wem wen alle alles beide viele "
    "einige etwas nichts niemand jemand"
)
STEMS = ("ein", "kein", "mein", "dein", "sein", "unser", "dies", "jed", "welch")
ENDINGS = ("", "e", "em", "en", "er", "es")
# Adverbs, conjunctions, prepositions and interjections.
PARTICLES = (
    "wann wo wie warum wieso weshalb wohin woher wenn weil und aber oder denn doch also so nun als "
    "ob obwohl dann danach da damit dafür deshalb trotzdem dort hier heute morgen gestern jetzt "
    "bald später vorher zuerst sonst auch nur noch schon immer oft manchmal vielleicht leider "
    "natürlich bitte danke ja nein in im an am auf aus bei mit von nach für seit vor bis um zu zum "
    "zur ohne über unter"
)
# Without those that are also nouns, such as Macht and Ruf.
VERBS = (
    "bin bist ist sind seid war warst waren habe hast hat haben habt hatte hattest hatten wird "
    "wirst werden werdet würdest würden kann kannst können könnt könntest könnten will willst "
    "wollen wollt muss musst müssen möchtest möchte möchten soll sollst sollen darf darfst dürfen "
    "komm kommst kommt kommen geh gehst geht gehen gibt gab weißt machst lass lasst frag sag"
)
WORDS = frozenset(" ".join((PRONOUNS, PARTICLES, VERBS)).split()) | frozenset(
    stem + ending for stem, ending in product(STEMS, ENDINGS)
)
FIRST = re.compile(r"[\w-]+")


def begins_sentence(text: str) -> bool:
    """Return whether a German text begins with a word that surely begins a sentence here."""
    match = FIRST.match(text)
    return match is not None and match[0].lower() in WORDS

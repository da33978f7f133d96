"""Common nouns in languages that capitalize them, so that a capital does not show a name."""

import re
from collections.abc import Mapping

from keras_transformer.corrections.known_names import KnownNames
from keras_transformer.corrections.name_kinds import TITLES
from keras_transformer.text.determiners import AMOUNT, ARTICLE, DETERMINER

ADJECTIVE = re.compile("([a-zäöüß]+)e[mnrs]?")
ADJECTIVES = rf"(?:{ADJECTIVE.pattern},? (?:und )?){{0,3}}"
AFTER_DETERMINER = re.compile(
    rf"(?:(?P<article>{ARTICLE})|(?P<amount>(?<!\b[Uu]m ){AMOUNT})|{DETERMINER}) "
    rf"(?P<rest>{ADJECTIVES})\Z"
)
REACH = 80  # characters before a word that are searched
TWO_WORDS = re.compile(r"[ -][^\W\d_a-zäöüß]")  # after the first word of a name
WORD_BEFORE = re.compile(r"([^\W\d_]+) \Z")
MIN_PART = 4  # letters of a part of a compound
LONGEST = 60  # letters of a compound
LINKS = "", "s", "es", "n", "en", "e", "er"  # between the parts of a compound, or its ending
CAPITALIZED = frozenset(("de", "lb"))  # languages whose nouns have a capital


class CommonNouns:
    """Recognizes common nouns that do not occur in the training data.

    Args:
        counts: {word: occurrences in the training data}, case-sensitive.
        known_names: the names that the other language has, too.
        lang: the language. None has common nouns except those of `CAPITALIZED`.
    """

    def __init__(self, counts: Mapping[str, int], known_names: KnownNames, lang: str) -> None:
        self.counts = counts
        self.known_names = known_names
        self.capitalizes = lang in CAPITALIZED
        self.words = frozenset(word.lower() for word in counts)

    def has(self, sentence: str, match: re.Match[str]) -> bool:
        """Return whether a capitalized word, given as a match in a sentence, is a common noun.

        It follows a determiner, with or without adjectives, and no second word of a name follows
        it. Or it is a compound of known words, and no title or other name precedes it.
        """
        if not self.capitalizes:
            return False
        before = sentence[max(match.start() - REACH, 0) : match.start()]
        if self._is_after_determiner(before) and not TWO_WORDS.match(sentence, match.end()):
            return True
        return self._is_compound(match[0]) and not self._is_after_name(before)

    def _is_after_determiner(self, before: str) -> bool:
        """Return whether a text ends with a determiner, with or without adjectives."""
        match = AFTER_DETERMINER.search(before)
        if not match:
            return False
        if not match["amount"] and not (match["article"] or "").istitle():
            return True
        # It may be the subject of a verb: Die kennen Wolowitz.
        return all(map(self._is_adjective, ADJECTIVE.finditer(match["rest"])))

    def _is_adjective(self, word: re.Match[str]) -> bool:
        """Return whether a word, given as a match of `ADJECTIVE`, has a form that no verb has."""
        return any(f"{word[1]}{ending}" in self.counts for ending in ("es", "em"))

    def _is_after_name(self, before: str) -> bool:
        """Return whether a text ends with a title, or with a name, known or not."""
        match = WORD_BEFORE.search(before)
        if not match or not match[1][0].isupper():
            return False
        word = match[1].lower()
        return word in TITLES or word not in self.words or self.known_names.has(match[1])

    def _is_compound(self, word: str) -> bool:
        """Return whether a word consists of known words, and begins with no known name."""
        if self._is_joined(word.lower()):
            return True
        first, *others = word.split("-")
        if not others or self.known_names.has(first):
            return False
        return all(self._is_part(part.lower()) for part in (first, *others))

    def _is_part(self, word: str) -> bool:
        """Return whether a part of a word with hyphens, in lower case, is known or a letter."""
        return len(word) == 1 or word in self.words or self._is_joined(word)

    def _is_joined(self, word: str) -> bool:
        """Return whether a word in lower case is made of known words, with linking letters."""
        if len(word) > LONGEST:
            return False
        begins = {0}  # where a part may begin
        for end in range(MIN_PART, len(word) + 1):
            if any(word[begin:end] in self.words for begin in begins if end - begin >= MIN_PART):
                begins |= {end + len(link) for link in LINKS if word.startswith(link, end)}
        return len(word) in begins

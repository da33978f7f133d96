"""Names that a network does not know, translated as names that it knows.

A name that the training does not contain falls into subwords that a small network copies badly, and
that confuse it about the rest of the sentence. So a frequent name takes its place, and the original
is put back into the translation.
"""

import re

from keras_transformer.text.words import WORD, touches_digit

PEOPLE = ("Peter", "David", "Paul", "Simon")
TOWNS = ("Berlin", "Hamburg", "London")
BEFORE_TOWNS = ("in", "near")
MOSTLY = 4  # times as often as in lower case
SEEN = 5  # occurrences of a name in the training, on each side
PARTICLES = frozenset(
    ("de", "del", "della", "der", "den", "di", "do", "du", "el", "la", "van", "von")
)
GENITIVE = re.compile(r"'s$", re.IGNORECASE)
TITLE_CASE = 0.6  # share of capitalized words from which on capitals say nothing


class Names:
    """Replaces unknown names by known ones, and back.

    Args:
        source_counts, target_counts: {word: number of occurrences} of the training, with case.
    """

    def __init__(self, source_counts, target_counts):
        def known(names):
            counts = source_counts, target_counts
            return [name for name in names if all(each.get(name, 0) >= SEEN for each in counts)]

        self.counts = source_counts
        self.folded = frozenset(word.lower() for word in source_counts)
        self.people, self.towns = known(PEOPLE), known(TOWNS)

    def masked(self, sentence):
        """Return a sentence with known names, and {known name: the original}."""
        originals, shift = {}, 0
        free = {"people": self._unused(self.people, sentence)}
        free["towns"] = self._unused(self.towns, sentence)
        masked = sentence
        for start, end in self._spans(sentence):
            before = sentence[:start].split()[-1:]
            kind = "towns" if before and before[0].lower() in BEFORE_TOWNS else "people"
            if not free[kind]:
                break
            name = free[kind].pop(0)
            originals[name] = sentence[start:end]
            masked = masked[: start + shift] + name + masked[end + shift :]
            shift += len(name) - (end - start)
        return masked, originals

    @staticmethod
    def _unused(names, sentence):
        return [name for name in names if name not in sentence]

    def _spans(self, sentence):
        """Return [(start, end)] of the unknown names in a sentence, each of one or more words."""
        matches = list(WORD.finditer(sentence))
        unknown = [
            self._is_unknown(i, match[0], matches) and not touches_digit(sentence, match)
            for i, match in enumerate(matches)
        ]
        spans, i = [], 0
        while i < len(matches):
            end = self._end(i, matches, unknown, sentence)
            if end > i:
                stop = matches[end - 1].end() - len(_genitive(matches[end - 1][0]))
                spans.append((matches[i].start(), stop))
            i = max(end, i + 1)
        return spans

    def _end(self, first, matches, unknown, sentence):
        """Return the number of the word after the name that begins at a word, or `first`."""
        last, has_unknown = first, False
        while last < len(matches) and self._continues(first, last, matches, unknown, sentence):
            has_unknown |= unknown[last]
            last += 1
            if _genitive(matches[last - 1][0]):
                break
        while last > first and matches[last - 1][0].lower() in PARTICLES:
            last -= 1
        return last if has_unknown else first

    def _continues(self, first, place, matches, unknown, sentence):
        """Return whether the word at a place belongs to the name that begins at `first`."""
        word = matches[place][0]
        if place > first:
            between = sentence[matches[place - 1].end() : matches[place].start()]
            initial = len(matches[place - 1][0]) == 1 and between == ". "
            if between not in (" ", "-") and not initial:
                return False
            if word in PARTICLES or (len(word) == 1 and word.isupper()):
                return True
        return unknown[place] or (word[0].isupper() and self._is_proper(word))

    def _is_proper(self, word):
        """Return whether a word occurs in the training mostly with a capital."""
        return self.counts.get(word, 0) > MOSTLY * self.counts.get(word.lower(), 0)

    def _is_unknown(self, place, word, matches):
        """Return whether a capitalized word is not known, or not with a capital."""
        word = GENITIVE.sub("", word)
        if not word[:1].isupper():
            return False
        if word.lower() not in self.folded:
            return True
        capitals = sum(match[0][0].isupper() for match in matches)
        return place > 0 and word not in self.counts and capitals < TITLE_CASE * len(matches)

    @staticmethod
    def restored(text, originals):
        """Return a translation with the originals in place of the known names."""
        if not originals:
            return text
        names = "|".join(map(re.escape, sorted(originals, key=len, reverse=True)))
        return re.sub(rf"(?<!\w)(?:{names})(?=s?\b)", lambda match: originals[match[0]], text)


def _genitive(word):
    """Return the ending of an English genitive, or nothing."""
    match = GENITIVE.search(word)
    return match[0] if match else ""

"""What corrections need to know about which words translate each other."""

from typing import Protocol


class WordLexicon(Protocol):
    """A lexicon of two languages, such as `keras_transformer.translation.lexicon.Lexicon`."""

    def probability(self, source_word: str, target_word: str) -> float:
        """Return the probability of a source word given a target word, both in lower case."""

    def explanations(self, source: str, translation: str) -> list[int]:
        """Return, for each token of a source, the token of a translation that explains it best.

        Tokens are numbered from 0; -1 stands for no token.

        Args:
            source: the source sentence.
            translation: a translation of the source.
        """

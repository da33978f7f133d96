"""Sentence pairs of the built-in corpus, the phrasebook."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from keras_transformer import phrasebook
from keras_transformer.errors import UserError
from keras_transformer.text.pairs import Pair, Pairs, hash_of


class PhrasebookPairs(Pairs):
    """The built-in corpus, in either direction.

    Args:
        source_lang: "en" or "de".
        target_lang: the other language.
        split: "train", "validation" or "test".
        number: the epoch, for which training pairs are sampled.

    Raises:
        UserError: If the languages are not English and German.
    """

    def __init__(self, source_lang: str, target_lang: str, split: str, number: int = 0) -> None:
        if {source_lang, target_lang} != {"en", "de"}:
            raise UserError(
                f"the built-in corpus is English and German, not {source_lang} and {target_lang}; "
                "the setting train must name another corpus"
            )
        self.languages = source_lang, target_lang
        self.split = split
        self.number = number

    def __iter__(self) -> Iterator[Pair]:
        pairs = phrasebook.pairs(self.split, self.number, self.languages[0])
        yield from map(self._directed, pairs)

    def other_split(self, split: str) -> Pairs:
        return PhrasebookPairs(*self.languages, split)

    def epoch(self, number: int) -> Pairs:
        if number == self.number:
            return self
        return PhrasebookPairs(*self.languages, self.split, number)

    def vocabulary(self) -> Iterable[Pair]:
        return [self._directed(pair) for pair in phrasebook.vocabulary_pairs(self.languages[0])]

    @cached_property
    def _fingerprint(self) -> str:
        parts = "phrasebook", phrasebook.version(), *self.languages, self.split, self.number
        return hash_of(*parts)

    def is_unchanged(self) -> bool:
        return True  # generated, not read

    def _directed(self, pair: Pair) -> Pair:
        english, german = pair
        return (english, german) if self.languages[0] == "en" else (german, english)

    def __str__(self) -> str:
        return f"the built-in corpus ({self.split})"

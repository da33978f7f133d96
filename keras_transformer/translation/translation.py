"""A translation, and the interface of the objects that translate sentences."""

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Translation:
    """One translation of a sentence. `str(translation)` is its text.

    Attributes:
        text: the translation.
        score: the log probability in nats, divided by the length penalty.
        ids: target ids from the start token to the end token. The end token is missing if the
            translation reached the maximum length. The translation of white space or of several
            sentences has no ids, and a server returns none.
        share: logarithm of the translation's share of the probability of all reranked hypotheses;
            None without reranking.
    """

    text: str
    score: float
    ids: tuple[int, ...] = field(default=(), repr=False)
    share: float | None = None

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Return the text and the score as HTML, for notebooks."""
        return f"<p>{html.escape(self.text)}<br><small>score {self.score:.4f}</small></p>"


def require_list(sentences: Sequence[str]) -> None:
    """Raise a `TypeError` for anything but a sequence of strings, such as a single string."""
    if isinstance(sentences, str | Iterator):
        kind = "a string" if isinstance(sentences, str) else "an iterator"
        raise TypeError(f"the sentences must be a list of strings, not {kind}")
    for number, sentence in enumerate(sentences, start=1):
        if not isinstance(sentence, str):
            raise TypeError(f"sentence {number} must be a string, not {sentence!r}")


def without_repetitions(translations: Sequence[Translation]) -> list[Translation]:
    """Return the first translation with each text, in order."""
    found: dict[str, Translation] = {}
    for each in translations:
        found.setdefault(each.text, each)
    return list(found.values())


class SentenceTranslator(Protocol):
    """A `Translator`, a `Reranking`, a `ServedTranslator` or a `Streaming`."""

    @property
    def translate(self) -> Callable[..., Iterable[list[Translation]]]:
        """Translate a list of sentences, as `Translator.translate` does.

        The method of a `Streaming` returns an iterator, which may raise an error after it has
        yielded the translations of some sentences. The others return a list.
        """

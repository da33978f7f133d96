"""What a translator gives."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Translation:
    """One translation of a sentence.

    `score` is the log probability divided by the length penalty; `ids` begin with the start token
    and end with the end token, unless the limit of length came first. A server gives no ids.
    `share` is the logarithm of the translation's share among the hypotheses that were reranked.
    """

    text: str
    score: float
    ids: tuple = ()
    share: float = 0.0

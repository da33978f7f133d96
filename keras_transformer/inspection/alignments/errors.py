"""The error rate of word alignments (Och and Ney 2003)."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

Link: TypeAlias = tuple[int, int]  # index of a source word, index of a target word


class Reference(NamedTuple):
    """The true alignment of a sentence pair.

    Attributes:
        sure: links that a correct alignment contains.
        possible: links that a correct alignment may contain, including the sure ones.
    """

    sure: frozenset[Link]
    possible: frozenset[Link]


class Errors(NamedTuple):
    """How much alignments differ from their references, from 0 to 1.

    Attributes:
        precision: share of the links that are possible.
        recall: share of the sure links that were found.
        error_rate: the alignment error rate, 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), for the links
            A and the sure and possible links S and P of all sentence pairs.
    """

    precision: float
    recall: float
    error_rate: float


def errors(alignments: Iterable[Iterable[Link]], references: Iterable[Reference]) -> Errors:
    """Compare alignments with their references.

    Args:
        alignments: the links of each sentence pair.
        references: the reference of each sentence pair.

    Returns:
        The `Errors`. A share of nothing is 1, and its error rate is 0.
    """
    found = sure = found_possible = found_sure = 0
    for alignment, reference in zip(alignments, references, strict=True):
        links = set(alignment)
        found += len(links)
        sure += len(reference.sure)
        found_possible += len(links & reference.possible)
        found_sure += len(links & reference.sure)
    return Errors(
        _share(found_possible, found),
        _share(found_sure, sure),
        1 - _share(found_sure + found_possible, found + sure),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def diagonal(source_length: int, target_length: int) -> list[Link]:
    """Return a baseline: every target word is linked to the source word at its relative position.

    Args:
        source_length: number of source words.
        target_length: number of target words.
    """
    if not source_length:
        return []
    return [(j * source_length // target_length, j) for j in range(target_length)]


def transposed(reference: Reference) -> Reference:
    """Return the reference of the opposite direction of translation."""
    return Reference(*(frozenset((j, i) for i, j in links) for links in reference))


def pharaoh(links: Iterable[Link]) -> str:
    """Return links in the Pharaoh format: "0-0 1-2", ordered by source word."""
    return " ".join(f"{i}-{j}" for i, j in sorted(links))

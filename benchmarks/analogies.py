"""How often arithmetic with the embeddings of a run solves analogies such as bought - buy + see.

python benchmarks/analogies.py --checkpoint checkpoints/phrasebook-en-de

Each two pairs of a relation make an analogy. The baseline ignores the first pair: it answers with
the neighbors of the third word.
"""

import argparse
import itertools
from collections.abc import Iterator

from keras_transformer.commands.run_flag import chosen_run
from keras_transformer.errors import UserError
from keras_transformer.inspection.embeddings.vectors import Embeddings, Term

RELATIONS = {
    "past tense": "buy bought, see saw, go went, take took, find found, write wrote, come came, "
    "eat ate, give gave, know knew, lose lost, make made, sell sold, drink drank, forget forgot, "
    "speak spoke, sing sang, bring brought, think thought, meet met, leave left, win won, "
    "fly flew, drive drove, run ran, sleep slept, break broke, wear wore, get got, have had, "
    "is was, are were, do did, walk walked, call called, work worked",
    "gender": "he she, man woman, brother sister, father mother, son daughter, husband wife, "
    "king queen, his her, him her, boy girl, grandfather grandmother, uncle aunt",
    "plural": "book books, car cars, child children, friend friends, day days, year years, "
    "dog dogs, cat cats, house houses, woman women, man men, hour hours, letter letters, "
    "boy boys, girl girls",
}
BEST = 5  # an answer among this many counts for the second figure


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", metavar="DIR")
    embeddings = Embeddings.load(chosen_run(parser.parse_args().checkpoint), "source")
    print(f"relation    pairs  analogies  first  in {BEST}  baseline: first  in {BEST}")
    for name, text in RELATIONS.items():
        pairs = [pair for each in text.split(", ") if (pair := known(embeddings, *each.split()))]
        ranks = [ranked(embeddings, *two) for two in analogies(pairs)]
        sums, baseline = zip(*ranks, strict=True)
        figures = f"{share(sums, 1)}  {share(sums, BEST)}           {share(baseline, 1)}"
        print(f"{name:10}  {len(pairs):5}  {len(ranks):9}  {figures}  {share(baseline, BEST)}")


def known(embeddings: Embeddings, one: str, other: str) -> tuple[str, str] | None:
    """Return two words if both are single subwords that are frequent enough, otherwise None."""
    try:
        is_single = len(embeddings.rows(one)) == len(embeddings.rows(other)) == 1
    except UserError:
        return None
    return (one, other) if is_single else None


def analogies(pairs: list[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield all ordered pairs of pairs that have no word in common."""
    for one, other in itertools.permutations(pairs, 2):
        if not set(one) & set(other):
            yield one, other


def ranked(embeddings: Embeddings, one: tuple[str, str], other: tuple[str, str]) -> tuple[int, int]:
    """Return the rank of the answer, from 1, among the neighbors of the sum and of the third word.

    The words of the question are excluded from both.
    """
    [answer] = embeddings.rows(other[1])
    asked = {*embeddings.rows(one[0]), *embeddings.rows(one[1])}
    terms = [Term(one[1]), Term(one[0], -1), Term(other[0])]
    found = [each.row for each in embeddings.nearest(terms, len(embeddings) - 3)]
    near = [each.row for each in embeddings.nearest(terms[2:], len(embeddings) - 1)]
    return found.index(answer) + 1, [row for row in near if row not in asked].index(answer) + 1


def share(ranks: tuple[int, ...], best: int) -> str:
    """Return the percentage of ranks that are at most `best`."""
    return f"{sum(rank <= best for rank in ranks) / len(ranks):4.0%}"


if __name__ == "__main__":
    main()

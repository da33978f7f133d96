"""The shortlist of a run as the vocabulary map of CTranslate2, for its option `use_vmap`.

Each line has a source token, a tab, and the target tokens that its translation may need. The line
whose source token is empty has the target tokens of every source. This is the format that
CTranslate2's class `VocabularyMap` reads. It has no way to write a token that contains a separator,
so such tokens are left out.
"""

from collections.abc import Iterator, Sequence

from keras_transformer.text.subwords import PADDING
from keras_transformer.translation.shortlist import Shortlist

FILE = "vmap.txt"
SEPARATORS = frozenset(" \t\n\r")


def vocabulary_map(
    shortlist: Shortlist, source_tokens: Sequence[str], target_tokens: Sequence[str]
) -> str:
    """Return the vocabulary map of a shortlist.

    Args:
        shortlist: the `Shortlist`.
        source_tokens, target_tokens: the token of each id.
    """
    return "".join(f"{line}\n" for line in _lines(shortlist, source_tokens, target_tokens))


def _lines(
    shortlist: Shortlist, source_tokens: Sequence[str], target_tokens: Sequence[str]
) -> Iterator[str]:
    every_source = shortlist.order[: shortlist.frequent]
    for source, ids in zip(["", *source_tokens], [every_source, *shortlist.aligned], strict=True):
        targets = [target_tokens[i] for i in ids if i != PADDING]
        targets = [target for target in targets if SEPARATORS.isdisjoint(target)]
        if targets and SEPARATORS.isdisjoint(source):
            yield f"{source}\t{' '.join(targets)}"

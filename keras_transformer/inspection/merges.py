"""Byte-pair encoding, merge by merge (Sennrich et al. 2016, section 3.2; Gage 1994).

Training begins with characters, merges the most frequent pair of adjacent symbols into a new
symbol, and repeats this. Encoding applies the merges in the order in which training found them.

A SentencePiece model has no list of merges. But each merge made a piece, and pieces of earlier
merges have higher scores. So of all adjacent symbols that form a piece, the two whose piece has the
highest score are merged first, and of equal ones the leftmost.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sentencepiece import sentencepiece_model_pb2

from keras_transformer.errors import UserError
from keras_transformer.pictures.merges import Box, Tree, plot_trees
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import printable
from keras_transformer.text.subwords import SPACE, UNKNOWN, Subwords

MAX_CHARACTERS = 1000  # a longer text makes a picture that nobody can read

ModelProto = sentencepiece_model_pb2.ModelProto
PieceType = ModelProto.SentencePiece


class Span(NamedTuple):
    """A symbol or a subword of a word.

    Attributes:
        text: the symbol, or the piece of the vocabulary.
        begin, end: numbers of its first symbol and of the one after its last, in `Word.symbols`.
    """

    text: str
    begin: int
    end: int


class Merge(NamedTuple):
    """A merge of two adjacent symbols.

    Attributes:
        left, right: the two symbols.
        rank: number of the merge in the order in which training found the merges, from 1.
    """

    left: Span
    right: Span
    rank: int

    @property
    def result(self) -> Span:
        """The new symbol."""
        return Span(self.left.text + self.right.text, self.left.begin, self.right.end)


class Word(NamedTuple):
    """A word, and the merges that make subwords of its characters.

    Attributes:
        symbols: what encoding begins with: the characters, and symbols that users defined for the
            model, which are never merged.
        merges: the merges, in order.
        subwords: the subwords. An unknown character is several subwords, its bytes, if the
            vocabulary has bytes. Otherwise consecutive unknown characters are one subword.
        ids: the id of each subword, as `Subwords.encode` returns it.
    """

    symbols: Sequence[str]
    merges: Sequence[Merge]
    subwords: Sequence[Span]
    ids: Sequence[int]

    def states(self) -> Iterator[list[Span]]:
        """Yield the symbols before the first merge, and after each merge."""
        state = [Span(text, i, i + 1) for i, text in enumerate(self.symbols)]
        yield list(state)
        for merge in self.merges:
            place = state.index(merge.left)
            state[place : place + 2] = [merge.result]
            yield list(state)


class BytePairEncoding:
    """The merges of a SentencePiece model.

    Args:
        subwords: the `Subwords` with the model.

    Raises:
        UserError: If the model has no merges, for example because it is a unigram model.
    """

    def __init__(self, subwords: Subwords) -> None:
        self.subwords = subwords
        self.model = subwords.bpemb.spm
        proto = ModelProto.FromString(self.model.serialized_model_proto())
        if proto.trainer_spec.model_type != proto.trainer_spec.BPE:
            raise UserError("the subword model has no merges: it is not byte-pair encoding")
        self.has_bytes = proto.trainer_spec.byte_fallback
        kinds = PieceType.NORMAL, PieceType.USER_DEFINED
        self.scores = {each.piece: each.score for each in proto.pieces if each.type in kinds}
        user_defined = [each.piece for each in proto.pieces if each.type == PieceType.USER_DEFINED]
        self.user_defined = sorted(user_defined, key=len, reverse=True)
        merged = [piece for piece in self.scores if len(piece) > 1 and piece not in user_defined]
        merged.sort(key=self.scores.__getitem__, reverse=True)
        self.ranks = {piece: number for number, piece in enumerate(merged, 1)}

    def words(self, text: str) -> list[Word]:
        """Return the words of a text with their merges.

        The subwords of all words are those that SentencePiece returns for the text. A word begins
        at each subword that begins with a space.

        Args:
            text: any text. It is normalized first, as before every encoding.
        """
        symbols = self._symbols(self.subwords.normalized(text))
        merges, final = self._merge(symbols)
        found = list(self._identified(final))
        firsts = {span.begin for span, _ in found if span.text.startswith(SPACE) or not span.begin}
        limits = [*sorted(firsts), len(symbols)]
        return [
            _word(symbols, merges, found, begin, end) for begin, end in itertools.pairwise(limits)
        ]

    def _symbols(self, text: str) -> list[str]:
        """Return the symbols that encoding begins with. Of user-defined ones, the longest wins."""
        symbols, position = [], 0
        while position < len(text):
            found = (each for each in self.user_defined if text.startswith(each, position))
            symbols.append(next(found, text[position]))
            position += len(symbols[-1])
        return symbols

    def _merge(self, symbols: Sequence[str]) -> tuple[list[Merge], list[Span]]:
        """Return all merges in order, and the symbols after the last one."""
        merges: list[Merge] = []
        state = [Span(text, i, i + 1) for i, text in enumerate(symbols)]
        while True:
            pairs = [
                (-self.scores[left.text + right.text], place)
                for place, (left, right) in enumerate(itertools.pairwise(state))
                if left.text + right.text in self.scores
                and left.text not in self.user_defined
                and right.text not in self.user_defined
            ]
            if not pairs:
                return merges, state
            _, place = min(pairs)
            left, right = state[place : place + 2]
            merges.append(Merge(left, right, self.ranks[left.text + right.text]))
            state[place : place + 2] = [merges[-1].result]

    def _identified(self, final: Sequence[Span]) -> Iterator[tuple[Span, int]]:
        """Yield the subwords of the final symbols with their ids."""
        for is_known, spans in itertools.groupby(final, lambda span: span.text in self.scores):
            if is_known:
                yield from ((span, self.model.piece_to_id(span.text)) for span in spans)
            elif self.has_bytes:
                pieces = [span._replace(text=text) for span in spans for text in _bytes(span.text)]
                yield from ((span, self.model.piece_to_id(span.text)) for span in pieces)
            else:
                run = list(spans)
                text = "".join(span.text for span in run)
                yield Span(text, run[0].begin, run[-1].end), UNKNOWN


def _bytes(text: str) -> list[str]:
    """Return the pieces of the bytes of a text."""
    return [f"<0x{byte:02X}>" for byte in text.encode("utf-8")]


def _word(
    symbols: Sequence[str],
    merges: Sequence[Merge],
    subwords: Sequence[tuple[Span, int]],
    begin: int,
    end: int,
) -> Word:
    """Return the word of the symbols from `begin` to `end`."""
    inside = [
        Merge(_moved(each.left, begin), _moved(each.right, begin), each.rank)
        for each in merges
        if begin <= each.left.begin < end
    ]
    found = [(_moved(span, begin), i) for span, i in subwords if begin <= span.begin < end]
    return Word(symbols[begin:end], inside, [span for span, _ in found], [i for _, i in found])


def _moved(span: Span, distance: int) -> Span:
    return span._replace(begin=span.begin - distance, end=span.end - distance)


def check_length(text: str) -> None:
    """Raise a `UserError` if a text has more than `MAX_CHARACTERS` characters."""
    if len(text) > MAX_CHARACTERS:
        raise UserError(f"the text has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}")


def plot_merges(words: Sequence[Word], text: str) -> NotebookFigure:
    """Plot the merges of words as trees.

    Args:
        words: the words, at least one, as `BytePairEncoding.words` returns them.
        text: the text, for the heading.

    Returns:
        A figure that displays itself in a notebook. `pictures.saving.save` writes it to a file.
    """
    explanation = (
        "A merge joins the two boxes above it. The number below a merge is its rank: 1 is the pair "
        "that was most frequent in training, and the smallest rank is merged first. The number "
        "below a subword is its id."
    )
    title = "Byte-pair encoding, from characters to subwords"
    return plot_trees([_tree(word) for word in words], title, [printable(text), explanation])


def _tree(word: Word) -> Tree:
    """Return a word with the labels that are drawn."""
    merges = [_box(merge.result, f"{merge.rank}") for merge in word.merges]
    subwords = [
        _box(span, f"{number}") for span, number in zip(word.subwords, word.ids, strict=True)
    ]
    return Tree([label(symbol) for symbol in word.symbols], merges, subwords)


def _box(span: Span, note: str) -> Box:
    return Box(label(span.text), note, span.begin, span.end)


def label(symbol: str) -> str:
    """Return a symbol as it is shown.

    Unlike in other pictures, the space before a word is visible, because it is merged, too.
    """
    return printable(symbol.replace(SPACE, "␣")).replace(" ", "␣")

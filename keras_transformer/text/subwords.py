"""Subwords: conversion of sentences to ids and back, with BPEmb (Heinzerling and Strube 2018).

With V pieces, id 0 is padding, ids 2 to V - 1 are the same as in the SentencePiece model, V is the
start token and V + 1 the end token. BPEmb's id 0, `<unk>`, is remapped to 1, the id of the piece
`<s>`, which encoding never produces. Unknown characters therefore cannot be mistaken for padding.
"""

import functools
import hashlib
import os
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

import sentencepiece
from bpemb import BPEmb
from bpemb.available_languages import to_wikicode, wikicode
from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2

from keras_transformer.errors import UserError
from keras_transformer.text.normalization import without_surrogates
from keras_transformer.text.rows import Rows
from keras_transformer.text.special_tokens import (
    END_TOKEN,
    PADDING_TOKEN,
    START_TOKEN,
    UNKNOWN_TOKEN,
)

SPACE = "▁"  # SentencePiece's mark of a space in a piece
PADDING = 0
UNKNOWN = 1
UNKNOWN_PIECE = 0  # id of `<unk>` in BPEmb

CONTROL_BYTES = (*range(0x20), 0x7F)
MULTILINGUAL = "multi", "multilingual"  # both names of one vocabulary


class Subwords:
    """The subword vocabulary of a language.

    Args:
        bpemb: a `bpemb.BPEmb` with V pieces.

    Attributes:
        start: id of the start token, V.
        end: id of the end token, V + 1.
        size: number of ids, V + 2.
        preprocessed: whether text is lower-cased and its digits replaced by 0 before encoding.
    """

    def __init__(self, bpemb: BPEmb) -> None:
        self.bpemb = bpemb
        self.preprocessed = bpemb.do_preproc
        self.start = bpemb.vocab_size
        self.end = bpemb.vocab_size + 1
        self.size = bpemb.vocab_size + 2

    @property
    def lang(self) -> str:
        """The code of the language, as used by BPEmb."""
        return str(self.bpemb.lang)

    @classmethod
    def load(cls, path: str | os.PathLike[str], lang: str, pretrained: bool = False) -> "Subwords":
        """Load a SentencePiece model.

        Args:
            path: file of the model.
            lang: language code, as used by BPEmb.
            pretrained: whether BPEmb published the model. Text is then lower-cased and its digits
                replaced by 0 before encoding.

        Raises:
            UserError: If the language is unknown, or the file is missing or not a SentencePiece
                model.
        """
        check_language(lang)
        if not Path(path).is_file():
            raise UserError(f"{path}: no such subword model")
        try:
            bpemb = BPEmb(
                lang=lang,
                model_file=Path(path),
                preprocess=pretrained,
                segmentation_only=True,
                vs_fallback=False,
            )
        except (RuntimeError, OSError) as error:
            raise UserError(f"{path}: not a SentencePiece model") from error
        return cls(bpemb)

    def encode(self, sentence: str) -> list[int]:
        """Return [start] + ids + [end]. Lone surrogates are encoded as question marks."""
        ids = self.bpemb.encode_ids(without_surrogates(sentence))
        return [self.start, *(i if i != UNKNOWN_PIECE else UNKNOWN for i in ids), self.end]

    def encode_within(self, text: str) -> list[int]:
        """Return the ids of a text within a sentence, without a space before it, start or end."""
        text = self.bpemb.preprocess(text) if self.preprocessed else text
        ids = self._without_first_space.encode(without_surrogates(text))
        return [i if i != UNKNOWN_PIECE else UNKNOWN for i in ids]

    @functools.cached_property
    def _without_first_space(self) -> SentencePieceProcessor:
        """The SentencePiece model, which does not insert a space before a text."""
        proto = sentencepiece_model_pb2.ModelProto.FromString(
            self.bpemb.spm.serialized_model_proto()
        )
        proto.normalizer_spec.add_dummy_prefix = False
        return SentencePieceProcessor(model_proto=proto.SerializeToString())

    def encode_all(self, sentences: Sequence[str]) -> Rows:
        """Return the ids of each sentence, as `encode` does. Several threads can encode at once."""
        texts = _all_without_surrogates(sentences)
        if self.preprocessed:
            texts = [self.bpemb.preprocess(text) for text in texts]
        # SentencePiece encodes a list without holding Python's lock.
        rows = Rows.of(self.bpemb.spm.encode(texts, out_type=int))
        rows.ids[rows.ids == UNKNOWN_PIECE] = UNKNOWN
        return rows.between(self.start, self.end)

    def fingerprint(self) -> str:
        """Return a SHA-256 that changes whenever the same sentence may have other ids."""
        content = hashlib.sha256(self.bpemb.spm.serialized_model_proto())
        # Python's Unicode data determine the lower case.
        versions = sentencepiece.__version__, unicodedata.unidata_version, self.preprocessed
        content.update(repr(versions).encode("ascii"))
        return content.hexdigest()

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of ids, ignoring padding, start and end tokens.

        Decoding an encoded text returns the normalized text, with two exceptions. A vocabulary
        without byte pieces replaces characters that it does not contain by SentencePiece's unknown
        mark, and a pretrained model has no upper case and no digits but 0.
        """
        pieces = [
            int(i) if i != UNKNOWN else UNKNOWN_PIECE
            for i in ids
            if i not in (PADDING, self.start, self.end)
        ]
        # BPEmb.decode_ids would treat each id of a flat list as a sentence.
        return self.bpemb.spm.decode_ids(pieces)

    def suppressed_ids(self) -> list[int]:
        """Return the ids that a search must not generate.

        These are padding, unknown, start, and the bytes of control characters. A line feed, for
        example, would split a translation into two lines.
        """
        model = self.bpemb.spm
        pieces = [model.piece_to_id(f"<0x{byte:02X}>") for byte in CONTROL_BYTES]
        return [PADDING, UNKNOWN, self.start, *(i for i in pieces if model.is_byte(i))]

    def normalized(self, text: str) -> str:
        """Return the text that is split into subwords, in which `▁` stands for a space."""
        text = self.bpemb.preprocess(text) if self.preprocessed else text
        return self.bpemb.spm.normalize(without_surrogates(text))

    def unknown_characters(self, text: str) -> str:
        """Return the distinct characters of a text that are not in the vocabulary, in order.

        A vocabulary with byte pieces encodes them as bytes, any other as the unknown piece.
        """
        characters = dict.fromkeys(self.normalized(text))
        return "".join(c for c in characters if self.bpemb.spm.piece_to_id(c) == UNKNOWN_PIECE)

    def labels(self, ids: Iterable[int]) -> list[str]:
        """Return the piece or special token of each id, for display."""
        named = {
            PADDING: PADDING_TOKEN,
            UNKNOWN: UNKNOWN_TOKEN,
            self.start: START_TOKEN,
            self.end: END_TOKEN,
        }
        return [named.get(int(i)) or self.bpemb.spm.id_to_piece(int(i)) for i in ids]


def _all_without_surrogates(sentences: Sequence[str]) -> list[str]:
    """Return what `without_surrogates` returns for each sentence; lone surrogates are rare."""
    try:
        "".join(sentences).encode("utf-8")
    except UnicodeEncodeError:
        return [without_surrogates(sentence) for sentence in sentences]
    return list(sentences)


def check_code(lang: str) -> None:
    """Check that a code is that of a language in BPEmb: "en", and not its other name "eng".

    Raises:
        UserError: If it is not, or BPEmb does not know the language.
    """
    check_language(lang)
    if lang not in wikicode:
        raise UserError(f"{lang!r}: the code of this language is {to_wikicode[lang]!r}")


def check_language(lang: str) -> list[int]:
    """Return the vocabulary sizes that BPEmb publishes for a language.

    Raises:
        UserError: If BPEmb does not know the language.
    """
    if lang in MULTILINGUAL:
        raise UserError(f"{lang!r} is BPEmb's vocabulary of all languages, not a language")
    try:
        return sorted(BPEmb.available_vocab_sizes(lang))
    except (KeyError, ValueError) as error:
        raise UserError(
            f"unknown language {lang[:40]!r}; the codes that BPEmb knows include en, de, pt and zh"
        ) from error

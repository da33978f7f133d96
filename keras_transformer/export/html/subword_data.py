"""The subwords of a language as JSON: what the page's `engine/subwords.js` reads."""

import base64
import sys
import unicodedata
from typing import Any

from sentencepiece import sentencepiece_model_pb2

from keras_transformer.errors import UserError
from keras_transformer.text.subwords import Subwords

Model = sentencepiece_model_pb2.ModelProto
Piece = Model.SentencePiece
SUPPORTED = {Piece.NORMAL, Piece.UNKNOWN, Piece.CONTROL, Piece.USER_DEFINED, Piece.BYTE}


def subword_data(subwords: Subwords) -> dict[str, object]:
    """Return the vocabulary, and the settings of its normalization and decoding.

    Raises:
        UserError: If the page cannot split text as the model does.
    """
    model = Model.FromString(subwords.bpemb.spm.serialized_model_proto())
    if reasons := ", ".join(_unsupported(model)):
        raise UserError(
            f"{subwords.bpemb.model_file}: a page does not support this model: {reasons}"
        )
    normalizer = model.normalizer_spec
    return {
        "pieces": [piece.piece for piece in model.pieces],
        "scores": [_short(piece.score) for piece in model.pieces],
        "types": [piece.type for piece in model.pieces],
        "charsmap": base64.b64encode(normalizer.precompiled_charsmap).decode("ascii"),
        "addDummyPrefix": normalizer.add_dummy_prefix,
        "removeExtraWhitespaces": normalizer.remove_extra_whitespaces,
        "escapeWhitespaces": normalizer.escape_whitespaces,
        "unknownSurface": model.trainer_spec.unk_surface,
        "preprocessed": subwords.preprocessed,
        "zeros": _zeros() if subwords.preprocessed else "",
    }


def _unsupported(model: Any) -> list[str]:
    """Return the properties of a model that the page does not implement."""
    trainer = model.trainer_spec
    types = [piece.type for piece in model.pieces]
    properties = {
        "its type is not BPE": trainer.model_type != trainer.BPE,
        "it marks spaces at the ends of words": trainer.treat_whitespace_as_suffix,
        "it has rules for decoding": bool(model.denormalizer_spec.precompiled_charsmap),
        "it has unused pieces": not SUPPORTED.issuperset(types),
        "its first pieces are not <unk> and <s>": types[:2] != [Piece.UNKNOWN, Piece.CONTROL],
    }
    return [name for name, is_true in properties.items() if is_true]


def _short(score: float) -> float:
    """Return a score as an int if it is one, as those of BPE are. The JSON is shorter."""
    return int(score) if score.is_integer() else score


def _zeros() -> str:
    """Return the decimal digits of the value 0. In Unicode, the digits 1 to 9 follow each of them.

    Python and a browser may have different versions of Unicode, and thus not the same digits.
    """
    characters = map(chr, range(sys.maxunicode + 1))
    return "".join(c for c in characters if unicodedata.decimal(c, -1) == 0)

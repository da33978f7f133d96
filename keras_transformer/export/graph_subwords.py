"""Subwords in a TensorFlow graph: strings to the ids of `Subwords`, and back."""

import hashlib
import sys
import unicodedata

import tensorflow as tf

from keras_transformer.errors import missing_extra
from keras_transformer.quiet import quiet_stderr
from keras_transformer.tensors import Tensor
from keras_transformer.text.subwords import PADDING, UNKNOWN, UNKNOWN_PIECE, Subwords

try:
    import tensorflow_text
except ImportError as error:
    raise missing_extra("the export as a SavedModel needs tensorflow-text", "serving") from error

# Strings of which Python's `str.strip` leaves nothing, as an RE2 regular expression.
WHITE_SPACE = r"[\t-\r\x1c-\x1f\x85\p{Z}]*"


class GraphSubwords(tf.Module):
    """The subwords of one language as TensorFlow operations, for a SavedModel.

    Args:
        subwords: the `Subwords`.
        max_length: maximum number of ids of a sentence, including start and end. Longer sentences
            are truncated.
    """

    def __init__(self, subwords: Subwords, max_length: int) -> None:
        super().__init__()
        self.subwords = subwords
        self.max_length = max_length
        model = subwords.bpemb.spm.serialized_model_proto()
        # Unnamed tokenizers of a SavedModel are merged into one when it is loaded
        # (tensorflow/text issue 1304).
        name = f"subwords_{hashlib.sha256(model).hexdigest()[:16]}"
        with quiet_stderr():
            self.tokenizer = tensorflow_text.SentencepieceTokenizer(model, tf.int32, name=name)
        self.all_labels = tf.constant(subwords.labels(range(subwords.size)))  # (V,)

    def encode(self, sentences: Tensor) -> Tensor:
        """Return the ids (B, S) of strings (B,): [start] + ids + [end], padded.

        Invalid UTF-8 is read as U+FFFD. A sentence of white space yields a row of padding.
        """
        text = tf.strings.unicode_transcode(sentences, "UTF-8", "UTF-8", errors="replace")
        text = tf.where(tf.strings.regex_full_match(text, WHITE_SPACE), "", text)
        if self.subwords.preprocessed:
            text = _preprocess(text)
        ids = self.tokenizer.tokenize(text)
        lengths = tf.minimum(ids.row_lengths(), self.max_length - 2)[:, tf.newaxis]  # (B, 1)
        ids = ids.to_tensor(PADDING)[:, : self.max_length - 2]
        return self._framed(tf.where(ids == UNKNOWN_PIECE, UNKNOWN, ids), lengths)

    def _framed(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Return ids (B, S): start, the first `lengths` (B, 1) of ids (B, S - 2), end, padding."""
        ids = tf.pad(ids, ((0, 0), (1, 1)))
        positions = tf.range(tf.shape(ids, tf.int64)[1])
        ids = tf.where(positions == 0, self.subwords.start, ids)
        ids = tf.where(positions == lengths + 1, self.subwords.end, ids)
        return tf.where((positions <= lengths + 1) & (lengths > 0), ids, PADDING)

    def decode(self, ids: Tensor) -> Tensor:
        """Return the strings (B,) of padded ids (B, T), like `Subwords.decode`."""
        is_piece = (ids != PADDING) & (ids < self.subwords.start)
        pieces = tf.where(ids == UNKNOWN, UNKNOWN_PIECE, ids)
        lengths = tf.reduce_sum(tf.cast(is_piece, tf.int64), axis=1)
        return self.tokenizer.detokenize(
            tf.RaggedTensor.from_row_lengths(pieces[is_piece], lengths, validate=False)
        )

    def labels(self, ids: Tensor) -> Tensor:
        """Return the piece or special token of each id, like `Subwords.labels`."""
        return tf.gather(self.all_labels, ids)


def _preprocess(text: Tensor) -> Tensor:
    """Return strings (B,) in lower case and with digits replaced by 0, like `BPEmb.preprocess`.

    Python's Unicode tables are newer than TensorFlow's, so Python lower-cases a few more letters.
    BPEmb's vocabularies contain neither these letters nor bytes, so either case becomes `<unk>`.
    """
    # tf.strings.lower stops at NUL. A Unicode noncharacter, which is never assigned, replaces it.
    text = tf.strings.regex_replace(text, r"\x00", "\ufdd0")
    text = tf.strings.lower(text, encoding="utf-8")
    text = tf.strings.regex_replace(text, "\ufdd0", "\0")
    return tf.strings.regex_replace(text, _digits(), "0")


def _digits() -> str:
    r"""Return a regular expression for Python's decimal digits.

    In RE2, `\d` matches ASCII digits only, and `\p{Nd}` depends on another version of Unicode.
    """
    zeros = (c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.decimal(c, -1) == 0)
    return "[" + "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in zeros) + "]"

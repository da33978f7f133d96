"""Subwords inside the graph: strings in, the ids of `Subwords` out, and back."""

import hashlib
import sys
import unicodedata

import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.quiet import quiet_stderr
from keras_transformer.text.subwords import PADDING, UNKNOWN, UNKNOWN_PIECE

try:
    import tensorflow_text
except ImportError as error:
    raise UserError('export needs tensorflow-text: pip install -e ".[serving]"') from error

# What Python's `str.strip` takes for white space, as RE2 writes it.
WHITE_SPACE = r"[\t-\r\x1c-\x1f\x85\p{Z}]*"


class GraphSubwords(tf.Module):
    """The subwords of one language as TensorFlow operations, for a SavedModel.

    Args:
        subwords: the `Subwords`.
        max_length: most ids of a sentence, start and end included; the rest is left out.
    """

    def __init__(self, subwords, max_length):
        super().__init__()
        self.subwords = subwords
        self.max_length = max_length
        model = subwords.bpemb.spm.serialized_model_proto()
        # Without names of their own, two tokenizers of a SavedModel become one when it is loaded
        # (tensorflow/text issue 1304).
        name = f"subwords_{hashlib.sha256(model).hexdigest()[:16]}"
        with quiet_stderr():
            self.tokenizer = tensorflow_text.SentencepieceTokenizer(model, tf.int32, name=name)
        self.all_labels = tf.constant(subwords.labels(range(subwords.size)))  # (V,)

    def encode(self, sentences):
        """Strings (B,) -> ids (B, S), padded, each [start] + ids + [end].

        What is not UTF-8 is read as U+FFFD. A sentence in which there is nothing to translate
        gives a row of padding.
        """
        text = tf.strings.unicode_transcode(sentences, "UTF-8", "UTF-8", errors="replace")
        text = tf.where(tf.strings.regex_full_match(text, WHITE_SPACE), "", text)
        if self.subwords.preprocessed:
            text = _preprocess(text)
        ids = self.tokenizer.tokenize(text)
        lengths = tf.minimum(ids.row_lengths(), self.max_length - 2)[:, tf.newaxis]  # (B, 1)
        ids = ids.to_tensor(PADDING)[:, : self.max_length - 2]
        return self._framed(tf.where(ids == UNKNOWN_PIECE, UNKNOWN, ids), lengths)

    def _framed(self, ids, lengths):
        """Ids (B, S - 2), of which `lengths` (B, 1) count, between start and end: (B, S)."""
        ids = tf.pad(ids, ((0, 0), (1, 1)))
        positions = tf.range(tf.shape(ids, tf.int64)[1])
        ids = tf.where(positions == 0, self.subwords.start, ids)
        ids = tf.where(positions == lengths + 1, self.subwords.end, ids)
        return tf.where((positions <= lengths + 1) & (lengths > 0), ids, PADDING)

    def decode(self, ids):
        """Ids (B, T) of a hypothesis, padded -> strings (B,), as `Subwords.decode`."""
        is_piece = (ids != PADDING) & (ids < self.subwords.start)
        pieces = tf.where(ids == UNKNOWN, UNKNOWN_PIECE, ids)
        lengths = tf.reduce_sum(tf.cast(is_piece, tf.int64), axis=1)
        return self.tokenizer.detokenize(
            tf.RaggedTensor.from_row_lengths(pieces[is_piece], lengths, validate=False)
        )

    def labels(self, ids):
        """Ids of any shape -> the subword of each, as `Subwords.labels`."""
        return tf.gather(self.all_labels, ids)


def _preprocess(text):
    """What `BPEmb.preprocess` does, for strings (B,): lower case, and digits as 0.

    Python lower-cases letters that TensorFlow does not know yet; they are in no vocabulary of
    BPEmb, which has no bytes, and so are unknown both ways.
    """
    # Lower-casing stops at a NUL, so a character that Unicode promises never to use stands for it.
    text = tf.strings.regex_replace(text, r"\x00", "\ufdd0")
    text = tf.strings.lower(text, encoding="utf-8")
    text = tf.strings.regex_replace(text, "\ufdd0", "\0")
    return tf.strings.regex_replace(text, _digits(), "0")


def _digits():
    """Python's decimal digits as a regular expression: RE2 knows those of another Unicode."""
    zeros = (c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.decimal(c, -1) == 0)
    return "[" + "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in zeros) + "]"

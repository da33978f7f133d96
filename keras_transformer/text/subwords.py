"""Subwords: conversion of sentences to ids and back, with BPEmb (Heinzerling and Strube 2018).

With V pieces, id 0 is padding, ids 2 to V - 1 are the same as in the SentencePiece model, V is the
start token and V + 1 the end token. BPEmb's id 0, `<unk>`, is remapped to 1, the id of the piece
`<s>`, which encoding never produces. Unknown characters therefore cannot be mistaken for padding.
"""

import contextlib
import hashlib
import http.client
import io
import os
import re
import tempfile
import unicodedata
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypedDict

import sentencepiece
from bpemb import BPEmb
from sentencepiece import sentencepiece_model_pb2

from keras_transformer.errors import UserError
from keras_transformer.files import copy_file, naming, write_bytes
from keras_transformer.text.normalization import european_characters, rules_tsv
from keras_transformer.text.rows import Rows

SPACE = "▁"  # SentencePiece's mark of a space in a piece
PADDING = 0
UNKNOWN = 1
UNKNOWN_PIECE = 0  # id of `<unk>` in BPEmb

# SentencePiece trains on a sample of this size, which bounds its memory use.
SAMPLE_SENTENCES = 1_000_000
# A vocabulary of at least this size can represent any text.
FULL_VOCABULARY = 1000
CONTROL_BYTES = (*range(0x20), 0x7F)
MULTILINGUAL = "multi"
DOWNLOAD_TIMEOUT = 60  # seconds


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
        ids = self.bpemb.encode_ids(_encodable(sentence))
        return [self.start, *(i if i != UNKNOWN_PIECE else UNKNOWN for i in ids), self.end]

    def encode_all(self, sentences: Sequence[str]) -> Rows:
        """Return the ids of each sentence, as `encode` does. Several threads can encode at once."""
        texts = _all_encodable(sentences)
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
        return self.bpemb.spm.normalize(_encodable(text))

    def unknown_characters(self, text: str) -> str:
        """Return the distinct characters of a text that are not in the vocabulary, in order.

        A vocabulary with byte pieces encodes them as bytes, any other as the unknown piece.
        """
        characters = dict.fromkeys(self.normalized(text))
        return "".join(c for c in characters if self.bpemb.spm.piece_to_id(c) == UNKNOWN_PIECE)

    def labels(self, ids: Iterable[int]) -> list[str]:
        """Return the piece or special token of each id, for display."""
        named = {
            PADDING: "<pad>",
            UNKNOWN: "<unk>",
            self.start: "<start>",
            self.end: "<end>",
        }
        return [named.get(int(i)) or self.bpemb.spm.id_to_piece(int(i)) for i in ids]


def _encodable(sentence: str) -> str:
    """Return the sentence with lone surrogates replaced by question marks."""
    return sentence.encode("utf-8", "replace").decode("utf-8")


def _all_encodable(sentences: Sequence[str]) -> list[str]:
    """Return what `_encodable` returns for each sentence; lone surrogates are rare."""
    try:
        "".join(sentences).encode("utf-8")
    except UnicodeEncodeError:
        return [_encodable(sentence) for sentence in sentences]
    return list(sentences)


def check_language(lang: str) -> list[int]:
    """Return the vocabulary sizes that BPEmb publishes for a language.

    Raises:
        UserError: If BPEmb does not know the language.
    """
    if lang == MULTILINGUAL:
        raise UserError(f"{lang!r} is BPEmb's vocabulary of all languages, not a language")
    try:
        return sorted(BPEmb.available_vocab_sizes(lang))
    except (KeyError, ValueError) as error:
        raise UserError(
            f"unknown language {lang[:40]!r}; the codes that BPEmb knows include en, de, pt and zh"
        ) from error


def trained_subwords(sentences: Iterable[str], vocab_size: int, lang: str) -> Subwords:
    """Return a subword vocabulary trained on sentences, without saving its model.

    The arguments and exceptions are those of `train_subwords` and `Subwords.load`.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "subwords.model")
        train_subwords(sentences, vocab_size, path)
        return Subwords.load(path, lang)


def train_subwords(sentences: Iterable[str], vocab_size: int, path: str | os.PathLike[str]) -> None:
    """Train a SentencePiece BPE model on cased text, normalized by the rules of `normalization`.

    A vocabulary of at least `FULL_VOCABULARY` pieces contains printable ASCII, the letters of
    European languages, and the 256 bytes as a fallback for any other character. Numbers are split
    into digits. A smaller vocabulary contains only the characters of the sentences.

    Args:
        sentences: iterable of strings, read once.
        vocab_size: number of pieces V.
        path: file the model is written to.

    Raises:
        VocabularyTooLarge: If the sentences yield fewer than V pieces.
        UserError: If the sentences are empty, or contain more than V different characters.
    """
    sentencepiece.set_random_generator_seed(1)
    model, errors = io.BytesIO(), list[BaseException]()
    with _rules_file() as rules:
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=_recording(sentences, errors),
                model_writer=model,
                model_type="bpe",
                vocab_size=vocab_size,
                character_coverage=1.0,
                normalization_rule_tsv=str(rules),
                input_sentence_size=SAMPLE_SENTENCES,
                shuffle_input_sentence=True,
                minloglevel=3,
                **_trainer_options(vocab_size),
            )
        except (RuntimeError, ValueError) as error:
            if errors:
                raise errors[0] from None
            raise _why_training_failed(str(error), vocab_size) from error
    write_bytes(path, _without_path(model.getvalue()))


def _recording(sentences: Iterable[str], errors: list[BaseException]) -> Iterator[str]:
    """Yield sentences, and record an exception, which SentencePiece replaces by its own."""
    try:
        yield from sentences
    except (Exception, KeyboardInterrupt) as error:
        errors.append(error)
        raise


@contextlib.contextmanager
def _rules_file() -> Iterator[Path]:
    """Yield the path of a temporary file with the normalization rules.

    The file is closed, because SentencePiece opens it again.

    Raises:
        UserError: If the file cannot be written.
    """
    with contextlib.ExitStack() as stack:
        with naming("the directory of temporary files"):
            path = Path(stack.enter_context(tempfile.TemporaryDirectory()), "rules.tsv")
        write_bytes(path, rules_tsv().encode("ascii"))
        yield path


def _without_path(model: bytes) -> bytes:
    """Return a serialized model without the path of the temporary file of its rules."""
    proto = sentencepiece_model_pb2.ModelProto.FromString(model)
    proto.normalizer_spec.ClearField("normalization_rule_tsv")
    return proto.SerializeToString(deterministic=True)


class TrainerOptions(TypedDict, total=False):
    """Options of SentencePiece's trainer that depend on the size of the vocabulary."""

    required_chars: str
    byte_fallback: bool
    split_digits: bool


def _trainer_options(vocab_size: int) -> TrainerOptions:
    """Return the options of a full vocabulary, or none for a smaller vocabulary."""
    if vocab_size < FULL_VOCABULARY:
        return {}
    return {
        "required_chars": european_characters(),
        "byte_fallback": True,
        # A network copies numbers of any length digit by digit.
        "split_digits": True,
    }


class VocabularyTooLarge(UserError):
    """The sentences yield fewer subwords than requested.

    Args:
        vocab_size: number of subwords requested.
        largest: maximum number that the sentences yield.
    """

    def __init__(self, vocab_size: int, largest: int) -> None:
        super().__init__(
            f"vocab_size {vocab_size} is too large: the corpus yields at most {largest} subwords"
        )
        self.largest = largest


def train_largest(
    texts: Sequence[Iterable[str]], vocab_size: int, paths: Sequence[str | os.PathLike[str]]
) -> int:
    """Train one model per text, all of the same size: the largest possible up to `vocab_size`.

    Args:
        texts: iterables of sentences that can be read repeatedly.
        vocab_size: maximum number of pieces V.
        paths: output file for each text.

    Returns:
        The number of pieces of each model.

    Raises:
        UserError: If `train_subwords` raises one, other than a `VocabularyTooLarge`.
    """
    while True:
        largest = min(_train_up_to(*each, vocab_size) for each in zip(texts, paths, strict=True))
        if largest == vocab_size:
            return vocab_size
        vocab_size = largest


def _train_up_to(sentences: Iterable[str], path: str | os.PathLike[str], vocab_size: int) -> int:
    """Train a model and return its size, or return the maximum if `vocab_size` exceeds it."""
    try:
        train_subwords(sentences, vocab_size, path)
    except VocabularyTooLarge as error:
        return error.largest
    return vocab_size


def _why_training_failed(message: str, vocab_size: int) -> UserError:
    """Return an exception that explains an error message of SentencePiece's trainer."""
    if most := re.search(r"value <= (\d+)", message):
        return VocabularyTooLarge(vocab_size, int(most[1]))
    if least := re.search(r"required_chars\D+\d+ vs (\d+)", message):
        return UserError(
            f"vocab_size {vocab_size} is too small: the corpus needs at least {least[1]}"
        )
    if "sentences_.empty()" in message:
        return UserError(
            "no subwords can be trained: all sentences of one side are empty, or longer than "
            "4,192 bytes"
        )
    return UserError(f"the subword model could not be trained: {message}")


def fetch_pretrained(
    lang: str,
    vocab_size: int,
    path: str | os.PathLike[str],
    cache_dir: str | os.PathLike[str] | None = None,
) -> None:
    """Copy a published model of BPEmb to `path`, downloading the model on first use.

    A damaged model in the cache is downloaded again.

    Args:
        lang: language code, as used by BPEmb.
        vocab_size: number of pieces V, one of the published sizes.
        path: file the model is copied to.
        cache_dir: directory of downloaded models; BPEmb's own cache by default.

    Raises:
        UserError: If the language or size is unknown, the download fails, or a file cannot be
            written. If the download fails, the message contains the URL and where to save the file.
    """
    sizes = check_language(lang)
    if vocab_size not in sizes:
        raise UserError(
            f"BPEmb has no model of {vocab_size} subwords for {lang}; available sizes: "
            + ", ".join(map(str, sizes))
        )
    name = BPEmb.model_tpl.format(lang=lang, vs=vocab_size)
    cached = Path(cache_dir or Path.home() / ".cache" / "bpemb") / name
    if not _is_model(cached, vocab_size):
        _download(BPEmb.base_url + name, vocab_size, cached)
    copy_file(cached, path)


def _is_model(path: Path, vocab_size: int) -> bool:
    """Return whether a file exists and is an undamaged model of `vocab_size` pieces."""
    try:
        _check_model(path.read_bytes(), vocab_size)
    except (OSError, RuntimeError):
        return False
    return True


def _check_model(content: bytes, vocab_size: int) -> None:
    """Raise a `RuntimeError` or an `OSError` if a file is not a model of `vocab_size` pieces."""
    pieces = sentencepiece.SentencePieceProcessor(model_proto=content).get_piece_size()
    if pieces != vocab_size:
        raise OSError(f"the file has {pieces} subwords, not {vocab_size}")


def _download(url: str, vocab_size: int, path: Path) -> None:
    """Download and validate a model. A damaged file at `path` is replaced.

    BPEmb's own downloader does not verify certificates, has no timeout and accepts truncated files.
    """
    try:
        with urllib.request.urlopen(url, timeout=DOWNLOAD_TIMEOUT) as response:
            content = response.read()
        _check_model(content, vocab_size)
    except (OSError, RuntimeError, http.client.HTTPException) as error:
        found = f"{path} is damaged, and " if path.exists() else ""
        raise UserError(
            f"{found}BPEmb's model could not be downloaded ({error}): "
            f"download {url} and save it as {path}"
        ) from error
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, content)

"""Training of subword vocabularies on the sentences of a corpus, with SentencePiece."""

import contextlib
import io
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypedDict

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

from keras_transformer.errors import UserError
from keras_transformer.files import naming, write_bytes
from keras_transformer.text.normalization import european_characters, rules_tsv
from keras_transformer.text.subwords import Subwords

# SentencePiece trains on a sample of this size, which bounds its memory use.
SAMPLE_SENTENCES = 1_000_000
# A vocabulary of at least this size can represent any text.
FULL_VOCABULARY = 1000


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


class VocabularyTooSmall(UserError):
    """The sentences need more subwords than requested, because they have more characters.

    Args:
        vocab_size: number of subwords requested.
        least: minimum number that the sentences need.
    """

    def __init__(self, vocab_size: int, least: int) -> None:
        super().__init__(f"vocab_size {vocab_size} is too small: the corpus needs at least {least}")
        self.least = least


class Side:
    """The sentences of one side of pairs, or of both sides, which can be read repeatedly."""

    def __init__(self, pairs: Iterable[Sequence[str]], column: int | None = None) -> None:
        self.pairs = pairs
        self.columns = slice(None) if column is None else slice(column, column + 1)

    def __iter__(self) -> Iterator[str]:
        for pair in self.pairs:
            yield from pair[self.columns]


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


def _why_training_failed(message: str, vocab_size: int) -> UserError:
    """Return an exception that explains an error message of SentencePiece's trainer."""
    if most := re.search(r"value <= (\d+)", message):
        return VocabularyTooLarge(vocab_size, int(most[1]))
    if least := re.search(r"required_chars\D+\d+ vs (\d+)", message):
        return VocabularyTooSmall(vocab_size, int(least[1]))
    if "sentences_.empty()" in message:
        return UserError(
            "no subwords can be trained: all sentences of one side are empty, or longer than "
            "4,192 bytes"
        )
    return UserError(f"the subword model could not be trained: {message}")


def _without_path(model: bytes) -> bytes:
    """Return a serialized model without the path of the temporary file of its rules."""
    proto = sentencepiece_model_pb2.ModelProto.FromString(model)
    proto.normalizer_spec.ClearField("normalization_rule_tsv")
    return proto.SerializeToString(deterministic=True)


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
        UserError: If `train_subwords` raises one, other than a `VocabularyTooLarge`, or no size
            suits all texts.
    """
    size = vocab_size
    try:
        while True:
            largest = min(_train_up_to(*each, size) for each in zip(texts, paths, strict=True))
            if largest == size:
                return size
            size = largest
    except VocabularyTooSmall as error:
        if size == vocab_size:
            raise
        raise UserError(
            f"one side of the corpus yields at most {size:,} subwords, but the other one needs at "
            f"least {error.least:,}: give joint_vocabulary, so that both share theirs"
        ) from error


def _train_up_to(sentences: Iterable[str], path: str | os.PathLike[str], vocab_size: int) -> int:
    """Train a model and return its size, or return the maximum if `vocab_size` exceeds it."""
    try:
        train_subwords(sentences, vocab_size, path)
    except VocabularyTooLarge as error:
        return error.largest
    return vocab_size


def trained_subwords(sentences: Iterable[str], vocab_size: int, lang: str) -> Subwords:
    """Return a subword vocabulary trained on sentences, without saving its model.

    The arguments and exceptions are those of `train_subwords` and `Subwords.load`.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "subwords.model")
        train_subwords(sentences, vocab_size, path)
        return Subwords.load(path, lang)

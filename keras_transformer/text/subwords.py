"""Subwords: sentences to ids and back, through BPEmb (Heinzerling and Strube 2018).

Of a vocabulary of V pieces, ids 1 to V - 1 are the model's own; 0 is padding; V is the start token
and V + 1 the end token. BPEmb's own id 0, `<unk>`, becomes 1: the piece `<s>`, which encoding
never yields, so an unknown character is never taken for padding.
"""

import http.client
import io
import re
import shutil
import tempfile
import urllib.request
from pathlib import Path

import sentencepiece
from bpemb import BPEmb
from sentencepiece import sentencepiece_model_pb2

from keras_transformer.errors import UserError
from keras_transformer.files import write_bytes
from keras_transformer.text.normalization import european_characters, rules_tsv

PADDING = 0
UNKNOWN = 1
UNKNOWN_PIECE = 0  # its id in BPEmb

# SentencePiece trains on a sample of this size, so that its memory does not grow with the corpus.
SAMPLE_SENTENCES = 1_000_000
# From this number of pieces on, a vocabulary can represent any text.
FULL_VOCABULARY = 1000
CONTROL_BYTES = (*range(0x20), 0x7F)
DOWNLOAD_SECONDS = 60  # without an answer


class Subwords:
    """The subwords of one language.

    Args:
        bpemb: a `bpemb.BPEmb` with V pieces.

    Attributes:
        start: id of the start token, V.
        end: id of the end token, V + 1.
        size: number of ids, V + 2.
        preprocessed: whether text is lower-cased and its digits made 0 before it is encoded.
    """

    def __init__(self, bpemb):
        self.bpemb = bpemb
        self.preprocessed = bpemb.do_preproc
        self.start = bpemb.vocab_size
        self.end = bpemb.vocab_size + 1
        self.size = bpemb.vocab_size + 2

    @classmethod
    def load(cls, path, lang, pretrained=False):
        """The subwords of a SentencePiece model.

        Args:
            path: file of the model.
            lang: the language, as BPEmb names it.
            pretrained: whether the model is BPEmb's own, made from lower-cased text with digits
                as 0: then text is treated so before it is encoded.

        Raises:
            UserError: an unknown language, a missing file, or one that is no such model.
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

    def encode(self, sentence):
        """[start] + the sentence's ids + [end]. A lone surrogate is read as a question mark."""
        ids = self.bpemb.encode_ids(_encodable(sentence))
        return [self.start, *(i if i != UNKNOWN_PIECE else UNKNOWN for i in ids), self.end]

    def decode(self, ids):
        """The text of ids; padding, start and end tokens give nothing.

        It is the normalized text that was encoded, except for characters that a vocabulary
        without bytes does not have (they give SentencePiece's mark of the unknown) and, with a
        pretrained model, upper case and digits.
        """
        pieces = [
            int(i) if i != UNKNOWN else UNKNOWN_PIECE
            for i in ids
            if i not in (PADDING, self.start, self.end)
        ]
        # Not through BPEmb.decode_ids: it takes each id of a flat list for a sentence.
        return self.bpemb.spm.decode_ids(pieces)

    def never_written(self):
        """Return the ids that no translation has.

        They are those of no subword, except the end token, and of the bytes that are control
        characters: a line feed would make two lines of a translation.
        """
        model = self.bpemb.spm
        pieces = [model.piece_to_id(f"<0x{byte:02X}>") for byte in CONTROL_BYTES]
        return [PADDING, UNKNOWN, self.start, *(i for i in pieces if model.is_byte(i))]

    def unknown_characters(self, text):
        """Return the characters of a text that are not in the vocabulary, each once, in order.

        A vocabulary with bytes represents them by bytes, any other by the unknown piece.
        """
        text = self.bpemb.preprocess(text) if self.preprocessed else text
        characters = dict.fromkeys(self.bpemb.spm.normalize(_encodable(text)))
        return "".join(c for c in characters if self.bpemb.spm.piece_to_id(c) == UNKNOWN_PIECE)

    def labels(self, ids):
        """The subword of each id, as the network saw it."""
        named = {
            PADDING: "<pad>",
            UNKNOWN: "<unk>",
            self.start: "<start>",
            self.end: "<end>",
        }
        return [named.get(int(i)) or self.bpemb.spm.id_to_piece(int(i)) for i in ids]


def _encodable(sentence):
    """The sentence with a question mark for each lone surrogate."""
    return sentence.encode("utf-8", "replace").decode("utf-8")


def check_language(lang):
    """The vocabulary sizes that BPEmb publishes for a language.

    Raises:
        UserError: BPEmb does not know the language.
    """
    try:
        return sorted(BPEmb.available_vocab_sizes(lang))
    except (KeyError, ValueError) as error:
        raise UserError(
            f"unknown language {lang!r}: give a code that BPEmb knows, such as en, de, pt or zh"
        ) from error


def train_subwords(sentences, vocab_size, path):
    """Train a SentencePiece BPE model: cased, digits kept, text normalized by our rules.

    A vocabulary of at least `FULL_VOCABULARY` pieces contains printable ASCII, each digit as a
    piece of its own, the letters of European languages, and the 256 bytes, to which any other
    character falls back. A smaller one contains the characters of the sentences only.

    Args:
        sentences: iterable of strings, read once.
        vocab_size: number of pieces V.
        path: file the model is written to.

    Raises:
        VocabularyTooLarge: the sentences do not yield so many pieces.
        UserError: the sentences are empty, or have more characters than V.
    """
    sentencepiece.set_random_generator_seed(1)
    model = io.BytesIO()
    with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="ascii") as rules:
        rules.write(rules_tsv())
        rules.flush()
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(sentences),
                model_writer=model,
                model_type="bpe",
                vocab_size=vocab_size,
                character_coverage=1.0,
                normalization_rule_tsv=rules.name,
                input_sentence_size=SAMPLE_SENTENCES,
                shuffle_input_sentence=True,
                minloglevel=3,
                **(_full_vocabulary() if vocab_size >= FULL_VOCABULARY else {}),
            )
        except (RuntimeError, ValueError) as error:
            raise _why_training_failed(str(error), vocab_size) from error
    write_bytes(path, _without_path(model.getvalue()))


def _without_path(model):
    """Return a serialized model that does not name the file of its rules, which was temporary."""
    proto = sentencepiece_model_pb2.ModelProto.FromString(model)
    proto.normalizer_spec.ClearField("normalization_rule_tsv")
    return proto.SerializeToString(deterministic=True)


def _full_vocabulary():
    """Return the trainer's options for a vocabulary that can represent any text."""
    return {
        "required_chars": european_characters(),
        "byte_fallback": True,
        # A number is copied digit by digit, whatever its length.
        "split_digits": True,
    }


class VocabularyTooLarge(UserError):
    """The sentences yield fewer subwords than wanted: `largest` at most."""

    def __init__(self, vocab_size, largest):
        super().__init__(
            f"vocab_size {vocab_size} is more than the corpus can give: at most {largest}"
        )
        self.largest = largest


def train_largest(texts, vocab_size, paths):
    """Train a model for each text, all of one size: `vocab_size`, or the largest that all allow.

    Args:
        texts: iterables of sentences, which can be read repeatedly.
        vocab_size: number of pieces V that is wanted.
        paths: a file for each text.

    Returns:
        The number of pieces of each model.

    Raises:
        UserError: as for `train_subwords`, except that the size may be too large.
    """
    while True:
        largest = min(_train_up_to(*each, vocab_size) for each in zip(texts, paths, strict=True))
        if largest == vocab_size:
            return vocab_size
        vocab_size = largest


def _train_up_to(sentences, path, vocab_size):
    """Train a model of `vocab_size` pieces, or return the largest number that is possible."""
    try:
        train_subwords(sentences, vocab_size, path)
    except VocabularyTooLarge as error:
        return error.largest
    return vocab_size


def _why_training_failed(message, vocab_size):
    """Return the exception that explains a message of SentencePiece's trainer."""
    if most := re.search(r"value <= (\d+)", message):
        return VocabularyTooLarge(vocab_size, int(most[1]))
    if least := re.search(r"required_chars\D+\d+ vs (\d+)", message):
        return UserError(
            f"vocab_size {vocab_size} is too small: the corpus has {least[1]} characters"
        )
    if "sentences_.empty()" in message:
        return UserError("no subwords can be trained: all sentences of one side are empty")
    return UserError(f"the subword model could not be trained: {message}")


def fetch_pretrained(lang, vocab_size, path, cache_dir=None):
    """Copies BPEmb's published model to `path`, downloading it the first time.

    Args:
        lang: the language, as BPEmb names it.
        vocab_size: number of pieces V, one of those published.
        path: file the model is copied to.
        cache_dir: directory of downloaded models; BPEmb's own by default.

    Raises:
        UserError: an unknown language or size, or no network; it names the file to fetch.
    """
    sizes = check_language(lang)
    if vocab_size not in sizes:
        raise UserError(
            f"BPEmb has no model of {vocab_size} subwords for {lang}: choose one of "
            + ", ".join(map(str, sizes))
        )
    name = BPEmb.model_tpl.format(lang=lang, vs=vocab_size)
    cached = Path(cache_dir or Path.home() / ".cache" / "bpemb") / name
    if not cached.is_file():
        _download(BPEmb.base_url + name, vocab_size, cached)
    shutil.copyfile(cached, path)


def _download(url, vocab_size, path):
    """BPEmb's own download checks no certificate, may wait for ever and trusts half a file."""
    try:
        with urllib.request.urlopen(url, timeout=DOWNLOAD_SECONDS) as answer:
            content = answer.read()
        pieces = sentencepiece.SentencePieceProcessor(model_proto=content).get_piece_size()
        if pieces != vocab_size:
            raise OSError(f"it came with {pieces} subwords, not {vocab_size}")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, content)
    except (OSError, RuntimeError, http.client.HTTPException) as error:
        raise UserError(
            f"BPEmb's model could not be downloaded ({error}): fetch {url} and save it as {path}"
        ) from error

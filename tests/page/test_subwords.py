"""The page's subwords against SentencePiece and BPEmb."""

import functools
import random

import pytest
import sentencepiece
from hypothesis import strategies as st
from sentencepiece import sentencepiece_model_pb2

from keras_transformer.export.html.subword_data import subword_data
from keras_transformer.text.subword_training import train_subwords
from keras_transformer.text.subwords import Subwords
from tests.data import published_model, train_as_bpemb
from tests.page.drawing import draw
from tests.page.node import run_node
from tests.text.odd_strings import odd_strings, plain_strings

ModelProto = sentencepiece_model_pb2.ModelProto
Piece = ModelProto.SentencePiece
LONE_SURROGATES = ["\ud800", "a\udfffb", "\udc00\ud83d a", "\ud83d\U0001f600\ude00", "\udce4 "]
WHITE_SPACE = "".join(c for c in map(chr, range(0x10000)) if c.isspace())
NOT_WHITE_SPACE = ["\ufeff", "\u200b", "\u180e", "\xad", "▁", " ▁ "]
SYMBOLS = ["<name>", "<name>s", "ab", "  ", "é", "ﬁ", "„"]
LETTERS_AND_MARKS = [
    *"aeouAιυ",
    *map(chr, (0x300, 0x301, 0x302, 0x303, 0x304, 0x308, 0x30A, 0x323)),
]


def train_otherwise(**options):
    """Return a function that trains a model with options of SentencePiece's trainer."""

    def train(sentences, size, path):
        with path.open("wb") as file:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(sentences),
                model_writer=file,
                model_type="bpe",
                vocab_size=size,
                minloglevel=3,
                **options,
            )

    return train


def write_by_hand(sentences, size, path):
    """Write a model that no trainer yields: with a piece that contains a user-defined symbol."""
    model = ModelProto()
    model.trainer_spec.model_type = model.trainer_spec.BPE
    model.normalizer_spec.escape_whitespaces = False
    types = {"<unk>": Piece.UNKNOWN, "<s>": Piece.CONTROL, "ab": Piece.USER_DEFINED}
    for i, piece in enumerate([*types, *" abcdefgh▁", "abc", "cab", " c", "bc", "de", "fg", "def"]):
        model.pieces.add(piece=piece, score=-i, type=types.get(piece, Piece.NORMAL))
    path.write_bytes(model.SerializeToString())


# For each kind: the function that makes a model, and characters that its text contains.
KINDS = {
    "trained": (train_subwords, "Ä ö ß ▁ 7 ٣ <s>"),
    "full": (None, ""),
    "symbols": (
        train_otherwise(
            user_defined_symbols=SYMBOLS, remove_extra_whitespaces=False, unk_surface="▁?"
        ),
        "Ä ö ß ▁ 7 ٣ <s>",
    ),
    "identity": (
        train_otherwise(
            normalization_rule_name="identity", add_dummy_prefix=False, byte_fallback=True
        ),
        "",
    ),
    "unchanged spaces": (
        train_otherwise(add_dummy_prefix=False, remove_extra_whitespaces=False),
        "Ä ö ß ▁ 7 ٣ <s>",
    ),
    "handmade": (write_by_hand, ""),
    "preprocessed": (train_as_bpemb, "ä ö ß ▁ 0 <s>"),
    "published": (None, ""),
}


@pytest.fixture(scope="module", params=KINDS)
def subwords(request, tmp_path_factory, thousand):
    if request.param == "published":
        # If BPEmb's file is not available, "preprocessed" still tests the same code.
        return Subwords.load(published_model(), "en", pretrained=True)
    path = tmp_path_factory.mktemp("subwords") / "some.model"
    path.write_bytes(thousand)
    make, characters = KINDS[request.param]
    if make:
        make([*plain_strings(500), characters], 300, path)
    return Subwords.load(path, "en", pretrained=request.param == "preprocessed")


def mixed(pool, count, seed):
    """Return lists of up to 12 elements of a pool."""
    random_numbers = random.Random(seed)
    return [random_numbers.choices(pool, k=random_numbers.randint(1, 12)) for _ in range(count)]


@functools.cache
def texts():
    characters = map(chr, [*range(0xD800), *range(0xE000, 0x110000)])
    changed = [f"a{c}b" for c in characters if c.lower() != c or c.isdigit()]
    with_symbols = mixed([*SYMBOLS, "<", "a", "b", "c", "e\u0301", " ", "▁", "Σ", "😀"], 1000, 3)
    marked = mixed(LETTERS_AND_MARKS, 1000, 4)
    special = [*LONE_SURROGATES, *WHITE_SPACE, WHITE_SPACE, *NOT_WHITE_SPACE]
    return [
        *odd_strings(4000),
        *plain_strings(1000),
        *changed,
        *map("".join, with_symbols + marked),
        *special,
        *draw(st.text(), 200),
    ]


def rows_of_ids(subwords):
    """Ids to decode: any ids, the first ids, bytes, and the ids of texts."""
    any_ids = draw(st.lists(st.integers(0, subwords.size - 1)), 200)
    first = mixed(range(min(300, subwords.size)), 1000, 5)
    # The ids of first, second and last bytes of characters, if the vocabulary has bytes.
    bytes_of_characters = [
        1,
        *(i + 3 for i in bytes.fromhex("41809fa0bfc1c3e0e2edef8196bb90f0f4f5")),
    ]
    is_byte = [i for i in bytes_of_characters if i < subwords.size]
    encoded = [subwords.encode(text) for text in odd_strings(500)]
    return [[], *any_ids, *first, *mixed(is_byte, 2000, 6), *encoded]


@pytest.fixture(scope="module")
def page(subwords):
    """What the page computes with the subwords, and from what."""
    value = {"data": subword_data(subwords), "texts": texts(), "rows": rows_of_ids(subwords)}
    return value | run_node("subwords.mjs", value)


def test_all_texts_are_encoded_as_in_python(subwords, page):
    """Odd and plain strings, every capital and digit, symbols, white space, and any text."""
    for text, found in zip(page["texts"], page["encoded"], strict=True):
        assert found == (subwords.encode(text) if text.strip() else []), repr(text)


def test_all_ids_are_decoded_as_in_python(subwords, page):
    """Including bytes that are not valid UTF-8 together."""
    for ids, found in zip(page["rows"], page["decoded"], strict=True):
        assert found == subwords.decode(ids), ids


def test_labels_and_sizes_equal_those_in_python(subwords, page):
    assert page["labels"] == subwords.labels(range(subwords.size))
    sizes = page["start"], page["end"], page["size"]
    assert sizes == (subwords.start, subwords.end, subwords.size)

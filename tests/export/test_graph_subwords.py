"""Subwords in a graph against BPEmb."""

import random

import pytest
import sentencepiece
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_transformer.export.graph_subwords import GraphSubwords
from keras_transformer.text.subword_training import train_subwords
from keras_transformer.text.subwords import Subwords
from tests.data import published_model, train_as_bpemb
from tests.text.odd_strings import odd_strings, plain_strings


@pytest.fixture(scope="module", params=["trained", "full", "preprocessed", "published"])
def subwords(request, tmp_path_factory, thousand):
    """Subwords without bytes, with bytes (1000 pieces), and for preprocessed text."""
    if request.param == "published":
        # If BPEmb's file is not available, "preprocessed" still tests the same code.
        return Subwords.load(published_model(), "en", pretrained=True)
    path = tmp_path_factory.mktemp("subwords") / "some.model"
    path.write_bytes(thousand)
    if request.param == "trained":
        train_subwords([*plain_strings(500), "Ä ö ß ▁ 7 ٣ <s>"], 300, path)
    elif request.param == "preprocessed":
        train_as_bpemb([*plain_strings(500), "ä ö ß ▁ 0 <s>"], 300, path)
    return Subwords.load(path, "en", pretrained=request.param == "preprocessed")


@pytest.fixture(scope="module")
def graph_subwords(subwords):
    return GraphSubwords(subwords, 1_000_000)


@pytest.fixture(scope="module")
def encode(graph_subwords):
    """In a graph, as in an export: outside, each call lists all digits of Unicode."""
    signature = [tf.TensorSpec((None,), tf.string)]
    return tf.function(graph_subwords.encode, signature, autograph=False)


def wanted(subwords, sentence):
    """Return the ids of a sentence by BPEmb, or none for white space."""
    ids = subwords.encode(sentence) if sentence.strip() else []
    return ids if len(ids) > 2 else []


def test_ten_thousand_strings_are_encoded_as_by_bpemb(subwords, encode):
    strings = odd_strings(4000) + plain_strings(6000)
    for first in range(0, len(strings), 500):
        some = strings[first : first + 500]
        found = encode(tf.constant([text.encode() for text in some])).numpy()
        for text, row in zip(some, found, strict=True):
            ids = wanted(subwords, text)
            assert row.tolist() == ids + [0] * (len(row) - len(ids)), repr(text)


@settings(max_examples=200)
@given(st.text())
def test_any_text_is_encoded_as_by_bpemb(subwords, encode, text):
    found = encode(tf.constant([text.encode("utf-8", "replace")])).numpy()
    ids = wanted(subwords, text)
    assert found[0].tolist() == ids + [0] * (found.shape[1] - len(ids))


@settings(max_examples=200)
@given(st.data())
def test_any_ids_are_decoded_as_by_sentencepiece(subwords, graph_subwords, data):
    """Including bytes that are not valid UTF-8 together."""
    ids = data.draw(st.lists(st.integers(1, subwords.start - 1).filter(lambda i: i != 2)))
    [found] = graph_subwords.decode(tf.constant([ids], tf.int32)).numpy()
    assert found.decode("utf-8") == subwords.decode(ids)


@settings(max_examples=100)
@given(st.text())
def test_encoded_text_is_decoded_as_in_python(subwords, graph_subwords, text):
    ids = subwords.encode(text)
    [found] = graph_subwords.decode(tf.constant([ids], tf.int32)).numpy()
    assert found.decode("utf-8") == subwords.decode(ids)


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("a\tb\xa0c", "a b c"),
        ("„ab“ ‘c’", "\"ab\" 'c'"),
        ("u\u0308ber", "über"),
        ("Привет, мир!", "Привет, мир!"),
        ("你好，世界。", "你好，世界。"),
        ("😀👨\u200d👩", "😀👨\u200d👩"),
        ("a <0x41>", "a <0x41>"),
    ],
)
def test_a_full_vocabulary_represents_any_text(thousand, tmp_path, text, normalized):
    path = tmp_path / "some.model"
    path.write_bytes(thousand)
    graph = GraphSubwords(Subwords.load(path, "en"), 100)
    ids = graph.encode(tf.constant([text]))
    assert 1 not in ids.numpy()
    assert graph.decode(ids).numpy()[0].decode("utf-8") == normalized


def test_every_capital_and_digit_is_encoded_as_by_bpemb(subwords, encode):
    """No vocabulary contains the letters that only Python's newer Unicode tables lower-case."""
    characters = map(chr, [*range(0xD800), *range(0xE000, 0x110000)])
    changed = [c for c in characters if c.lower() != c or c.isdigit()]
    strings = [f"a{c}b" for c in changed]
    found = encode(tf.constant([text.encode() for text in strings])).numpy()
    for text, row in zip(strings, found, strict=True):
        ids = wanted(subwords, text)
        assert row.tolist() == ids + [0] * (len(row) - len(ids)), repr(text)


def test_padded_rows_are_decoded_as_in_python(subwords, graph_subwords):
    draw = random.Random(2)
    rows = [[draw.choice([1, *range(3, subwords.start)]) for _ in range(9)] for _ in range(300)]
    rows = [[*row[: i % 9], subwords.end] + [0] * (9 - i % 9) for i, row in enumerate(rows)]
    found = [text.decode() for text in graph_subwords.decode(tf.constant(rows)).numpy()]
    assert found == [subwords.decode(row) for row in rows]


def test_labels_equal_those_in_python(subwords, graph_subwords):
    ids = [*subwords.encode("ab 😀"), 0]
    assert [text.decode() for text in graph_subwords.labels(ids).numpy()] == subwords.labels(ids)


def test_invalid_utf8_is_read_as_the_replacement_character(subwords, encode):
    found = encode(tf.constant([b"a\xffb", b"\xc3"])).numpy()
    assert found[0].tolist() == subwords.encode("a\ufffdb")
    assert [i for i in found[1] if i] == wanted(subwords, "\ufffd")


@pytest.mark.parametrize("strings", [[], [""], [" ", "\t"]])
def test_white_space_yields_padding(encode, strings):
    found = encode(tf.constant(strings, tf.string))
    assert found.shape[0] == len(strings)
    assert not found.numpy().any()


def test_long_sentences_are_cut(subwords):
    long = "ab " * 100
    found = GraphSubwords(subwords, 10).encode(tf.constant([long])).numpy()[0].tolist()
    assert found == [*subwords.encode(long)[:9], subwords.end]


def test_bpemb_encodes_as_sentencepiece_does(subwords):
    model = sentencepiece.SentencePieceProcessor(
        model_proto=subwords.bpemb.spm.serialized_model_proto()
    )
    assert subwords.encode("abc def")[1:-1] == model.encode("abc def")

"""Answers of a server: each is valid translations, valid attention, or an error in one line."""

import base64
import json
import math

import hypothesis
import pytest
from hypothesis import strategies

from keras_transformer.client import ServedTranslator
from keras_transformer.errors import UserError
from keras_transformer.rest.outputs import PADDING
from keras_transformer.text.special_tokens import PADDING_TOKEN
from keras_transformer.translation.translation import Translation
from tests.rest.scripted_server import (
    ScriptedServer,
    answering,
    check_translations,
    error,
    http_reply,
    message_of,
    translated,
)


def test_the_scripted_server_can_answer():
    """The tests below depend on this."""
    assert translated(answering(["x", "y"], [-1, 0.5]), count=2) == [
        [Translation("x", -1.0)],
        [Translation("y", 0.5)],
    ]


def test_padding_has_the_name_that_exports_give_it():
    assert PADDING == PADDING_TOKEN


@pytest.mark.parametrize(
    "value", [None, 1, True, ["x"], {}, {"b64": 1}, {"b64": "!"}, {"b64": "eA==", "x": 1}, "\ud800"]
)
def test_a_translation_that_is_not_text_is_rejected(value):
    assert error(answering([value])) == "the output translation contains a value that is not text"


@pytest.mark.parametrize("text", ["", "schön", "\U0001f600", "\u2028"])
def test_text_may_be_encoded_in_base64(text):
    """TensorFlow Serving does so for outputs whose names end in `_bytes`."""
    encoded = base64.b64encode(text.encode("utf-8")).decode()
    assert translated(answering([{"b64": encoded}])) == translated(answering([text]))


def test_bytes_that_are_not_utf_8_are_rejected():
    encoded = base64.b64encode(b"sch\xf6n").decode()
    assert "not text" in error(answering([{"b64": encoded}]))
    latin1 = http_reply('{"outputs": {"translation": ["schön"], "score": [0]}}'.encode("latin-1"))
    assert "not from TensorFlow Serving" in error(latin1)


@pytest.mark.parametrize(
    "value", [None, "-0.5", True, [-0.5], {}, math.nan, math.inf, 10**400, float("-inf")]
)
def test_a_score_that_is_not_a_finite_number_is_rejected(value):
    message = "the output score contains a value that is not a finite number"
    assert error(answering(["x"], [value])) == message


@pytest.mark.parametrize("column", [None, "x", 1, {"0": "x"}, True])
def test_a_column_that_is_not_a_list_is_rejected(column):
    assert error(answering(column)) == "the output translation is not a list"
    assert error(answering(["x"], column)) == "the output score is not a list"


@pytest.mark.parametrize("outputs", [None, [], ["x"], "x", 1, {}, {"translation": ["x"]}])
def test_outputs_of_another_model_are_rejected(outputs):
    message = "the model has no output translation and score; it was not exported by"
    assert message in error(http_reply({"outputs": outputs}))


@pytest.mark.parametrize(("texts", "scores"), [(0, 0), (1, 1), (3, 3), (2, 1), (1, 2)])
def test_the_number_of_translations_must_be_that_of_the_sentences(texts, scores):
    message = f"{texts} translations and {scores} scores for 2 sentences"
    assert error(answering(["x"] * texts, [0.0] * scores), count=2) == message


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"<html>busy</html>",
        b'{"outputs": {"translation": ["x"], "score": [0]',
        b"[" * 100_000,
        b'{"outputs":' * 100_000,
        b'{"outputs": {"translation": ["x"], "score": [' + b"1" * 5000 + b"]}}",
        '{"outputs": {"translation": ["x"], "score": [0]}}'.encode("utf-16"),
        b"null",
        b"[]",
        b'"outputs"',
    ],
    ids=lambda body: repr(body[:20]),
)
def test_a_body_that_is_not_an_object_in_json_is_rejected(body):
    assert error(http_reply(body)) == "status 200, not from TensorFlow Serving"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"error": "Model\r\nnot\tfound\x1b[31m"}, "Model not found\ufffd[31m"),
        ({"error": "\ud800"}, "\ufffd"),
        ({"error": "x" * 10_000}, "x" * 497 + "..."),
        ({"error": {"code": 1}}, "status 400, not from TensorFlow Serving"),
        ({"error": None}, "status 400, not from TensorFlow Serving"),
        ({"error": " \n"}, "status 400, not from TensorFlow Serving"),
        ({"outputs": {"translation": ["x"], "score": [0]}}, "status 400, not from"),
    ],
)
def test_the_message_of_a_server_becomes_one_line(content, message):
    assert error(http_reply(content, "400 Bad Request")).startswith(message)


JSON = strategies.recursive(
    strategies.none()
    | strategies.booleans()
    | strategies.integers()
    | strategies.floats()
    | strategies.text(strategies.characters())
    | strategies.just("\ud800"),
    lambda inner: strategies.lists(inner) | strategies.dictionaries(strategies.text(), inner),
    max_leaves=5,
)


COLUMN = JSON | strategies.lists(JSON, min_size=2, max_size=2)


TEXTS = strategies.lists(strategies.text() | JSON, min_size=2, max_size=2)


SCORES = strategies.lists(strategies.floats() | JSON, min_size=2, max_size=2)


CONTENT = (
    JSON
    | strategies.fixed_dictionaries({"outputs": JSON})
    | strategies.fixed_dictionaries({"error": JSON})
    | strategies.fixed_dictionaries(
        {
            "outputs": strategies.fixed_dictionaries(
                {"translation": COLUMN | TEXTS, "score": COLUMN | SCORES}
            )
        }
    )
)


@hypothesis.given(CONTENT, strategies.sampled_from(["200 OK", "400 Bad Request", "302 Found"]))
def test_any_json_is_translations_or_an_error(adjustable, content, status):
    server, reply = adjustable
    reply.content = http_reply(content, status)
    check_translations(server)


def attention_outputs(source=3, target=2, padding=0, layers=2, heads=2):
    """Return valid outputs of the signature `attention`, with uniform weights."""
    labels = {"source": source, "target": target}
    widths = {side: length + padding for side, length in labels.items()}

    def weights(queries, keys):
        row = [1 / widths[keys]] * widths[keys]
        return [[[[row] * widths[queries]] * heads] * layers]

    return {
        f"{side}_subwords": [["<start>", *["▁x"] * (length - 2), "<end>", *["<pad>"] * padding]]
        for side, length in labels.items()
    } | {
        "encoder_attention": weights("source", "source"),
        "decoder_attention": weights("target", "target"),
        "cross_attention": weights("target", "source"),
    }


def attention(server):
    served = ServedTranslator(server.address, timeout=20, backoff=0)
    return served.attention("a", Translation("x", 0.0))


@pytest.mark.parametrize("padding", [0, 3])
def test_attention_without_its_padding_is_returned(padding):
    outputs = attention_outputs(padding=padding)
    with ScriptedServer(http_reply({"outputs": outputs})) as server:
        source, target, weights = attention(server)
    assert (source, target) == (["<start>", "▁x", "<end>"], ["<start>", "<end>"])
    assert [layer.shape for layer in weights.encoder] == [(1, 2, 3, 3)] * 2
    assert [layer.shape for layer in weights.decoder] == [(1, 2, 2, 2)] * 2
    assert [layer.shape for layer in weights.cross] == [(1, 2, 2, 3)] * 2


@pytest.mark.parametrize("name", attention_outputs())
@pytest.mark.parametrize(
    "value",
    [
        None,
        "x",
        {},
        [],
        [[]],
        [None],
        [[None]],
        [["<pad>", "<pad>", "<pad>"]],
        [["<start>", "\ud800", "<end>"]],
        [["<start>", "<end>"], ["<start>", "<end>"]],
        [[["a"]]],
        [[[[[]]]]],
        [[[[[0.5]]]]],
        [[[[[0.5, 0.5], [1]]]]],
        [[[[["a"] * 3] * 3]]],
        [[[[["0.5"] * 3] * 3]]],
        [[[[[True] * 3] * 3]]],
        [[[[[None] * 3] * 3]]],
        [[[[[math.nan] * 3] * 3]]],
        [[[[[2] * 3] * 3]]],
        [[[[[-1] * 3] * 3]]],
        [[[[[10**400] * 3] * 3]]],
        [[[[[{}] * 3] * 3]]],
        [[[[[1, "x" * 10**6] * 3] * 3]]],
        json.loads("[" * 90 + "]" * 90),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_invalid_attention_is_rejected(name, value):
    """Every value is invalid for every output: subwords, or weights of 2 or 3 positions."""
    reply = http_reply({"outputs": attention_outputs() | {name: value}})
    with ScriptedServer(reply) as server, pytest.raises(UserError) as raised:
        attention(server)
    assert message_of(raised.value, server).startswith(f"the output {name} ")


@pytest.mark.parametrize(
    "outputs",
    [
        attention_outputs(heads=129),
        attention_outputs(source=1001, heads=1, layers=1),
        attention_outputs() | {"source_subwords": [["<start>", "x" * 101, "<end>"]]},
    ],
)
def test_attention_that_is_too_large_for_a_plot_is_rejected(outputs):
    reply = http_reply({"outputs": outputs})
    with ScriptedServer(reply) as server, pytest.raises(UserError) as raised:
        attention(server)
    assert message_of(raised.value, server).startswith("the output ")


@hypothesis.given(strategies.sampled_from(sorted(attention_outputs())), JSON)
def test_any_json_is_attention_or_an_error(adjustable, name, value):
    server, reply = adjustable
    reply.content = http_reply({"outputs": attention_outputs() | {name: value}})
    try:
        attention(server)
    except UserError as raised:
        assert message_of(raised, server)

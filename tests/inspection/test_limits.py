"""Checks of what users choose; the limits are those of the arguments."""

import pytest

from keras_transformer.errors import UserError
from keras_transformer.inspection.limits import (
    check_head,
    check_layer,
    check_length,
    complete_source_ids,
)


@pytest.mark.parametrize("layer", [0, -1, 3])
@pytest.mark.parametrize(
    ("kind", "stack"), [("encoder", "encoder"), ("decoder", "decoder"), ("cross", "decoder")]
)
def test_a_missing_layer_is_an_error(layer, kind, stack):
    with pytest.raises(UserError, match=f"^there is no {stack} layer {layer}: the {stack} has 2$"):
        check_layer(layer, 2, kind)


@pytest.mark.parametrize(("layer", "num_layers"), [(1, 2), (2, 2), (None, 2), (99, None)])
def test_existing_layers_are_accepted(layer, num_layers):
    check_layer(layer, num_layers, "cross")


def test_heads_count_from_1():
    for head in (None, 1, 8):
        check_head(head, 8)
    for head in (0, 9):
        with pytest.raises(UserError, match=f"^there is no head {head}: each layer has 8$"):
            check_head(head, 8)


def test_a_text_may_have_as_many_subwords_as_the_network_reads():
    check_length("the sentence", 39, 39)
    with pytest.raises(UserError, match="^the sentence is too long: it has 40 subwords, and the"):
        check_length("the sentence", 40, 39)


def test_the_ids_of_a_source_are_complete(translator):
    ids = complete_source_ids(translator, "b " * 39)
    assert ids == translator.source_subwords.encode("b " * 39)
    assert len(ids) == translator.max_source_length == 41


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("", "it is empty"),
        (" ", "it is empty"),
        ("\u200b", "it is empty"),  # a zero-width space
        ("b " * 40, "it is too long: it has 40 subwords, and the network reads at most 39"),
    ],
)
def test_sources_that_are_empty_or_too_long_are_errors(translator, sentence, message):
    with pytest.raises(UserError, match=f"^{message}$"):
        complete_source_ids(translator, sentence, "it")

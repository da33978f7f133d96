import functools

import pytest
import tensorflow as tf

from keras_transformer.inspection.network import structure
from keras_transformer.inspection.network.structure import Shape, definitions, dimensions, parts_of
from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer

CONFIGURATIONS = {
    "defaults": Options(),
    "pre-norm": Options(norm_first=True, attention_rate=0.1, activation_rate=0.2),
    "all tied": Options(tied_embeddings="all", norm_first=True),
    "not tied": Options(tied_embeddings="none"),
    "one decoder layer": Options(decoder_layers=1, norm_first=True),
    "three decoder layers": Options(decoder_layers=3, tied_embeddings="none"),
}


@functools.cache
def network(options=None, source_size=50, target_size=50):
    model = Transformer(
        num_layers=2,
        d_model=16,
        num_heads=4,
        dff=24,
        input_vocab_size=source_size,
        target_vocab_size=target_size,
        maximum_position_encoding=12,
        rate=0.3,
        options=options or Options(),
    )
    model.build(((None, None), (None, None)))
    return model


def attribute(model, path):
    """Return what a path of attributes and indices such as `a.b[0].c` leads to."""
    return eval(f"model.{path}", {"model": model})


@pytest.mark.parametrize("options", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_the_weights_add_up_to_those_of_the_network(options):
    model = network(options)
    parts = parts_of(model)
    assert sum(part.weights for part in parts) == model.count_params()
    assert len({part.name for part in parts}) == len(parts)


def test_the_vocabularies_may_differ_in_size():
    model = network(source_size=70)
    parts = {part.name: part for part in parts_of(model)}
    assert sum(part.weights for part in parts.values()) == model.count_params()
    assert parts["encoder.embedding.embedding"].shapes["table"] == Shape(("V", "D"), (70, 16))
    assert parts["decoder.embedding.embedding"].shapes["table"] == Shape(("V", "D"), (50, 16))
    assert "V = 70 or 50 (ids of the vocabulary)" in definitions(model)


@pytest.mark.parametrize("options", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_the_name_of_a_part_leads_to_a_layer_with_its_weights(options):
    model = network(options)
    functions = {structure.IDS, structure.SOFTMAX, structure.POSITIONS, structure.RESIDUAL}
    named = [part for part in parts_of(model) if part.kind not in functions and not part.owner]
    assert len(named) > 10
    for part in named:
        assert attribute(model, part.name).count_params() == part.weights, part


@pytest.mark.parametrize(
    ("tied", "owners"),
    [
        ("none", {}),
        ("output", {"final_layer"}),
        ("all", {"encoder.embedding.embedding", "final_layer"}),
    ],
)
def test_shared_weights_belong_to_the_embedding_of_the_decoder(tied, owners):
    model = network(Options(tied_embeddings=tied))
    parts = {part.name: part for part in parts_of(model)}
    table = "decoder.embedding.embedding"
    assert dict.fromkeys(owners, table) == {
        part.name: part.owner for part in parts.values() if part.owner
    }
    assert parts[table].weights == 50 * 16
    assert parts["encoder.embedding.embedding"].weights == (0 if tied == "all" else 50 * 16)
    assert parts["final_layer"].weights == 50 + (50 * 16 if tied == "none" else 0)


@pytest.mark.parametrize(("norm_first", "step"), [(True, -1), (False, 1)])
def test_the_normalization_is_before_or_after_the_sublayer(norm_first, step):
    parts = parts_of(network(Options(norm_first=norm_first)))
    names = [part.name for part in parts]
    path = "decoder.dec_layers[1].cross_attention"
    order = [f"{path}.residual.layernorm", f"{path}.mha", f"{path}.residual"]
    wanted = order if norm_first else [order[1], order[2], order[0]]
    start = names.index(wanted[0])
    assert names[start : start + 3] == wanted
    assert ("encoder.final_layernorm" in names) == norm_first


def test_parts_have_their_dropout_rates():
    model = network(Options(attention_rate=0.1, activation_rate=0.2))
    rates = {part.name: part.rate for part in parts_of(model)}
    layer = "encoder.enc_layers[0]"
    assert rates["decoder.embedding"] == rates[f"{layer}.feed_forward.residual"] == 0.3
    assert rates[f"{layer}.self_attention.mha"] == 0.1
    assert rates[f"{layer}.feed_forward.ffn"] == 0.2
    assert rates[f"{layer}.feed_forward.residual.layernorm"] == 0


def test_unknown_lengths_are_letters():
    assert str(Shape(("B", "S", "D"), (1, 9, 16))) == "(B, S, D) = (1, 9, 16)"
    assert str(Shape(("B", "S", "D"), (None, None, 16))) == "(B, S, D) = (B, S, 16)"
    assert str(Shape(("B", "S"), (None, None))) == "(B, S)"
    sizes = dimensions(network(), 1, 5)
    assert sizes == {"B": 1, "S": 5, "T": None, "D": 16, "H": 4, "K": 4, "dff": 24}
    letters = definitions(network(), 1, 5)
    assert letters[:3] == ["B = 1 (batch size)", "S = 5 (source ids)", "T (target ids)"]


def test_the_shapes_are_those_of_the_attention_weights():
    model = network()
    ids = tf.ones((3, 7), tf.int32), tf.ones((3, 5), tf.int32)
    logits, weights = model(ids, return_attention=True)
    parts = {part.name: part.shapes for part in parts_of(model, 3, 7, 5)}
    for layer in range(2):
        decoder = f"decoder.dec_layers[{layer}]"
        shapes = {
            f"encoder.enc_layers[{layer}].self_attention.mha": weights.encoder,
            f"{decoder}.self_attention.mha": weights.decoder,
            f"{decoder}.cross_attention.mha": weights.cross,
        }
        for name, tensors in shapes.items():
            assert parts[name]["weights"].sizes == tuple(tensors[layer].shape)
    assert parts["final_layer"]["logits"].sizes == tuple(logits.shape)

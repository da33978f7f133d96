import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.inspection.network import structure
from keras_transformer.inspection.network.structure import parts_of
from keras_transformer.inspection.network.walk import next_ids, predicted_ids, walk
from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer

SOURCE, TARGET = [28, 4, 4, 9, 17, 29], [28, 5, 3]
CONFIGURATIONS = {
    "post-norm": Options(tied_embeddings="none", decoder_layers=1),
    "pre-norm": Options(norm_first=True, tied_embeddings="all"),
}


class Doubled(Transformer):
    """A network that does something after its last layer."""

    def call(self, inputs, training=None, return_attention=False):
        return 2 * super().call(inputs, training)


def network(options, kind=Transformer):
    keras.utils.set_random_seed(1)
    model = kind(2, 16, 4, 24, 30, 30, 12, 0.3, options)
    model.build(((None, None), (None, None)))
    for weight in model.trainable_weights:  # also of biases and normalizations
        weight.assign_add(keras.random.normal(weight.shape, stddev=0.1))
    return model


@pytest.fixture(params=CONFIGURATIONS.values(), ids=CONFIGURATIONS, scope="module")
def model(request):
    return network(request.param)


@pytest.fixture(scope="module")
def steps(model):
    """{(part, tensor): values}"""
    stages = walk(model, SOURCE, TARGET)
    return {(step.part, step.tensor): step.values for stage in stages for step in stage.steps}


def forward(model):
    return model((tf.constant([SOURCE]), tf.constant([TARGET])), return_attention=True)


def test_the_logits_are_those_of_a_forward_pass(model, steps):
    logits, _ = forward(model)
    np.testing.assert_allclose(steps["final_layer", "logits"], logits, atol=1e-5)


def test_the_probabilities_are_the_softmax_of_the_logits(steps):
    exponentials = np.exp(steps["final_layer", "logits"].astype(np.float64))
    wanted = exponentials / exponentials.sum(-1, keepdims=True)
    np.testing.assert_allclose(steps["softmax", "probabilities"], wanted, rtol=1e-5)


@pytest.mark.parametrize(("stack", "ids"), [("encoder", SOURCE), ("decoder", TARGET)])
def test_the_embedding_is_the_product_of_the_one_hot_vectors_and_the_table(
    model, steps, stack, ids
):
    path = f"{stack}.embedding"
    one_hot = steps[path, "one-hot"]
    np.testing.assert_array_equal(one_hot[0], np.eye(30)[ids])
    table = np.asarray(getattr(model, stack).embedding.embedding.embeddings)
    embedded = steps[f"{path}.embedding", "output"]
    np.testing.assert_allclose(embedded, one_hot @ table, rtol=1e-6)
    np.testing.assert_allclose(steps[path, "scaled"], embedded * 4, rtol=1e-6)  # sqrt(16)


@pytest.mark.parametrize(("stack", "ids"), [("encoder", SOURCE), ("decoder", TARGET)])
def test_positions_are_added_to_the_scaled_embedding(steps, stack, ids):
    path = f"{stack}.embedding"
    positions = steps[f"{path}.pos_encoding", "output"]
    angles = np.arange(len(ids))[:, np.newaxis] / 10000 ** (np.arange(0, 16, 2) / 16)
    np.testing.assert_allclose(positions[:, 0::2], np.sin(angles), atol=1e-6)
    np.testing.assert_allclose(positions[:, 1::2], np.cos(angles), atol=1e-6)
    np.testing.assert_allclose(steps[path, "output"], steps[path, "scaled"] + positions, rtol=1e-5)


def test_the_attention_weights_are_those_of_the_network(model, steps):
    _, weights = forward(model)
    for kind, stack, sublayer in (
        ("encoder", "encoder.enc_layers", "self_attention"),
        ("decoder", "decoder.dec_layers", "self_attention"),
        ("cross", "decoder.dec_layers", "cross_attention"),
    ):
        for layer, wanted in enumerate(getattr(weights, kind)):
            shown = steps[f"{stack}[{layer}].{sublayer}.mha", "weights"]
            np.testing.assert_allclose(shown, wanted, atol=1e-6)


def test_the_output_of_each_layer_is_that_of_the_layer_itself(model, steps):
    """The last step of a layer equals what a call of the layer returns."""
    x, last = steps["encoder.embedding", "output"], "residual"
    if not model.options.norm_first:
        last = "residual.layernorm"
    for number, layer in enumerate(model.encoder.enc_layers):
        x, _ = layer(tf.constant(x))
        name = f"encoder.enc_layers[{number}].feed_forward.{last}"
        np.testing.assert_allclose(steps[name, "output"], x, atol=1e-5)
        x = steps[name, "output"]


def test_attention_weights_follow_from_queries_and_keys(steps):
    name = "decoder.dec_layers[0].cross_attention.mha"
    queries, keys = steps[name, "queries"], steps[name, "keys"]
    scores = np.exp(queries @ keys.swapaxes(-1, -2) / 2)  # sqrt(16 / 4)
    np.testing.assert_allclose(
        steps[name, "weights"], scores / scores.sum(-1, keepdims=True), atol=1e-6
    )


def test_all_steps_have_the_names_and_shapes_of_the_structure(model, steps):
    for part in parts_of(model, 1, len(SOURCE), len(TARGET)):
        for tensor, shape in part.shapes.items():
            key = part.name, tensor
            if part.kind == structure.EMBEDDING and tensor == "table":
                wanted = (30, 16)
            elif tensor == "pos_encoding":
                wanted = steps[f"{part.name}.pos_encoding", "output"].shape
            elif part.kind == structure.RESIDUAL and not model.options.norm_first:
                # Post-norm: the addition and the normalization are one step.
                wanted = steps[f"{part.name}.layernorm", "output"].shape
            else:
                wanted = steps[key].shape
            assert shape.sizes == wanted, key


def test_the_letters_of_a_step_are_the_dimensions_of_its_tensor(model):
    sizes = structure.dimensions(model, 1, len(SOURCE), len(TARGET)) | {"V": 30}
    for stage in walk(model, SOURCE, TARGET):
        for step in stage.steps:
            assert step.values.shape == tuple(sizes[letter] for letter in step.letters), step.part
            assert step.note


def test_the_next_ids_are_sorted_by_their_probability(model):
    stages = walk(model, SOURCE, TARGET)
    logits, _ = forward(model)
    last = tf.nn.softmax(logits[0, -1]).numpy()
    found = next_ids(stages, 10)
    assert [i for i, _ in found] == np.argsort(-last)[:10].tolist()
    np.testing.assert_allclose(
        [probability for _, probability in found], np.sort(last)[:-11:-1], rtol=1e-4
    )
    assert len(next_ids(stages, 100)) == 30
    assert predicted_ids(stages) == np.argmax(logits[0], axis=-1).tolist()


def test_padding_is_hidden_from_attention(model):
    stages = walk(model, [*SOURCE, 0, 0], TARGET)
    for stage in stages:
        for step in stage.steps:
            if step.tensor == "weights" and step.letters[-1] == "S":
                assert step.values[..., -2:].max() == 0


def test_a_network_that_does_more_than_its_layers_is_an_error():
    with pytest.raises(ValueError, match="logits that differ by"):
        walk(network(CONFIGURATIONS["pre-norm"], Doubled), SOURCE, TARGET)

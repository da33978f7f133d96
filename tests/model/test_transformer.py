import re

import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_transformer.model.caches import FixedCache, GrowingCache
from keras_transformer.model.losses import MaskedAccuracy, MaskedCrossentropy
from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer
from tests.model.ids import SOURCE, TARGET

VARIANTS = [
    {"norm_first": norm_first, "tied_embeddings": tied}
    for norm_first in (False, True)
    for tied in ("none", "output", "all")
]


def small_transformer(**settings):
    shape = {"num_layers": 2, "d_model": 16, "num_heads": 4, "dff": 32}
    sizes = {"input_vocab_size": 23, "target_vocab_size": 23, "maximum_position_encoding": 12}
    options = Options(**{name: settings.pop(name) for name in Options._fields if name in settings})
    return Transformer(**shape | sizes | settings, options=options)


@pytest.fixture(scope="module", params=VARIANTS, ids=str)
def transformer(request):
    return small_transformer(**request.param)


def test_logits_and_attention_weights(transformer):
    logits, attention = transformer((SOURCE, TARGET), training=False, return_attention=True)
    assert logits.shape == (2, 4, 23)
    assert [w.shape for w in attention.encoder] == [(2, 4, 5, 5)] * 2
    assert [w.shape for w in attention.decoder] == [(2, 4, 4, 4)] * 2
    assert [w.shape for w in attention.cross] == [(2, 4, 4, 5)] * 2
    for weights in tf.nest.flatten(attention):
        np.testing.assert_allclose(tf.reduce_sum(weights, axis=-1), 1, atol=1e-5)
    np.testing.assert_array_equal(logits, transformer((SOURCE, TARGET), training=False))


def test_attention_sees_no_padding_and_nothing_ahead(transformer):
    _, attention = transformer((SOURCE, TARGET), training=False, return_attention=True)
    for weights in (*attention.encoder, *attention.cross):
        assert np.all(weights[0, :, :, 4] == 0)
    for weights in attention.decoder:
        assert np.all(np.triu(weights.numpy(), 1) == 0)


@settings(max_examples=20)
@given(st.integers(1, 3), st.integers(1, 22))
def test_a_later_target_id_changes_no_earlier_logit(position, new_id):
    changed = TARGET.numpy()
    changed[:, position] = new_id
    before, after = (MODEL((SOURCE, ids), training=False) for ids in (TARGET, changed))
    np.testing.assert_allclose(before[:, :position], after[:, :position], atol=1e-5)
    if not np.array_equal(changed, TARGET):
        assert not np.allclose(before[:, position:], after[:, position:], atol=1e-5)


@settings(max_examples=20)
@given(st.integers(1, 6), st.integers(1, 6))
def test_more_padding_changes_nothing(more_source, more_target):
    padded = tf.pad(SOURCE, ((0, 0), (0, more_source))), tf.pad(TARGET, ((0, 0), (0, more_target)))
    np.testing.assert_allclose(
        MODEL(padded, training=False)[:, :4], MODEL((SOURCE, TARGET), training=False), atol=1e-5
    )


MODEL = small_transformer()


def test_a_source_of_padding_alone_stays_finite():
    assert np.isfinite(MODEL((tf.zeros_like(SOURCE), TARGET), training=False)).all()


def test_steps_with_cached_keys_and_values_equal_the_full_pass(transformer):
    logits = transformer((SOURCE, TARGET), training=False)
    source, caches = transformer.encode(SOURCE), transformer.decoder.caches(GrowingCache, 2)
    for position in range(4):
        ids = TARGET[:, position : position + 1]
        features, caches = transformer.step(ids, position, caches, source)
        step_logits = transformer.final_layer(features)[:, 0]
        np.testing.assert_allclose(step_logits, logits[:, position], atol=1e-5)
        assert caches[0].keys.shape == (2, 4, position + 1, 4)


@pytest.mark.parametrize("transformer", [VARIANTS[0], VARIANTS[-1]], indirect=True, ids=str)
def test_steps_with_caches_of_fixed_size_equal_the_full_pass(transformer):
    step = tf.function(transformer.step, jit_compile=True)
    logits = transformer((SOURCE, TARGET), training=False)
    source, caches = transformer.encode(SOURCE), transformer.decoder.caches(FixedCache, 2, 7)
    for position in range(4):
        ids = tf.constant(TARGET[:, position : position + 1])
        to_come = tf.constant(np.arange(7) > position, tf.float32)
        features, caches = step(ids, tf.constant(position), caches, source, to_come)
        step_logits = transformer.final_layer(features)[:, 0]
        np.testing.assert_allclose(step_logits, logits[:, position], atol=1e-5)
        assert caches[0].keys.shape == (2 * 4, 7, 4)


def test_hypotheses_side_by_side_see_their_own_ancestors(transformer):
    """Three hypotheses of a source: after the second position two continue the last of them."""
    prefixes = np.array([[3, 7, 2], [3, 4, 9], [3, 4, 6]], np.int32)
    written = np.array([[3, 3, 3], [7, 5, 4], [2, 9, 6]], np.int32)  # (position, slot)
    lineage = [[0, 0, 0], [0, 2, 1], [0, 2, 2]]  # of the last position: (hypothesis, position)
    logits = transformer((np.repeat(SOURCE[:1], 3, axis=0), prefixes), training=False)[:, -1]
    source = transformer.encode(SOURCE[:1])
    caches = transformer.decoder.caches(GrowingCache, 1)
    for position, ids in enumerate(written):
        own = [[0, slot, slot][: position + 1] for slot in range(3)] if position < 2 else lineage
        visible = np.eye(3)[own].reshape(1, 1, 3, -1)
        ids = ids[np.newaxis]
        features, caches = transformer.step(ids, position, caches, source, 1 - visible)
    np.testing.assert_allclose(transformer.final_layer(features)[0], logits, atol=1e-5)


def test_number_of_weights():
    """Counted by hand, from the shapes in the paper."""
    d, dff, v = 16, 32, 23
    attention = 4 * (d * d + d)
    ffn = d * dff + dff + dff * d + d
    norm = 2 * d
    encoder_layer = attention + ffn + 2 * norm
    decoder_layer = 2 * attention + ffn + 3 * norm
    embedding, output, output_bias = v * d, d * v, v
    layers = 2 * (encoder_layer + decoder_layer)

    def count(**settings):
        model = small_transformer(**settings)
        model.build(None)
        return sum(int(tf.size(v)) for v in model.trainable_variables)

    assert count(tied_embeddings="none") == layers + 2 * embedding + output + output_bias
    assert count(tied_embeddings="output") == layers + 2 * embedding + output_bias
    assert count(tied_embeddings="all") == layers + embedding + output_bias
    assert count(norm_first=True) == count() + 2 * norm


RATES = ("rate", "attention_rate", "activation_rate")


def dropouts(model):
    """Return {place: layer} of the dropout layers of a transformer."""
    found = {}
    for part, layers in (
        (model.encoder, model.encoder.enc_layers),
        (model.decoder, model.decoder.dec_layers),
    ):
        found[part.name, "embedding"] = part.embedding.dropout
        for layer in layers:
            ffn = layer.feed_forward
            found[part.name, layer.name, ffn.name, "inner"] = ffn.ffn.layers[1]
            attentions = [layer.self_attention, getattr(layer, "cross_attention", None)]
            for each in filter(None, attentions):
                found[part.name, layer.name, each.name, "weights"] = each.mha.dropout
            for each in filter(None, [*attentions, ffn]):
                found[part.name, layer.name, each.name, "output"] = each.residual.dropout
    return found


@pytest.mark.parametrize("name", RATES)
def test_each_rate_applies_in_training_only(name):
    model = small_transformer(**dict.fromkeys(RATES, 0.0) | {name: 0.5})
    quiet = [model((SOURCE, TARGET), training=False) for _ in range(2)]
    noisy = [model((SOURCE, TARGET), training=True) for _ in range(2)]
    np.testing.assert_array_equal(*quiet)
    assert not np.allclose(*noisy)


@pytest.mark.parametrize("norm_first", [False, True])
def test_each_dropout_layer_applies_in_training(norm_first):
    model = small_transformer(norm_first=norm_first, **dict.fromkeys(RATES, 0.5))
    wanted, layers = model((SOURCE, TARGET), training=False), dropouts(model)
    # One after each embedding; within and after each of 2 + 3 sublayers of 2 layers.
    assert len(layers) == 2 + 2 * (2 + 3) * 2
    for place, layer in layers.items():
        for other in layers.values():
            other.rate = 0.5 if other is layer else 0.0
        assert not np.allclose(model((SOURCE, TARGET), training=True), wanted, atol=1e-5), place


def test_compile_fit_and_a_saved_file(tmp_path):
    keras.utils.set_random_seed(1)
    model = small_transformer(rate=0.0)
    adam = keras.optimizers.Adam(0.01)
    model.compile(adam, MaskedCrossentropy(), metrics=[MaskedAccuracy()])
    inputs, wanted = (SOURCE, TARGET[:, :-1]), TARGET[:, 1:]
    history = model.fit(inputs, wanted, epochs=40, verbose=0).history
    assert history["loss"][-1] < 0.5 < history["loss"][0]
    assert history["masked_accuracy"][-1] == 1
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    assert isinstance(loaded.loss, MaskedCrossentropy)
    logits = (each((SOURCE, TARGET), training=False) for each in (loaded, model))
    np.testing.assert_array_equal(*logits)


def test_saved_file_of_each_variant(transformer, tmp_path):
    wanted = transformer((SOURCE, TARGET), training=False)
    transformer.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(loaded((SOURCE, TARGET), training=False), wanted)


def test_the_options_in_a_config_have_names_and_any_order():
    model = small_transformer(norm_first=True, attention_rate=0.25, decoder_layers=1)
    saved = keras.saving.serialize_keras_object(model)
    options = saved["config"]["options"]
    assert set(options) == set(Options._fields)
    saved["config"]["options"] = dict(reversed(options.items()))
    twin = keras.saving.deserialize_keras_object(saved)
    assert twin.options == Options(norm_first=True, attention_rate=0.25, decoder_layers=1)


def test_a_config_of_an_older_version_has_options_in_their_order():
    saved = keras.saving.serialize_keras_object(small_transformer())
    saved["config"]["options"] = [True, 0.25, 0.5, "none", 1]
    twin = keras.saving.deserialize_keras_object(saved)
    assert twin.options == Options(True, 0.25, 0.5, "none", 1, False)


def wide(x):
    return tf.cast(x, tf.float32)


def in_policy(policy):
    """Return a network that is built while Keras has a global policy, with weights of `MODEL`."""
    keras.config.set_dtype_policy(policy)
    try:
        model = small_transformer()
        model.build(None)
    finally:
        keras.config.set_dtype_policy("float32")
    model.set_weights(MODEL.get_weights())
    return model


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_mixed_precision(policy):
    wanted = MODEL((SOURCE, TARGET), training=False)
    model = in_policy(policy)
    logits = model((SOURCE, TARGET), training=False)
    np.testing.assert_allclose(wide(logits), wanted, atol=0.2)
    source, caches = model.encode(SOURCE), model.decoder.caches(GrowingCache, 2)
    features, _ = model.step(TARGET[:, :1], 0, caches, source)
    step_logits = wide(model.final_layer(features))[:, 0]
    np.testing.assert_allclose(step_logits, wanted[:, 0], atol=0.2)
    assert np.isfinite(model((tf.zeros_like(SOURCE), TARGET), training=False)).all()


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_the_policy_of_a_network_and_of_its_file_is_that_of_all_its_layers(policy, tmp_path):
    """The values are those of a network that is built while Keras has this global policy."""
    wanted = in_policy(policy)((SOURCE, TARGET), training=False)
    model = small_transformer(dtype=policy)
    model.build(None)
    model.set_weights(MODEL.get_weights())
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    for each in (model, loaded):
        logits = each((SOURCE, TARGET), training=False)
        assert logits.dtype == wanted.dtype
        np.testing.assert_array_equal(wide(logits), wide(wanted))
        assert {v.dtype for v in each.trainable_variables} == {"float32"}
        source, caches = each.encode(SOURCE), each.decoder.caches(GrowingCache, 2)
        features, _ = each.step(TARGET[:, :1], 0, caches, source)
        step_logits = each.final_layer(features)[:, 0]
        np.testing.assert_allclose(wide(step_logits), wide(wanted[:, 0]), atol=0.1)


def test_a_sublayer_with_a_policy_comes_back_from_its_config():
    layer = small_transformer(dtype="mixed_bfloat16").decoder.dec_layers[0]
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(layer))
    assert twin.dtype_policy.name == twin.self_attention.mha.dtype_policy.name == "mixed_bfloat16"


def test_each_layer_can_have_a_policy_of_its_own():
    low = keras.dtype_policies.DTypePolicy("mixed_bfloat16")
    layers = ["transformer/decoder/layer2", "transformer/decoder/layer2/.*"]
    policies = keras.dtype_policies.DTypePolicyMap("float32", dict.fromkeys(layers, low))
    model = small_transformer(dtype=policies)
    model.build(None)
    model.set_weights(MODEL.get_weights())
    attentions = [layer.self_attention for layer in model.decoder.dec_layers]
    assert [each.compute_dtype for each in attentions] == ["float32", "bfloat16"]
    logits = model((SOURCE, TARGET), training=False)
    np.testing.assert_allclose(logits, MODEL((SOURCE, TARGET), training=False), atol=0.1)
    source, caches = model.encode(SOURCE), model.decoder.caches(GrowingCache, 2)
    assert [cache.keys.dtype for cache in caches] == [tf.float32, tf.bfloat16]
    for position in range(4):
        ids = TARGET[:, position : position + 1]
        features, caches = model.step(ids, position, caches, source)
        step_logits = model.final_layer(features)[:, 0]
        np.testing.assert_allclose(step_logits, logits[:, position], atol=0.05)


def test_tied_embeddings_are_checked():
    with pytest.raises(ValueError, match="is not one of"):
        small_transformer(tied_embeddings="some")
    with pytest.raises(ValueError, match="one vocabulary"):
        small_transformer(tied_embeddings="all", input_vocab_size=24)


def weights_by_hand(tied_embeddings):
    """Number of weights of encoder, decoder and final layer of a `small_transformer`, post-norm.

    Vaswani et al. (2017), sections 3.1 to 3.4: two layers, D = 16, inner depth 32, 23 ids. Each
    linear map has a bias, each normalization a scale and an offset. A shared table counts once, in
    the decoder.
    """
    table, final_bias = 23 * 16, 23
    attention = 4 * (16 * 16 + 16)
    feed_forward = (16 * 32 + 32) + (32 * 16 + 16)
    normalization = 2 * 16
    encoder = 2 * (attention + feed_forward + 2 * normalization)
    decoder = 2 * (2 * attention + feed_forward + 3 * normalization)
    return {
        "encoder": encoder + (0 if tied_embeddings == "all" else table),
        "decoder": decoder + table,
        "final_layer": final_bias + (table if tied_embeddings == "none" else 0),
    }


@pytest.mark.parametrize("tied_embeddings", ["none", "output", "all"])
def test_the_summary_shows_output_shapes_and_counts_that_add_up(tied_embeddings):
    transformer = small_transformer(tied_embeddings=tied_embeddings)
    transformer.build(((None, None), (None, None)))
    printed = []
    transformer.summary(line_length=76, print_fn=printed.append)
    [text] = printed
    rows = re.findall(r"(\w+) \(\w+\) *│ (\(.*?\)) *│ *([\d,]+) │", text)
    assert [(name, shape) for name, shape, _ in rows] == [
        ("encoder", "(None, None, 16)"),
        ("decoder", "(None, None, 16)"),
        ("final_layer", "(None, None, 23)"),
    ]
    wanted = weights_by_hand(tied_embeddings)
    assert {name: int(count.replace(",", "")) for name, _, count in rows} == wanted
    assert f"Total params: {sum(wanted.values()):,} (" in text

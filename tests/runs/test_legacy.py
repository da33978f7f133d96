"""Checkpoints that were written before sublayers existed."""

import re

import numpy as np

from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.checkpoints import make_checkpoint, named_variables, restore
from keras_transformer.runs.legacy import legacy_name

# The weights of one encoder layer and one decoder layer, as these checkpoints name them.
ATTENTION = ("kernel", "bias", "dense/kernel", "dense/bias")
EARLIER = {
    f"transformer/{stack}/layer1/{part}/{weight}"
    for stack, attentions in (("encoder", ["mha"]), ("decoder", ["mha1", "mha2"]))
    for part, weights in [
        *((name, ATTENTION) for name in attentions),
        ("ffn", ("inner/kernel", "inner/bias", "outer/kernel", "outer/bias")),
        *(
            (f"{name}_residual", ("layernorm/gamma", "layernorm/beta"))
            for name in [*attentions, "ffn"]
        ),
    ]
    for weight in weights
}


def small_model():
    model = Transformer(1, 8, 2, 16)
    model.build(None)
    return model


def test_every_weight_of_a_layer_has_its_earlier_name():
    names = {legacy_name(name) for name in named_variables(small_model()) if "layer1" in name}
    assert names == EARLIER


def test_optimizer_variables_are_renamed_as_well():
    name = "adam/transformer_decoder_layer12_cross_attention_mha_dense_kernel_momentum"
    assert legacy_name(name) == "adam/transformer_decoder_layer12_mha2_dense_kernel_momentum"


def test_an_earlier_checkpoint_is_restored(tmp_path):
    model, draw = small_model(), np.random.default_rng(0)
    for variable in model.trainable_variables:
        variable.assign(draw.normal(size=variable.shape))
    earlier = {legacy_name(name): value for name, value in named_variables(model).items()}
    assert not any(re.search("self_attention|feed_forward", name) for name in earlier)
    path = make_checkpoint(earlier).save(str(tmp_path / "weights"))
    other = small_model()
    restore(path, named_variables(other))
    for one, two in zip(model.trainable_variables, other.trainable_variables, strict=True):
        np.testing.assert_array_equal(one, two)

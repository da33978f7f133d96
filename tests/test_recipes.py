"""Each recipe is valid, names no data, and has the published size."""

import pytest

from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.config_file import read_config
from tests.programs import HOME

RECIPES = sorted((HOME / "keras_transformer" / "recipes").glob("*.json"))


def parameters(vocabulary, num_layers, d_model, dff):
    """Weights of a pre-norm Transformer with one table for all three embeddings, counted by hand.

    Vaswani et al. (2017), sections 3.1 to 3.4; each linear map has a bias, each normalization a
    scale and an offset, and each stack of layers ends with a normalization.
    """
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = d_model * dff + dff + dff * d_model + d_model
    normalization = 2 * d_model
    encoder_layer = attention + feed_forward + 2 * normalization
    decoder_layer = 2 * attention + feed_forward + 3 * normalization
    table = vocabulary * d_model + vocabulary
    return table + num_layers * (encoder_layer + decoder_layer) + 2 * normalization


def test_the_package_contains_the_recipes():
    assert [path.name for path in RECIPES] == ["multi30k.json"]


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_names_no_data(path):
    config = read_config(path)
    assert config.training.train == config.training.validation == ()


def test_the_network_of_multi30k_has_the_published_size():
    """The number is in benchmarks/README.md; that of Wu et al. (2021) is 2.6 million."""
    config = read_config(HOME / "keras_transformer" / "recipes" / "multi30k.json")
    model, vocabulary = config.model, config.text.vocab_size + 2  # start and end
    settings = dict(vars(model))
    options = Options(**{name: settings.pop(name) for name in Options._fields if name in settings})
    transformer = Transformer(
        **settings, input_vocab_size=vocabulary, target_vocab_size=vocabulary, options=options
    )
    transformer.build(((None, None), (None, None)))
    wanted = parameters(vocabulary, model.num_layers, model.d_model, model.dff)
    assert transformer.count_params() == wanted <= 2_600_000
    published = (HOME / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert f"{wanted:,} parameters" in published

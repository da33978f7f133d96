import math

import pytest

from keras_transformer.model.options import Options
from keras_transformer.model.sizes import count_weights
from keras_transformer.model.transformer import Transformer


@pytest.mark.parametrize(
    ("norm_first", "folded", "decoder_layers", "tied_embeddings"),
    [
        (False, False, None, "none"),
        (False, False, 3, "output"),
        (True, False, None, "output"),
        (True, False, 3, "all"),
        (True, True, None, "all"),
        (True, True, 3, "none"),
    ],
)
def test_the_number_is_that_of_a_network_that_is_built(
    norm_first, folded, decoder_layers, tied_embeddings
):
    options = Options(norm_first, 0.0, 0.0, tied_embeddings, decoder_layers, folded)
    sizes = 30, 30 if tied_embeddings == "all" else 25
    model = Transformer(2, 8, 2, 12, *sizes, options=options)
    model.build(None)
    built = sum(math.prod(variable.shape) for variable in model.trainable_variables)
    assert count_weights(2, 8, 12, *sizes, options) == built


def test_transformer_big_has_the_published_size():
    """Vaswani et al. (2017), table 3: 213 million with a shared vocabulary of 37,000."""
    options = Options(tied_embeddings="all")
    found = count_weights(6, 1024, 4096, 37_000, 37_000, options)
    assert found == pytest.approx(213e6, abs=2e6)

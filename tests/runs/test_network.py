import pytest

from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.runs.network import build_network, check_weights


def test_a_network_of_the_largest_accepted_size():
    """An encoder and a decoder layer of depths D and 4 D have 12 D^2 and 16 D^2 weights.

    36 of each have 1.06 billion for D = 1024, and two tables of 10,000 rows have 20 million.
    """
    config = Config().with_settings({"num_layers": 36, "d_model": 1024, "dff": 4096})
    check_weights(config.model, 10, 10)
    with pytest.raises(UserError, match=r"has 1,07\d,\d{3},\d{3} weights; the limit is 1,073,741,"):
        check_weights(config.model, 10_000, 10_000)


@pytest.mark.parametrize(
    "settings",
    [
        {"d_model": 16_384, "num_layers": 256, "dff": 131_072},
        {"d_model": 16_384, "num_layers": 1, "decoder_layers": 256},
        {"d_model": 2, "num_heads": 1, "dff": 131_072, "num_layers": 256, "vocab_size": 1_000_000},
    ],
)
def test_a_network_that_is_too_large_is_rejected_before_it_is_built(settings):
    """The first would take terabytes; the last has few weights per layer, but too many ids."""
    config = Config().with_settings(settings)
    with pytest.raises(UserError, match="weights; the limit is"):
        build_network(config, 2**29, 2**29)

"""The optimizers of a run, with their constants."""

from keras_transformer.config import Config
from keras_transformer.text.batches import Survey
from keras_transformer.training.optimizers import make_muon, make_optimizer
from keras_transformer.training.precision import dtype_policy


def test_muon_multiplies_in_the_dtype_of_the_network() -> None:
    with dtype_policy("mixed_bfloat16"):
        assert make_muon(0.1).product_dtype == "bfloat16"
    assert make_muon(0.1).product_dtype == "float32"


def test_adam_has_the_constants_of_the_paper() -> None:
    config = Config().with_settings({"clip_norm": 0.5}).resolved()
    optimizer = make_optimizer(config, Survey(kept=60, widths=600))
    assert (optimizer.beta_1, optimizer.beta_2, optimizer.epsilon) == (0.9, 0.98, 1e-9)
    assert optimizer.global_clipnorm == 0.5


def test_no_clipping_by_default() -> None:
    optimizer = make_optimizer(Config().resolved(), Survey(kept=60, widths=600))
    assert optimizer.global_clipnorm is None

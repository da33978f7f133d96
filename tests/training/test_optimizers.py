"""The optimizers of a run, with their constants."""

import pytest

from keras_transformer.config import Config
from keras_transformer.text.encoded_pairs import Survey
from keras_transformer.training.optimizers import make_optimizer
from keras_transformer.training.precision import dtype_policy
from keras_transformer.training.schedule import make_schedule


@pytest.mark.parametrize(
    ("mixed", "dtype"), [(True, "bfloat16"), (False, "float32"), ("float16", "float16")]
)
@pytest.mark.parametrize("policy", ["float32", "mixed_bfloat16"])
def test_muon_multiplies_in_the_dtype_of_the_network(
    mixed: bool | str, dtype: str, policy: str
) -> None:
    """The setting of the run counts, not the global policy."""
    config = Config().with_settings({"optimizer": "muon", "mixed_precision": mixed}).resolved()
    with dtype_policy(policy):
        optimizer = make_optimizer(config, make_schedule(config, Survey(kept=60, widths=600)))
    assert optimizer.product_dtype == dtype


def test_adam_has_the_constants_of_the_paper() -> None:
    config = Config().with_settings({"clip_norm": 0.5}).resolved()
    optimizer = make_optimizer(config, make_schedule(config, Survey(kept=60, widths=600)))
    assert (optimizer.beta_1, optimizer.beta_2, optimizer.epsilon) == (0.9, 0.98, 1e-9)
    assert optimizer.global_clipnorm == 0.5


def test_no_clipping_by_default() -> None:
    optimizer = make_optimizer(Config().resolved(), 0.001)
    assert optimizer.global_clipnorm is None

"""The network that a run's settings describe. Its size is checked before memory is allocated."""

import dataclasses

from keras_transformer.config import Config, ModelConfig
from keras_transformer.errors import UserError
from keras_transformer.model.options import Options
from keras_transformer.model.sizes import count_weights
from keras_transformer.model.transformer import Transformer

# The network's settings in `Options`, which the tutorial does not have.
OPTIONS = [each.name for each in dataclasses.fields(ModelConfig) if each.name in Options._fields]
# Five times Transformer (big) of Vaswani et al. (2017). The weights alone take 4 GiB; training
# takes four times as much, for the gradients and the optimizer's moments.
MAX_WEIGHTS = 2**30


def build_network(config: Config, input_size: int, target_size: int) -> Transformer:
    """Return a `Transformer` with the settings of a config and newly initialized weights.

    Args:
        config: a `Config`.
        input_size: number of source ids.
        target_size: number of target ids.

    Raises:
        UserError: If the network would have more than `MAX_WEIGHTS` weights.
    """
    check_weights(config.model, input_size, target_size)
    settings = dict(vars(config.model))
    options = Options(**{name: settings.pop(name) for name in OPTIONS})
    model = Transformer(
        **settings,
        options=options,
        input_vocab_size=input_size,
        target_vocab_size=target_size,
        maximum_position_encoding=max(config.text.max_source_length, config.text.max_target_length),
    )
    model.build(((None, None), (None, None)))
    return model


def check_weights(config: ModelConfig, input_size: int, target_size: int) -> None:
    """Raise a `UserError` if a network would have more than `MAX_WEIGHTS` weights.

    Args:
        config: layers and dimensions of the network.
        input_size: number of source ids.
        target_size: number of target ids.
    """
    number = number_of_weights(config, input_size, target_size)
    if number > MAX_WEIGHTS:
        raise UserError(
            f"a network with num_layers {config.num_layers}, d_model {config.d_model}, "
            f"dff {config.dff} and {target_size:,} target ids has {number:,} weights; "
            f"the limit is {MAX_WEIGHTS:,}"
        )


def number_of_weights(config: ModelConfig, input_size: int, target_size: int) -> int:
    """Return the number of weights of a network, without building it.

    Args:
        config: layers and dimensions of the network.
        input_size: number of source ids.
        target_size: number of target ids.
    """
    options = Options(**{name: getattr(config, name) for name in OPTIONS})
    shape = config.num_layers, config.d_model, config.dff
    return count_weights(*shape, input_size, target_size, options)

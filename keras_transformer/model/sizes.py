"""The size of a network, computed without building it."""

from keras_transformer.model.options import DEFAULTS, Options


def count_weights(
    num_layers: int,
    d_model: int,
    dff: int,
    input_vocab_size: int,
    target_vocab_size: int,
    options: Options = DEFAULTS,
) -> int:
    """Return the number of trainable weights of a `Transformer` with these arguments.

    Examples:
        >>> count_weights(4, 128, 512, 8500, 8000)
        3971392
    """
    decoder_layers = options.decoder_layers or num_layers
    attention = 4 * (d_model**2 + d_model)  # queries, keys, values, output
    feed_forward = 2 * d_model * dff + dff + d_model
    normalization = 2 * d_model
    of_sublayer = 0 if options.folded else normalization
    encoder_layer = attention + feed_forward + 2 * of_sublayer
    decoder_layer = 2 * attention + feed_forward + 3 * of_sublayer
    final_normalizations = 2 * normalization if options.norm_first else 0
    layers = num_layers * encoder_layer + decoder_layers * decoder_layer + final_normalizations
    tables = {"none": 3, "output": 2, "all": 1}[options.tied_embeddings]
    sizes = [target_vocab_size, input_vocab_size, target_vocab_size]
    return layers + d_model * sum(sizes[:tables]) + target_vocab_size  # the last are biases

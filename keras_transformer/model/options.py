"""The options of a network beyond the tutorial's arguments."""

from typing import NamedTuple

TIED_EMBEDDINGS = ("none", "output", "all")


class Options(NamedTuple):
    """Options of a network, which all of its layers receive as one immutable object.

    Args:
        norm_first: False: normalize after each sublayer (post-norm), as in the paper; True: before
            it (pre-norm).
        attention_rate: dropout rate of the attention weights, between 0 and 1.
        activation_rate: dropout rate within the feed-forward networks, between 0 and 1.
        tied_embeddings: "none"; "output": the target embedding is also the kernel of the final
            layer (Press and Wolf 2017); "all": the source embedding is the same table as well,
            which requires one vocabulary for both languages.
        decoder_layers: number of decoder layers; None: as many as encoder layers.
        folded: whether the normalizations of the sublayers only divide by the root mean square; set
            by `keras_transformer.model.folding`, which folds the rest of them into the weights.
            Requires `norm_first`.
    """

    norm_first: bool = False
    attention_rate: float = 0.0
    activation_rate: float = 0.0
    tied_embeddings: str = "output"
    decoder_layers: int | None = None
    folded: bool = False


DEFAULTS = Options()

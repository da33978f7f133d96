"""Heat maps of recorded cross-attention, all of the same size for the same sentence pair."""

from keras_transformer.inspection.attention.plots import heading, plot_heat_maps
from keras_transformer.inspection.attention.weights import Attention, attention_of
from keras_transformer.inspection.history.recorded_attention import RecordedAttention
from keras_transformer.pictures.saving import NotebookFigure

MEAN = "mean"  # of the heads


def picture(
    recorded: RecordedAttention,
    layer: int | None = None,
    heads: int | str = MEAN,
    bleu: float | None = None,
) -> NotebookFigure:
    """Plot recorded attention.

    Pictures of the same sentence, layer and heads have the same size.

    Args:
        recorded: the `RecordedAttention`.
        layer: number of the decoder layer, from 1; the last by default.
        heads: "all", "mean", or the number of a head, from 1.
        bleu: the validation BLEU of the last complete epoch, or None.

    Returns:
        A figure that displays itself in a notebook.

    Raises:
        UserError: If the network has no such layer or head.
    """
    # These lines are short, so that none of them is ever wrapped.
    progress = f"epoch {recorded.epoch:.2f}, step {recorded.step:,}"
    score = "validation BLEU: none yet" if bleu is None else f"validation BLEU {bleu:.2f}"
    text = [progress, score, *heading(recorded.sentence, recorded.reference)]
    return plot_heat_maps([chosen(recorded, layer, heads)], text)


def chosen(recorded: RecordedAttention, layer: int | None, heads: int | str) -> Attention:
    """Return the `Attention` of a layer and of some heads; the arguments are those of `picture`.

    Raises:
        UserError: If the network has no such layer or head.
    """
    number = len(recorded.weights) if layer is None else layer
    layers = recorded.weights[:, None]  # (L, 1, H, T, S)
    attention = attention_of("cross", list(layers), number, recorded.source, recorded.target)
    return attention.with_heads(heads)

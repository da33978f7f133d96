"""The diagram of a network, whose texts are compared with the network itself."""

import functools
import re

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from keras_transformer.inspection.network.diagram import Sentence, plot_network
from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer
from keras_transformer.pictures.style import fonts

CONFIGURATIONS = {
    "defaults": Options(),
    "pre-norm, tied": Options(norm_first=True, tied_embeddings="all"),
    "not tied": Options(tied_embeddings="none", attention_rate=0.1, activation_rate=0.1),
    "one decoder layer": Options(decoder_layers=1, norm_first=True),
    "five decoder layers": Options(decoder_layers=5),
}
EACH = pytest.mark.parametrize("options", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
SHORT = Sentence(["<start>", "▁Katze", "<end>"], ["<start>"], ["▁cat"])
LONG = Sentence(*[["<start>", *["▁Donau", "dampf", "schiff", "$x$", "▁", "漢字"] * 7]] * 3)


@functools.cache
def network(options, size=30):
    model = Transformer(3, 16, 4, 24, 30, size, 50, 0.1, options)
    model.build(((None, None), (None, None)))
    return model


def texts(figure):
    return [text for text in figure.axes[0].texts if text.get_text()]


def strings(figure):
    return [text.get_text() for text in texts(figure)]


def numbers(pattern, string):
    return [int(found.replace(",", "")) for found in re.findall(pattern, string)]


@EACH
def test_the_weights_that_are_shown_add_up_to_those_of_the_network(options):
    """Those of the frames stand for all layers, those of the boxes in a frame for one layer."""
    model = network(options)
    figure = plot_network(model)
    total = model.count_params()
    assert strings(figure)[1].startswith(f"{total:,} weights, 3 encoder layers, ")
    frames = [frame for frame in figure.axes[0].patches if frame.get_gid() == "frame"]
    FigureCanvasAgg(figure).draw()
    inside, outside = [0, 0], 0
    layers = []
    for text in texts(figure):
        if not re.fullmatch(r"(shared: )?[\d,]+ weights", text.get_text()):
            continue
        [value] = numbers(r"[\d,]+", text.get_text())
        extent = text.get_window_extent()
        boxes = [each for each in figure.axes[0].patches if str(each.get_gid()).startswith("box ")]
        in_box = any(each.get_window_extent().overlaps(extent) for each in boxes)
        in_frame = [frame.get_window_extent().overlaps(extent) for frame in frames]
        if not in_box:
            layers.append(value)
        elif any(in_frame):
            inside[in_frame.index(True)] += value
        else:
            outside += value
    counts = 3, options.decoder_layers or 3
    assert layers == [n * weights for n, weights in zip(counts, inside, strict=True)]
    assert outside + sum(layers) == total


@EACH
def test_the_bars_add_up_to_the_weights_of_the_network(options):
    model = network(options)
    shown = [numbers(r"^ *([\d,]+)  +[\d.]+%$", string) for string in strings(plot_network(model))]
    values = [value for found in shown for value in found]
    assert len(values) == 6
    assert sum(values[:-1]) == values[-1] == model.count_params()


@EACH
def test_texts_and_boxes_do_not_overlap(options):
    check_extents(plot_network(network(options), LONG))


@pytest.mark.parametrize("sentence", [None, SHORT], ids=["none", "short"])
def test_texts_and_boxes_do_not_overlap_with_other_lengths(sentence):
    check_extents(plot_network(network(Options()), sentence))


def check_extents(figure):
    with fonts():
        FigureCanvasAgg(figure).draw()
    boxes = [each for each in figure.axes[0].patches if str(each.get_gid()).startswith("box ")]
    for artists in (texts(figure), boxes):
        extents = np.array([artist.get_window_extent().extents for artist in artists])
        low, high = extents[:, :2], extents[:, 2:]
        apart = (low[:, np.newaxis] >= high - 1).any(-1)
        overlapping = ~(apart | apart.T | np.eye(len(extents), dtype=bool))
        assert not overlapping.any(), np.argwhere(overlapping)
        assert (low >= 0).all()
        assert (high <= figure.bbox.size).all()


def test_the_shapes_have_letters_and_numbers():
    shown = " ".join(strings(plot_network(network(Options(), size=40), SHORT)))
    for part in (
        "table   (V, D) = (30, 16)",
        "table   (V, D) = (40, 16)",
        "queries, keys, values  (B, H, S, K) = (1, 4, 3, 4)",
        "(B, H, T, S) = (1, 4, 1, 3)",
        "inner   (B, T, dff) = (1, 1, 24)",
        "logits  (B, T, V) = (1, 1, 40)",
        "V = 30 or 40 (ids of the vocabulary)",
    ):
        assert part in shown
    assert "(B, S, D) = (B, S, 16)" in " ".join(strings(plot_network(network(Options()))))


def test_the_subwords_are_shown_below_and_above():
    shown = strings(plot_network(network(Options()), SHORT))
    assert {"<start> | Katze | <end>", "<start>", "cat"} <= set(shown)
    long = " | ".join(strings(plot_network(network(Options()), LONG)))
    assert long.count("dampf") == 3 * 7


@pytest.mark.parametrize("norm_first", [False, True])
def test_pre_norm_and_post_norm_are_drawn_in_their_order(norm_first):
    figure = plot_network(network(Options(norm_first=norm_first)))
    levels = {patch.get_gid(): patch.get_window_extent().y0 for patch in figure.axes[0].patches}
    path = "decoder.dec_layers[0].cross_attention"
    function, normalization = levels[f"box {path}.mha"], levels[f"box {path}.residual.layernorm"]
    residual = levels[f"junction {path}.residual"]
    assert function < residual
    assert (normalization < function) == norm_first
    assert (normalization > residual) == (not norm_first)
    assert ("box encoder.final_layernorm" in levels) == norm_first


@pytest.mark.parametrize(("tied", "number"), [("none", 0), ("output", 1), ("all", 2)])
def test_dashed_lines_connect_parts_that_share_weights(tied, number):
    figure = plot_network(network(Options(tied_embeddings=tied)))
    dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == "--"]
    assert len(dashed) == number
    shown = strings(figure)
    assert shown.count("shares decoder.embedding.embedding") == number
    assert (
        "A dashed line connects parts that share weights, which are counted once." in shown
    ) == (number > 0)
    assert ("shared: 0 weights" in shown) == (tied == "all")


def test_a_single_layer_is_named_and_several_are_indexed():
    shown = strings(plot_network(network(Options(decoder_layers=1))))
    assert {"3 × EncoderLayer", "encoder.enc_layers[i], i = 0…2"} <= set(shown)
    assert {"DecoderLayer", "decoder.dec_layers[0]"} <= set(shown)
    assert "encoder.enc_layers[i].self_attention.mha" in shown
    assert "decoder.dec_layers[0].cross_attention.mha" in shown

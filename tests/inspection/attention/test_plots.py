import numpy as np
import pytest
from matplotlib.colors import to_hex

from keras_transformer.errors import UserError
from keras_transformer.inspection.attention.forced import given_translation
from keras_transformer.inspection.attention.plots import (
    Probabilities,
    UnknownToken,
    heading,
    plot_heat_maps,
    plot_token,
    plot_translation,
    rows_of,
)
from keras_transformer.inspection.attention.weights import Attention, read_attention
from keras_transformer.pictures.saving import save
from keras_transformer.pictures.style import COLORS
from keras_transformer.translation.translation import Translation

ROWS = ["▁den", "▁Br", "ief", ",", "▁den", "<end>"]
COLUMNS = ["<start>", "▁the", "▁letter", "<end>"]


def attention(kind="cross", layer=1, heads=3, rows=ROWS, columns=COLUMNS, num_layers=2):
    """Return random weights, the later columns of decoder attention hidden."""
    weights = np.random.default_rng(layer).random((heads, len(rows), len(columns)))
    hidden = np.triu(np.ones(weights.shape[1:], bool), k=1) & (kind == "decoder")
    weights = np.where(hidden, np.nan, weights)
    weights /= np.nansum(weights, -1, keepdims=True)
    names = [f"head {number + 1}" for number in range(heads)]
    return Attention(kind, layer, num_layers, weights, rows, columns, names)


def panels_of(figure):
    """Return the panels with heat maps, without the color bar."""
    return [axes for axes in figure.axes if axes.get_title() and axes.images]


def drawn(panel):
    return panel.images[0].get_array().filled(np.nan)


def texts(figure):
    return [text.get_text() for text in figure.texts if text.get_text()]


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def one(subword):
    return Attention("encoder", 1, 1, np.ones((1, 1, 1)), [subword], [subword], ["head 1"])


@pytest.mark.parametrize(
    ("subword", "label"),
    [
        ("▁cat", "cat"),
        ("s", "s"),
        ("▁", "␣"),
        ("▁a▁b", "a b"),
        ("\u3000", "␣"),
        ("a\nb", "a b"),
        ("\x00", "\ufffd"),
        ("$x", "$x"),
    ],
)
def test_labels_of_subwords(subword, label):
    [panel] = panels_of(plot_heat_maps([one(subword)]))
    assert labels(panel.xaxis) == labels(panel.yaxis) == [label]


def test_the_panels_of_a_translation_show_the_weights_of_the_network(translator):
    [[translation]] = translator.translate(["ba be lo"])
    for kind in ("encoder", "decoder", "cross"):
        [wanted] = read_attention(translator, "ba be lo", translation, [kind])
        figure = plot_translation(translator, "ba be lo", translation, kind)
        panels = panels_of(figure)
        assert [panel.get_title() for panel in panels] == ["head 1", "head 2"]
        for panel, weights in zip(panels, wanted.weights, strict=True):
            np.testing.assert_array_equal(drawn(panel), weights)
            assert labels(panel.yaxis) == [row.strip("▁") or "␣" for row in wanted.rows]
            assert labels(panel.xaxis) == [column.strip("▁") or "␣" for column in wanted.columns]


def test_the_sentence_and_its_translation_are_above_the_panels(translator):
    [[translation]] = translator.translate(["ba \udcff $lo$"])
    figure = plot_translation(translator, "ba \udcff $lo$", translation)
    found = texts(figure)
    assert found[:2] == ["cross attention, layer 1 of 1", "ba \ufffd $lo$"]
    assert found[2].startswith(f"→ {translation.text}"[:20])


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_figures_are_displayed_by_notebooks_and_saved(translator, tmp_path, kind):
    path = tmp_path / "plot.png"
    sentence = "ba be $lo$ 漢"
    [[translation]] = translator.translate(["ba be lo"])
    figure = plot_translation(translator, sentence, translation, kind)
    assert figure._repr_png_().startswith(b"\x89PNG")
    save(figure, path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_sentence_that_was_only_copied_cannot_be_plotted(translator):
    with pytest.raises(UserError, match="the network did not read the sentence"):
        plot_translation(translator, "", Translation("!!!", 0.0))


def test_an_empty_translation_cannot_be_plotted(translator):
    with pytest.raises(UserError, match="an empty translation has no attention to plot"):
        plot_translation(translator, "ba", Translation("", 0.0))


def test_titles_of_axes_name_what_attends_and_what_is_attended_to():
    titles = {
        "encoder": ("source subword", "source subword attended to"),
        "decoder": ("subword being written", "subword read"),
        "cross": ("subword being written", "source subword"),
    }
    for kind, wanted in titles.items():
        columns = ["<start>", *ROWS[:-1]] if kind == "decoder" else COLUMNS
        found = texts(plot_heat_maps([attention(kind, columns=columns)]))
        assert found[1:3] == list(wanted)
    words = texts(plot_heat_maps([attention("cross").with_words()]))
    assert words[1:3] == ["word being written", "source word"]


def test_each_layer_of_each_kind_is_a_band_with_a_title():
    both = [attention(kind, layer) for kind in ("encoder", "cross") for layer in (1, 2)]
    figure = plot_heat_maps(both)
    assert texts(figure)[0] == "encoder and cross attention"
    titles = [f"{kind} attention, layer {n} of 2" for kind in ("encoder", "cross") for n in (1, 2)]
    assert [text for text in texts(figure)[1:] if "attention," in text] == titles
    panels = panels_of(figure)
    assert [panel.get_title() for panel in panels] == ["head 1", "head 2", "head 3"] * 4
    matrices = [matrix for each in both for matrix in each.weights]
    for panel, matrix in zip(panels, matrices, strict=True):
        np.testing.assert_array_equal(drawn(panel), matrix)


def test_the_layers_of_a_mean_over_heads_are_side_by_side():
    means = [attention("cross", layer).with_mean_head() for layer in (1, 2)]
    figure = plot_heat_maps(means)
    assert texts(figure)[0] == "cross attention, mean of 3 heads"
    panels = panels_of(figure)
    assert [panel.get_title() for panel in panels] == ["layer 1", "layer 2"]
    for panel, each in zip(panels, means, strict=True):
        np.testing.assert_array_equal(drawn(panel), each.weights[0])
    low, high = (panel.get_position() for panel in panels)
    assert low.y0 == high.y0
    assert low.x1 < high.x0


def test_a_single_head_keeps_its_color():
    [panel] = panels_of(plot_heat_maps([attention().with_head(3)]))
    assert panel.get_title() == "head 3"
    middle = panel.images[0].cmap(np.linspace(0, 1, 256))
    assert COLORS[2].lower() in [to_hex(color) for color in middle]


def test_probabilities_and_other_choices_are_beside_the_rows():
    values, others = (
        np.array([0.9, 0.5, 0.004, 1, 0.3, 0.7]),
        np.array([0.9, 0.5, 0.8, 1, 0.6, 0.7]),
    )
    probabilities = Probabilities(values, ["", "", "▁Buch", "", "$", ""], others)
    figure = plot_heat_maps([attention("encoder"), attention()], (), probabilities)
    [strip] = [axes for axes in figure.axes if axes.patches]
    assert [bar.get_width() for bar in strip.patches] == values.tolist()
    assert labels(strip.yaxis) == ["den", "Br", "ief", ",", "den", "<end>"]
    notes = [text.get_text() for text in strip.texts]
    assert notes == ["0.90", "0.50", "4e-03 (Buch 0.80)", "1.00", "0.30 ($ 0.60)", "0.70"]
    assert strip.get_title(loc="left") == "probability (network's choice)"
    rows = panels_of(figure)[-1]
    assert strip.get_ylim() == rows.get_ylim()
    assert strip.get_position().y0 == pytest.approx(rows.get_position().y0)


def test_the_probabilities_of_words_are_products():
    probabilities = Probabilities(np.array([0.5, 0.5, 0.2]), ["x", "", ""], np.ones(3))
    words = probabilities.with_words([0, 1, 1])
    np.testing.assert_allclose(words.values, [0.5, 0.1])
    assert words.notes() == ["0.50", "0.10"]


def test_the_choices_of_the_network_are_those_that_differ_from_the_given_translation(translator):
    translation, forced = given_translation(translator, "ba lo", "ki ba")
    found = Probabilities.of(forced, translation, translator.target_subwords)
    wanted = translator.target_subwords.labels(forced.best)
    given = translator.target_subwords.labels(translation.ids[1:])
    pairs = zip(wanted, given, strict=True)
    assert found.choices == [best if best != given else "" for best, given in pairs]
    np.testing.assert_array_equal(found.values, forced.probabilities)
    np.testing.assert_array_equal(found.choice_values, forced.best_probabilities)


def bars_of(figure):
    """Return the heights of the bars of each row, and the labels below the last one."""
    rows = [[bar.get_height() for bar in axes.patches] for axes in figure.axes]
    return rows, labels(figure.axes[-1].xaxis)


def test_a_token_has_a_row_of_bars_for_each_head():
    each = attention()
    figure = plot_token([each], "ief", ["text"])
    rows, items = bars_of(figure)
    np.testing.assert_array_equal(rows, each.weights[:, 2])
    assert items == ["<start>", "the", "letter", "<end>"]
    assert texts(figure)[:2] == ["“ief”: cross attention, layer 1 of 2", "text"]
    assert [text for text in texts(figure) if text.startswith("head")] == each.heads
    colors = [to_hex(axes.patches[0].get_facecolor()) for axes in figure.axes]
    assert colors == [color.lower() for color in COLORS[:3]]


def test_bars_omit_hidden_subwords():
    each = attention("decoder", columns=["<start>", *ROWS[:-1]])
    rows, items = bars_of(plot_token([each], "ief"))
    assert items == ["<start>", "den", "Br"]
    np.testing.assert_array_equal(rows, each.weights[:, 2, :3])


def test_each_occurrence_of_a_token_has_a_chart():
    probabilities = Probabilities(np.full(6, 0.25), [""] * 6, np.full(6, 0.25))
    figure = plot_token([attention()], "den", (), probabilities)
    rows, _ = bars_of(figure)
    np.testing.assert_array_equal(rows, [*attention().weights[:, 0], *attention().weights[:, 4]])
    titles = [f"occurrence {number} of 2, probability 0.25" for number in (1, 2)]
    assert [text for text in texts(figure) if "occurrence" in text] == titles


def test_charts_of_several_kinds_are_those_in_which_the_token_occurs():
    other = attention("encoder", rows=COLUMNS, columns=COLUMNS)
    assert len(plot_token([other, attention()], "letter").axes) == 3
    titles = texts(plot_token([other, attention()], "<end>"))
    assert "encoder attention, layer 1 of 2" in titles
    assert "cross attention, layer 1 of 2" in titles


@pytest.mark.parametrize(
    ("token", "rows"),
    [
        ("den", [0, 4]),
        ("▁den", [0, 4]),
        ("ief", [2]),
        (",", [3]),
        ("<end>", [5]),
    ],
)
def test_a_token_is_compared_with_the_labels(token, rows):
    assert rows_of([attention()], token) == {"cross": rows}


def test_punctuation_at_the_ends_of_a_word_need_not_be_given():
    words = attention().with_words()
    assert words.rows == ["▁den", "▁Brief,", "▁den", "<end>"]
    for token in ("Brief", "Brief,", "▁Brief,"):
        assert rows_of([words], token) == {"cross": [1]}


@pytest.mark.parametrize("label", ["▁كتاب؟", "▁नमस्ते।", "▁「猫」，", "▁—dash—"])
def test_punctuation_of_any_script_need_not_be_given(label):
    each = attention("encoder", rows=[label, "<end>"], columns=["▁a", "<end>"])
    token = label.strip("▁؟।「」，—")
    assert rows_of([each], token) == {"encoder": [0]}


def test_punctuation_hides_no_occurrence_of_a_word():
    source = ["▁the", "▁dog,", "▁a", "▁dog.", "<end>"]
    target = ["▁Hund", "▁dog", "<end>"]
    rows = {"encoder": source, "decoder": target}
    kinds = [attention(kind, rows=each, columns=each) for kind, each in rows.items()]
    assert rows_of(kinds, "dog") == {"encoder": [1, 3], "decoder": [1]}


def test_what_surrounds_arabic_text_is_drawn_in_order():
    mark, word = "\u200e", "\u0645\u0631\u062d\u0628\u0627"
    assert heading("Hi", word) == ["Hi", f"{mark}→ {word}"]
    assert heading("Hi", "Hallo") == ["Hi", "→ Hallo"]
    [note] = Probabilities(np.array([0.5]), [word], np.array([0.9])).notes()
    assert note == f"{mark}0.50 ({word}{mark} 0.90)"


def test_an_unknown_token_is_an_error_that_lists_the_others():
    message = "no subword that attends is 'letter'; the subwords are: den Br ief , <end>$"
    with pytest.raises(UnknownToken, match=message):
        rows_of([attention()], "letter")
    with pytest.raises(UnknownToken, match="no word that attends .* are: den Brief, <end>$"):
        rows_of([attention().with_words()], "ief")
    many = attention(rows=[f"▁{number}" for number in range(100)])
    with pytest.raises(UnknownToken, match=r"are: 0 1 .* 58 59, \.\.\.$"):
        rows_of([many], "x")

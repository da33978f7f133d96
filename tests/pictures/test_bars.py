import numpy as np
import pytest

from keras_transformer.pictures.bars import Bars, Chart, plot_bars
from tests.pictures.overlaps import check_texts

LONG = ["Freundschafts", "<start>", "m", "␣"]


def chart(items, rows=1, title="a chart", axis="source subword"):
    values = np.random.default_rng(items).random((rows, items))
    bars = [Bars(f"head {n + 1}", each, n) for n, each in enumerate(values)]
    return Chart(title, (LONG * 11)[:items], axis, bars)


def test_each_row_has_a_bar_for_each_item():
    one = chart(5, 3)
    figure = plot_bars([one], "title", ["text"])
    assert len(figure.axes) == 3
    for axes, row in zip(figure.axes, one.rows, strict=True):
        np.testing.assert_array_equal([bar.get_height() for bar in axes.patches], row.values)
        assert axes.get_ylim()[0] == 0
    labels = [[label.get_text() for label in axes.get_xticklabels()] for axes in figure.axes]
    assert labels == [[""] * 5, [""] * 5, list(one.items)]


def test_the_highest_bar_is_labelled_with_its_value():
    rows = [Bars("a", np.array([0.1, 0.856, 0.2]), 0), Bars("b", np.array([1.0, 0, 0]), 1)]
    figure = plot_bars([Chart("", "xyz", "", rows)])
    assert [[text.get_text() for text in axes.texts] for axes in figure.axes] == [
        ["0.86"],
        ["1.00"],
    ]
    assert [text.xy for axes in figure.axes for text in axes.texts] == [(1, 0.856), (0, 1.0)]


@pytest.mark.parametrize("charts", [1, 3])
@pytest.mark.parametrize(("items", "rows"), [(1, 1), (2, 8), (41, 8), (42, 1)])
def test_texts_neither_overlap_nor_leave_the_page(charts, items, rows):
    title = "cross attention, layer 4 of 4, occurrence 2 of 3, probability 0.12 (Fahrkarte 0.35)"
    figure = plot_bars([chart(items, rows, title)] * charts, "title " * 8, ["a text " * 20])
    check_texts(figure, charts * (items + 2 * rows))


def test_the_numbers_of_values_and_items_must_be_equal():
    with pytest.raises(ValueError, match=r"values \(2,\) do not fit 3 items"):
        plot_bars([Chart("", "xyz", "", [Bars("a", np.ones(2), 0)])])

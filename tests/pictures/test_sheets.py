import pytest

from keras_transformer.pictures.sheets import Box, Sheet, SheetTooLarge, flow


def test_axes_are_placed_in_inches_below_the_heading():
    sheet = Sheet(8, 4, "A title", ["a line", "another line"])
    axes = sheet.add_axes(Box(1, 0.5, 2, 3))
    width, height = sheet.figure.get_size_inches()
    assert (width, height) == (8, sheet.heading + 4)
    box = axes.get_position()
    assert box.x0 * width == pytest.approx(1)
    assert (box.x1 - box.x0) * width == pytest.approx(2)
    assert (1 - box.y1) * height == pytest.approx(sheet.heading + 0.5)
    assert (box.y1 - box.y0) * height == pytest.approx(3)


def test_a_sheet_is_at_least_as_wide_as_its_title():
    assert Sheet(1, 1, "A title of many words").width > 1
    assert Sheet(8, 1, "A title of many words").width == 8


def test_text_is_written_below_the_title_and_wrapped():
    sheet = Sheet(3, 1, "$Title$", ["word " * 20, "$x"])
    texts = sheet.figure.texts
    assert texts[0].get_text() == "$Title$"
    assert " ".join(text.get_text() for text in texts[1:-1]) == ("word " * 20).strip()
    assert texts[-1].get_text() == "$x"
    heights = [text.get_position()[1] for text in texts]
    assert heights == sorted(heights, reverse=True)


@pytest.mark.parametrize("size", [(500, 1), (1, 500), (150, 150)])
def test_a_sheet_that_is_too_large_is_an_error(size):
    with pytest.raises(SheetTooLarge, match="too large: it would measure"):
        Sheet(*size)


@pytest.mark.parametrize(
    ("sizes", "places"),
    [
        ([(4, 1), (4, 3), (4, 2)], [(0, 0), (4, 0), (0, 3)]),
        ([(20, 1), (4, 3)], [(0, 0), (0, 1)]),
        ([(5, 1), (5, 1)], [(0, 0), (5, 0)]),
        ([], []),
    ],
)
def test_blocks_flow_into_rows(sizes, places):
    assert flow(sizes, 10) == places

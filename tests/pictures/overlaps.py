"""Whether the texts of a figure overlap, by the boxes that Matplotlib computes."""

from collections.abc import Iterator

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from keras_transformer.pictures.style import fonts


def check_texts(figure: Figure, least: int = 1) -> list[str]:
    """Fail if texts overlap or leave the page, or if there are fewer than `least`.

    Returns:
        The texts.
    """
    with fonts():
        FigureCanvasAgg(figure).draw()
        texts = [each for each in texts_of(figure) if each.get_text() and each.get_visible()]
        boxes = np.array([each.get_window_extent().extents for each in texts])
    names = np.array([each.get_text() for each in texts])
    assert len(boxes) >= least
    low, high = boxes[:, :2], boxes[:, 2:]  # (n, 2): x and y
    assert (low >= 0).all(), names[(low < 0).any(1)]
    assert (high <= figure.bbox.size).all(), names[(high > figure.bbox.size).any(1)]
    before = (low[:, np.newaxis] >= high - 1).any(-1)  # (n, n); one pixel is tolerated
    overlapping = np.argwhere(~(before | before.T | np.eye(len(boxes), dtype=bool)))
    assert not len(overlapping), names[overlapping[:5]]
    return list(names)


def texts_of(figure: Figure) -> Iterator[Text]:
    """Yield the texts of a figure that has been drawn, without the labels of ticks out of view."""
    yield from figure.texts
    for legend in figure.legends:
        yield from legend.texts
    for axes in (*figure.axes, *(child for each in figure.axes for child in each.child_axes)):
        yield from axes.texts
        yield axes.title
        yield axes._left_title
        yield from axes.legend_.texts if axes.legend_ else ()
        for axis in (axes.xaxis, axes.yaxis) if axes.axison else ():
            yield axis.label
            low, high = sorted(axis.get_view_interval())
            shown = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            yield from (text for tick in shown for text in (tick.label1, tick.label2))

"""Places of drawn texts, to test that none covers another."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from keras_transformer.pictures.style import fonts


def check_texts(figure):
    """Check that no text of a figure covers another or leaves the figure, but for one pixel.

    Returns:
        The texts.
    """
    with fonts():
        FigureCanvasAgg(figure).draw()
        texts = [text for text in texts_of(figure) if text.get_visible() and text.get_text()]
        boxes = np.array([text.get_window_extent().extents for text in texts])
    low, high = boxes[:, :2], boxes[:, 2:]  # (n, 2): x and y
    names = np.array([text.get_text() for text in texts])
    assert (low >= -1).all(), names[(low < -1).any(1)]
    assert (high <= figure.bbox.size + 1).all(), names[(high > figure.bbox.size + 1).any(1)]
    before = (low[:, np.newaxis] >= high - 1).any(-1)  # (n, n)
    overlapping = ~(before | before.T | np.eye(len(boxes), dtype=bool))
    assert not overlapping.any(), names[np.argwhere(overlapping)]
    return list(names)


def texts_of(figure):
    """Yield the texts of a figure that has been drawn."""
    yield from figure.texts
    for legend in figure.legends:
        yield from legend.texts
    for axes in (*figure.axes, *(child for each in figure.axes for child in each.child_axes)):
        yield from axes.texts
        yield axes.title
        yield from axes.legend_.texts if axes.legend_ else ()
        for axis in (axes.xaxis, axes.yaxis) if axes.axison else ():
            yield axis.label
            low, high = sorted(axis.get_view_interval())
            shown = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            yield from (text for tick in shown for text in (tick.label1, tick.label2))

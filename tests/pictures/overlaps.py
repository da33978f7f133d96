"""Whether the texts of a figure overlap, by the boxes that Matplotlib computes."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text


def check_texts(figure: Figure, least: int = 1) -> None:
    """Fail if texts overlap or leave the page, or if there are fewer than `least`."""
    FigureCanvasAgg(figure).draw()
    texts = [each for each in figure.findobj(Text) if each.get_text() and each.get_visible()]
    boxes = np.array([each.get_window_extent().extents for each in texts])
    assert len(boxes) >= least
    low, high = boxes[:, :2], boxes[:, 2:]  # (n, 2): x and y
    assert (low >= 0).all()
    assert (high <= figure.bbox.size).all()
    before = (low[:, np.newaxis] >= high - 1).any(-1)  # (n, n); one pixel is tolerated
    overlapping = np.argwhere(~(before | before.T | np.eye(len(boxes), dtype=bool)))
    assert not len(overlapping), [[texts[i].get_text() for i in pair] for pair in overlapping[:5]]

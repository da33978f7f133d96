"""Diagrams of two stacks of boxes side by side, such as an encoder and a decoder."""

import math
from collections.abc import Iterable, Sequence

from matplotlib import patches
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from keras_transformer.pictures.diagram_layout import (
    GAP,
    GUTTER,
    LINE,
    MARGIN,
    PAD,
    RADIUS,
    SIDE,
    TITLE,
    Box,
    Diagram,
    Group,
    Junction,
    Placed,
    Rectangle,
    Share,
    Side,
    code_width,
    flat,
    font,
    needed_width,
    placed_stack,
)
from keras_transformer.pictures.saving import FlatFigure
from keras_transformer.pictures.style import DPI, LABEL_SIZE, MONOSPACE, TEXT_SIZE, text_width

HEAD = 0.07  # length of the head of an arrow
INK = "0.25"  # color of lines
FRAME = "0.96"  # color of the background of a group


def plot_diagram(diagram: Diagram, title: str = "", text: Iterable[str] = ()) -> FlatFigure:
    """Draw a diagram.

    Args:
        diagram: the `Diagram`.
        title: title of the figure.
        text: lines below the title.

    Returns:
        A figure that displays itself in a notebook.
    """
    text = list(text)
    width = max(map(needed_width, flat([*diagram.left, *diagram.right])), default=1.0)
    outer, page = MARGIN + 2 * SIDE, 2 * (MARGIN + width + 3 * SIDE) + GUTTER + SIDE
    left = placed_stack(diagram.left, "left", outer, width)
    right = placed_stack(diagram.right, "right", outer + width + 2 * SIDE + GUTTER, width)
    panel = (len(diagram.shares) + 2) * TITLE if diagram.shares else 0.0
    top = max(left.top + panel + GAP, right.top)
    height = top + GAP + (len(text) + 1.5) * TITLE + MARGIN
    heading = text_width([title], TEXT_SIZE + 2, "bold"), text_width(["", *text], TEXT_SIZE)
    page = max(page, 2 * MARGIN + max(heading))
    figure = FlatFigure(figsize=(page, height), dpi=DPI)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, page), ylim=(0, height))
    axes.set_axis_off()
    _write_heading(axes, title, text, height)
    for stack in (left, right):
        _draw_stack(axes, stack)
    _draw_bypasses(axes, [left, right], diagram.bypasses)
    _draw_links(axes, left, right, diagram.links)
    _draw_ties(axes, left, right, diagram.ties)
    place = Rectangle(outer, top - panel, width, panel - TITLE / 2)
    _draw_shares(axes, diagram.shares_title, diagram.shares, place)
    return figure


def tint(color: str, share: float = 0.22) -> tuple[float, ...]:
    """Return a light tint of a color, with a `share` of the color and the rest white."""
    return tuple(1 - share * (1 - channel) for channel in to_rgb(color))


def _write(axes: Axes, x: float, y: float, text: str, size: float, **style: object) -> None:
    """Write text, which is never a formula, at a point of the page."""
    axes.text(x, y, text, fontsize=size, parse_math=False, **style)  # type: ignore[arg-type]


def _write_heading(axes: Axes, title: str, text: Sequence[str], height: float) -> None:
    _write(axes, MARGIN, height - MARGIN, title, TEXT_SIZE + 2, weight="bold", va="top")
    for number, line in enumerate(text):
        y = height - MARGIN - TITLE * (number + 1.5)
        _write(axes, MARGIN, y, line, TEXT_SIZE, va="top")


def _draw_line(
    axes: Axes, points: Sequence[tuple[float, float]], arrow: bool = True, dashed: bool = False
) -> None:
    """Draw a line through points of the page, with an arrow at its end."""
    x, y = zip(*points, strict=True)
    style = (0, (3, 2)) if dashed else "solid"
    axes.plot(x, y, color=INK, linewidth=0.9, linestyle=style, zorder=2, gid="line")
    if arrow:
        (x1, y1), (x2, y2) = points[-2:]
        length = math.hypot(x2 - x1, y2 - y1)
        along = HEAD * (x2 - x1) / length, HEAD * (y2 - y1) / length
        back = x2 - along[0], y2 - along[1]
        across = along[1] * 0.4, -along[0] * 0.4
        corners = [(back[0] + sign * across[0], back[1] + sign * across[1]) for sign in (1, -1)]
        axes.add_patch(patches.Polygon([(x2, y2), *corners], color=INK, linewidth=0, zorder=2))


def _draw_stack(axes: Axes, stack: Placed) -> None:
    """Draw the frames, the items and the arrows between consecutive items of a stack."""
    for group, frame in stack.frames:
        _draw_group(axes, group, frame, stack)
    places = [place for _, place in stack.items.values()]
    for below, above in zip(places, places[1:], strict=False):
        x = below.center[0]
        _draw_line(axes, [(x, below.top), (x, above.y)])
    for item, place in stack.items.values():
        if isinstance(item, Box):
            _draw_box(axes, item, place)
        else:
            _draw_junction(axes, item, place, stack.side)


def _patch(
    axes: Axes, place: Rectangle, face: object, edge: object, order: float, name: str
) -> None:
    """Draw a rectangle with round corners."""
    style = "round,pad=0,rounding_size=0.05"
    corner = place.x, place.y
    box = patches.FancyBboxPatch(corner, place.width, place.height, boxstyle=style, gid=name)
    box.set(facecolor=face, edgecolor=edge, linewidth=0.9, zorder=order)
    axes.add_patch(box)


def _draw_group(axes: Axes, group: Group, frame: Rectangle, stack: Placed) -> None:
    """Draw the frame of a group, and its text to the left and to the right of the arrow."""
    _patch(axes, frame, FRAME, "0.6", 0, "frame")
    y = frame.top - PAD
    _write(axes, frame.x + PAD, y, group.title, TEXT_SIZE, weight="bold", va="top")
    name = {"family": MONOSPACE, "va": "top"}
    _write(axes, frame.x + PAD, y - TITLE, group.name, LABEL_SIZE, **name)
    for number, note in enumerate(group.notes):
        height = y - (TITLE - LINE) - LINE * number
        _write(axes, frame.right - PAD, height, note, LABEL_SIZE, va="top", ha="right")


def _draw_box(axes: Axes, box: Box, place: Rectangle) -> None:
    """Draw a box with its text."""
    _patch(axes, place, tint(box.color), box.color, 3, f"box {box.key}")
    x, y = place.x + PAD, place.top - PAD
    _write(axes, x, y, box.title, TEXT_SIZE, weight="bold", va="top", zorder=4)
    note = {"va": "top", "ha": "right", "zorder": 4}
    _write(axes, place.right - PAD, y - 0.02, box.note, LABEL_SIZE, **note)
    for number, line in enumerate(box.lines):
        height = y - TITLE - LINE * number
        _write(axes, x, height, line, LABEL_SIZE, family=font(box), va="top", zorder=4)


def _draw_junction(axes: Axes, item: Junction, place: Rectangle, side: Side) -> None:
    """Draw a circle, with its text on the side on which no line enters."""
    x, y = place.center
    circle = patches.Circle((x, y), RADIUS, gid=f"junction {item.key}")
    circle.set(facecolor="white", edgecolor=INK, linewidth=0.9, zorder=3)
    axes.add_patch(circle)
    sign = RADIUS * 0.6
    for dx, dy in ((sign, 0), (0, sign)):
        axes.plot([x - dx, x + dx], [y - dy, y + dy], color=INK, linewidth=0.9, zorder=4)
    away, alignment = (1, "left") if side == "left" else (-1, "right")
    for number, line in enumerate(item.lines):
        height = y + LINE * ((len(item.lines) - 1) / 2 - number)
        style = {"family": MONOSPACE, "va": "center", "ha": alignment}
        _write(axes, x + away * (RADIUS + PAD), height, line, LABEL_SIZE, **style)


def _draw_bypasses(
    axes: Axes, stacks: Iterable[Placed], bypasses: Iterable[tuple[str, str]]
) -> None:
    for stack in stacks:
        for start, end in bypasses:
            if start in stack.items:
                _draw_bypass(axes, stack, stack.items[start][1], stack.items[end][1])


def _draw_bypass(axes: Axes, stack: Placed, start: Rectangle, end: Rectangle) -> None:
    """Draw a line from below `start` around the side of the boxes to the junction `end`."""
    boxes = [place for item, place in stack.items.values() if isinstance(item, Box)]
    outside = boxes[0].x - SIDE if stack.side == "left" else boxes[0].right + SIDE
    entry = end.x if stack.side == "left" else end.right
    y, (center, level) = start.y - GAP / 2, end.center
    _draw_line(axes, [(center, y), (outside, y), (outside, level), (entry, level)])


def _draw_links(axes: Axes, left: Placed, right: Placed, links: Iterable[tuple[str, str]]) -> None:
    """Draw arrows from boxes of the left stack to boxes of the right one."""
    for start, end in links:
        _draw_line(axes, _across(left.items[start][1], right.items[end][1]))


def _draw_ties(axes: Axes, left: Placed, right: Placed, ties: Iterable[tuple[str, str]]) -> None:
    """Draw dashed lines between boxes: of both stacks, or on the outer side of the right one."""
    for start, end in ties:
        last = right.items[end][1]
        if start in left.items:
            points = _across(left.items[start][1], last)
        else:
            first = right.items[start][1]
            x, (_, y1), (_, y2) = first.right + 3 * SIDE, first.center, last.center
            points = [(first.right, y1), (x, y1), (x, y2), (last.right, y2)]
        _draw_line(axes, points, arrow=False, dashed=True)


def _across(first: Rectangle, second: Rectangle) -> list[tuple[float, float]]:
    """Return the points of a line between the stacks, straight if the boxes are side by side."""
    low, high = max(first.y, second.y), min(first.top, second.top)
    levels = [first.center[1], second.center[1]] if low >= high else [(low + high) / 2] * 2
    x = (first.right + second.x) / 2
    return [(first.right, levels[0]), (x, levels[0]), (x, levels[1]), (second.x, levels[1])]


def _draw_shares(axes: Axes, title: str, shares: Sequence[Share], place: Rectangle) -> None:
    """Draw a bar for each share, with its label, its value and its percentage."""
    if not shares:
        return
    total = sum(share.value for share in shares)
    texts = [f"{share.value:,}  {share.value / total:6.1%}" for share in shares]
    texts.append(f"{total:,}  100.0%")
    indent = text_width([share.label for share in shares], LABEL_SIZE) + PAD
    numbers_width = code_width(texts, LABEL_SIZE)
    room = place.width - indent - numbers_width - 2 * PAD
    unit = room / max(share.value for share in shares)
    _write(axes, place.x, place.top, title, TEXT_SIZE, weight="bold", va="center")
    for number, (label, value, color) in enumerate([*shares, Share("total", 0, INK)]):
        y = place.top - TITLE * (number + 1.2)
        weight = "normal" if number < len(shares) else "bold"
        _write(axes, place.x, y, label, LABEL_SIZE, va="center", weight=weight)
        numbers = {"family": MONOSPACE, "va": "center", "ha": "right", "weight": weight}
        _write(axes, place.right, y, texts[number], LABEL_SIZE, **numbers)
        corner, size = (place.x + indent, y - LINE / 3), (unit * value, LINE * 2 / 3)
        if number < len(shares):
            bar = patches.Rectangle(corner, *size, color=color, linewidth=0, gid=f"bar {label}")
            axes.add_patch(bar)

"""The layout of a diagram of two stacks of boxes, which are read from the bottom to the top.

All lengths are in inches. The sizes of the boxes follow from their texts, so that nothing overlaps.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from keras_transformer.pictures.style import DPI, LABEL_SIZE, MONOSPACE, TEXT_SIZE, text_width

MARGIN = 0.25  # of the page
PAD = 0.08  # between the border of a box and its text
LINE = 0.135  # height of a line of a box
TITLE = 0.17  # height of the title of a box
GAP = 0.22  # between a box and the next one above
RADIUS = 0.09  # of a junction
SIDE = 0.2  # between a box and the line that bypasses it, and from there to the frame
GUTTER = 0.5  # between the frames of the two stacks
ADVANCE = 1233 / 2048  # width of each character of `MONOSPACE`, in units of the size of the font

Side: TypeAlias = Literal["left", "right"]


class Box(NamedTuple):
    """A box with text.

    Attributes:
        key: names the box; unique in the diagram.
        title: its title, in bold.
        note: text to the right of the title.
        lines: lines of text below the title.
        color: its color; the box is filled with a tint of it.
        monospaced: whether the lines are code.
    """

    key: str
    title: str
    note: str
    lines: Sequence[str]
    color: str
    monospaced: bool = True


class Junction(NamedTuple):
    """A circle with a plus sign, in which two lines meet.

    Attributes:
        key: names the junction; unique in the diagram.
        lines: lines of code beside the circle.
    """

    key: str
    lines: Sequence[str]


Item: TypeAlias = Box | Junction


class Group(NamedTuple):
    """Consecutive items in a frame.

    Attributes:
        title: its title, in bold.
        name: code below the title.
        notes: two lines at the right.
        items: the items, from the bottom to the top.
    """

    title: str
    name: str
    notes: Sequence[str]
    items: Sequence[Item]


Stack: TypeAlias = Sequence[Item | Group]  # from the bottom to the top


class Share(NamedTuple):
    """A share of a total, as a bar.

    Attributes:
        label: text to the left of the bar.
        value: the length of the bar.
        color: its color.
    """

    label: str
    value: int
    color: str


class Diagram(NamedTuple):
    """Two stacks and the lines between their boxes.

    Attributes:
        left: the left stack.
        right: the right stack, which is at least as high.
        bypasses: pairs of keys: a line leaves the stack below the first item, and enters it again
            at the second, a junction.
        links: pairs of keys: an arrow from a box of the left stack to a box of the right one.
        ties: pairs of keys: a dashed line between two boxes that have something in common.
        shares: bars above the left stack.
        shares_title: title of the bars.
    """

    left: Stack
    right: Stack
    bypasses: Sequence[tuple[str, str]] = ()
    links: Sequence[tuple[str, str]] = ()
    ties: Sequence[tuple[str, str]] = ()
    shares: Sequence[Share] = ()
    shares_title: str = ""


class Rectangle(NamedTuple):
    """A place on the page: its left and lower edge, its width and its height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def top(self) -> float:
        return self.y + self.height

    @property
    def center(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2


class Placed(NamedTuple):
    """A stack on the page.

    Attributes:
        side: on which side of the boxes the bypasses are; the other stack is on the other side.
        items: {key: (item, its place)}, from the bottom to the top.
        frames: the groups with the places of their frames.
        top: upper edge of the stack.
    """

    side: Side
    items: Mapping[str, tuple[Item, Rectangle]]
    frames: Sequence[tuple[Group, Rectangle]]
    top: float


def flat(stack: Stack) -> Iterator[Item | Group]:
    """Yield the groups of a stack, and all items, also those in groups."""
    for each in stack:
        yield each
        if isinstance(each, Group):
            yield from each.items


def font(item: Box) -> str:
    """Return the family of the font of the lines of a box."""
    return MONOSPACE if item.monospaced else "sans-serif"


def code_width(lines: Iterable[str], size: float) -> float:
    """Return the width of the longest line of code in inches, in a font of `size` points."""
    pixels = math.ceil(ADVANCE * size / 72 * DPI)  # hinting rounds the width of a character
    return max(map(len, lines)) * pixels / DPI


def needed_width(item: Item | Group) -> float:
    """Return the width of a box, or of the boxes in a group, in which all text fits."""
    if isinstance(item, Box):
        head = text_width([item.title], TEXT_SIZE, "bold") + text_width([item.note], LABEL_SIZE)
        measure = code_width if item.monospaced else text_width
        lines = measure(["", *item.lines], LABEL_SIZE)
        return max(head + 2 * PAD, lines) + 2 * PAD
    if isinstance(item, Junction):
        return 2 * (code_width(["", *item.lines], LABEL_SIZE) + RADIUS + PAD)
    name = code_width([item.name], LABEL_SIZE)
    name = max(name, text_width([item.title], TEXT_SIZE, "bold"))
    return 2 * (max(name, text_width(["", *item.notes], LABEL_SIZE)) + 2 * PAD - SIDE)


def _height(item: Item) -> float:
    if isinstance(item, Junction):
        return 2 * RADIUS
    return TITLE + LINE * len(item.lines) + 1.5 * PAD


def placed_stack(stack: Stack, side: Side, x: float, width: float) -> Placed:
    """Place a stack from the bottom of the page to the top.

    Args:
        stack: the stack.
        side: on which side of the boxes the bypasses are.
        x: left edge of the boxes.
        width: width of the boxes.
    """
    items: dict[str, tuple[Item, Rectangle]] = {}
    frames, y = [], MARGIN
    for each in stack:
        if isinstance(each, Group):
            bottom, y = y, y + GAP
            y = _place_items(items, each.items, x, y, width) + 2 * LINE + PAD
            frames.append((each, _frame(side, x, bottom, width, y)))
            y += GAP
        else:
            y = _place_items(items, [each], x, y, width)
    return Placed(side, items, frames, y - GAP)


def _frame(side: Side, x: float, bottom: float, width: float, top: float) -> Rectangle:
    """Return the frame of a group, which also surrounds the bypasses at its side."""
    left = x - (2 * SIDE if side == "left" else SIDE)
    return Rectangle(left, bottom, width + 3 * SIDE, top - bottom)


def _place_items(
    placed: dict[str, tuple[Item, Rectangle]],
    items: Sequence[Item],
    x: float,
    y: float,
    width: float,
) -> float:
    """Place items above y, and return the y of the next one."""
    for item in items:
        height = _height(item)
        extent = (x, width) if isinstance(item, Box) else (x + width / 2 - RADIUS, 2 * RADIUS)
        placed[item.key] = item, Rectangle(extent[0], y, extent[1], height)
        y += height + GAP
    return y

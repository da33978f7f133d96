"""What all pictures share: colors, sizes, fonts, and the measuring and wrapping of text."""

import contextlib
import logging
import textwrap
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import numpy as np
from matplotlib import font_manager
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import Colormap, ListedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from numpy.typing import NDArray

Color: TypeAlias = tuple[float, float, float, float]  # red, green, blue and alpha, from 0 to 1
# The palette of Okabe and Ito (2008), which readers with color vision deficiency can tell apart,
# in an order in which neighbors differ most. Its yellow is too light for lines on white.
COLORS = (
    "#0072B2",  # blue
    "#D55E00",  # vermilion
    "#009E73",  # bluish green
    "#CC79A7",  # reddish purple
    "#E69F00",  # orange
    "#56B4E9",  # sky blue
    "#7F5F00",  # brown, in place of yellow
    "#000000",  # black
)
SEQUENTIAL = "viridis"  # perceptually uniform, also for readers with color vision deficiency
DIVERGING = "RdBu_r"  # for values around 0
DARKEST = 30  # lightness of the value 1 in the color map of a head
LABEL_SIZE, TEXT_SIZE = 7, 9  # points
DPI = 150
LEFT_TO_RIGHT_MARK = "\u200e"  # is not drawn
JOINERS = "\u200c\u200d"  # zero-width non-joiner and joiner
INVISIBLE = "\xad\u200b\u200e\u200f\u2060\ufeff"  # the network does not read them either
MAX_LINES, MAX_CHARACTERS = 4, 2000  # of each string that `wrapped` wraps
# Tried in this order for each character. Matplotlib's own font comes first; the others, if they are
# installed, have Chinese, Japanese and Korean characters.
FONTS = (
    "DejaVu Sans",
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "IPAexGothic",
    "IPAGothic",
    "TakaoGothic",
    "VL Gothic",
    "WenQuanYi Zen Hei",
    "Hiragino Sans",
    "Yu Gothic",
    "MS Gothic",
)
MONOSPACE = "DejaVu Sans Mono"  # comes with Matplotlib


def color(number: int) -> str:
    """Return the color of head or curve `number`, from 0. After the last color, they repeat."""
    return COLORS[number % len(COLORS)]


def text_color(number: int) -> Color:
    """Return a dark shade of the color of head `number`, which is readable on white."""
    return colormap(number)(0.8)


def colormap(number: int) -> Colormap:
    """Return the color map of head `number`, from 0: from white (0) to a dark shade of its hue (1).

    The lightness falls linearly, from 100 to `DARKEST`, in the same way for every hue. Values can
    therefore be compared between heads, also in grayscale, and one color bar serves all hues.
    """
    hue = np.array(to_rgb(color(number)))
    part = np.linspace(0, 1, 256)[:, np.newaxis]
    path = np.concatenate([1 - part * (1 - hue), (1 - part) * hue])  # white, hue, black: (512, 3)
    steps = np.linspace(100, DARKEST, 256)
    # `interp` needs increasing values.
    places = np.interp(-steps, -lightness(path), np.arange(len(path)))
    shades = [np.interp(places, np.arange(len(path)), channel) for channel in path.T]
    return ListedColormap(np.stack(shades, axis=1), f"head {number + 1}")


def shades(hues: int, count: int) -> NDArray[np.uint8]:
    """Return evenly spaced colors (n, 3) of the first color maps.

    Args:
        hues: number of color maps.
        count: maximum number of colors of all of them.
    """
    values = np.linspace(0, 1, count // hues)
    found = np.concatenate([colormap(hue)(values, bytes=True)[:, :3] for hue in range(hues)])
    return np.unique(found, axis=0).astype(np.uint8)


def lightness(colors: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the lightness L* (CIE 1976) of sRGB colors (..., 3): 0 for black, 100 for white."""
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722])  # IEC 61966-2-1
    return np.where(luminance > 216 / 24389, 116 * np.cbrt(luminance) - 16, 24389 / 27 * luminance)


def left_to_right(*parts: str) -> str:
    """Return the parts of a text so that they are drawn in this order.

    Matplotlib would draw them from the right if the first letter is, for example, an Arabic one.
    """
    has_rtl = any(unicodedata.bidirectional(char) in ("R", "AL") for part in parts for char in part)
    return "".join(f"{LEFT_TO_RIGHT_MARK}{part}" for part in parts) if has_rtl else "".join(parts)


def shown(subword: str) -> str:
    """Return a subword as pictures show it.

    SentencePiece's mark of a space before a word is removed, a single space becomes `␣`, invisible
    marks are left out, and control characters become U+FFFD.
    """
    return printable(subword.replace("▁", " ")).strip(" ") or "␣"


def printable(text: str) -> str:
    """Return a text with white space as spaces, and other control characters as U+FFFD.

    Invisible marks are left out. Joiners stay: the spelling of Persian and the languages of India
    needs them, and emoji.
    """
    kept = (c for c in text if c not in INVISIBLE)
    return "".join(
        c if c.isprintable() or c in JOINERS else " " if c.isspace() else "\ufffd" for c in kept
    )


@contextlib.contextmanager
def fonts(figure: Figure | None = None) -> Iterator[None]:
    """Draw text with those of the `FONTS` that are installed.

    Characters that all of them lack are drawn as boxes, without a warning.

    Args:
        figure: a figure that is complete. Its text gets the fonts by name, because Matplotlib falls
            back to another font only among those that are named.
    """
    for text in figure.findobj(Text) if figure else ():
        first = [MONOSPACE] if MONOSPACE in text.get_fontfamily() else []
        text.set_fontfamily([*first, *installed_fonts()])
    log = logging.getLogger("matplotlib.font_manager")
    level = log.level
    log.setLevel(logging.ERROR)  # not all of these fonts have a bold version
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from")
            yield
    finally:
        log.setLevel(level)


def installed_fonts() -> list[str]:
    """Return the names of those of the `FONTS` that are installed."""
    names = set(font_manager.get_font_names())
    return [name for name in FONTS if name in names]


def text_width(labels: Iterable[str], size: float, weight: str = "normal") -> float:
    """Return the width of the widest label in inches, in a font of `size` points."""
    return max(text_widths(labels, size, weight))


def text_widths(labels: Iterable[str], size: float, weight: str = "normal") -> list[float]:
    """Return the width of each label in inches, in a font of `size` points."""
    measure = RendererAgg(1, 1, DPI).get_text_width_height_descent
    with fonts():
        font = FontProperties(family=installed_fonts(), size=size, weight=weight)
        return [measure(label, font, False)[0] / DPI for label in labels]


def wrapped(string: str, width: float) -> list[str]:
    """Return a string wrapped to lines of `width` inches, truncated to `MAX_LINES` lines."""
    string = string[:MAX_CHARACTERS]
    count = len(string)
    while True:
        lines = textwrap.wrap(string, max(count, 2), max_lines=MAX_LINES, placeholder=" …") or [""]
        if text_width(lines, TEXT_SIZE) <= width or count <= 2:
            return lines
        count = int(count * 0.97)

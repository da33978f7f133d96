"""What all pictures share: colors, sizes, fonts, and the measuring and wrapping of text."""

import contextlib
import textwrap
import warnings
from collections.abc import Iterable, Iterator

from matplotlib import font_manager, rc_context
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import Colormap, LinearSegmentedColormap
from matplotlib.font_manager import FontProperties

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
HIDDEN = "0.85"  # gray
LABEL_SIZE, TEXT_SIZE = 7, 9  # points
DPI = 150
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


def color(number: int) -> str:
    """Return the color of head or curve `number`, from 0. After the last color, they repeat."""
    return COLORS[number % len(COLORS)]


def colormap(number: int) -> Colormap:
    """Return the color map of head `number`, from 0: from white (0) to a dark shade of its hue."""
    hue = color(number)
    return LinearSegmentedColormap.from_list(f"head {number + 1}", ["white", hue])


def shown(subword: str) -> str:
    """Return a subword as pictures show it.

    SentencePiece's mark of a space before a word is removed, a single space becomes `␣`, and
    control characters become U+FFFD.
    """
    return printable(subword.replace("▁", " ")).strip(" ") or "␣"


def printable(text: str) -> str:
    """Return a text with white space as spaces, and other control characters as U+FFFD."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


@contextlib.contextmanager
def fonts() -> Iterator[None]:
    """Draw and measure text with those of the `FONTS` that are installed.

    Characters that all of them lack are drawn as boxes, without a warning.
    """
    installed = set(font_manager.get_font_names())
    families = [name for name in FONTS if name in installed]
    with warnings.catch_warnings(), rc_context({"font.sans-serif": families}):
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def text_width(labels: Iterable[str], size: float, weight: str = "normal") -> float:
    """Return the width of the widest label in inches, in a font of `size` points."""
    measure = RendererAgg(1, 1, DPI).get_text_width_height_descent
    with fonts():
        font = FontProperties(size=size, weight=weight)
        return max(measure(label, font, False)[0] for label in labels) / DPI


def wrapped(string: str, width: float) -> list[str]:
    """Return a string wrapped to lines of `width` inches, truncated to `MAX_LINES` lines."""
    string = string[:MAX_CHARACTERS]
    count = len(string)
    while True:
        lines = textwrap.wrap(string, max(count, 2), max_lines=MAX_LINES, placeholder=" …") or [""]
        if text_width(lines, TEXT_SIZE) <= width or count <= 2:
            return lines
        count = int(count * 0.97)

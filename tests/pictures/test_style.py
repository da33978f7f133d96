import warnings

import numpy as np
import pytest
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from PIL import Image, ImageCms

from keras_transformer.pictures import style
from keras_transformer.pictures.saving import encoded
from keras_transformer.pictures.style import COLORS, color, colormap, lightness


def lab(colors):
    """Return the lightness and the chroma that Little CMS computes for sRGB colors (N, 3)."""
    pixels = np.round(np.asarray(colors)[np.newaxis, :, :3] * 255).astype(np.uint8)
    profiles = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
    transform = ImageCms.buildTransform(*profiles, "RGB", "LAB")
    values = np.asarray(ImageCms.applyTransform(Image.fromarray(pixels), transform))[0]
    return values[:, 0] / 255 * 100, np.hypot(*values[:, 1:].astype(np.int8).astype(float).T)


def test_the_lightness_equals_that_of_little_cms():
    """Little CMS converts to the illuminant D50, which changes saturated blues by up to 3."""
    colors = np.random.default_rng(0).random((1000, 3))
    np.testing.assert_allclose(lightness(colors), lab(colors)[0], atol=3)


@pytest.mark.parametrize("number", range(len(COLORS)))
def test_equal_values_have_equal_lightness_in_the_color_maps_of_all_heads(number):
    values = np.linspace(0, 1, 101)
    found, _ = lab(colormap(number)(values))
    np.testing.assert_allclose(found, 100 - 70 * values, atol=1.5)


@pytest.mark.parametrize("number", range(len(COLORS) - 1))
def test_a_color_map_has_the_hue_of_its_head(number):
    values = colormap(number)(np.linspace(0, 1, 256))[:, :3]
    distance = np.abs(values - to_rgb(color(number))).max(-1)
    assert distance.min() < 0.01
    np.testing.assert_array_equal(values[0], 1)


def test_shades_are_evenly_spaced_in_each_color_map():
    found = style.shades(2, 9)
    wanted = [np.round(255 * np.array(colormap(n)(v)[:3])) for n in (0, 1) for v in (0, 1 / 3, 1)]
    assert len(found) == 7, "both have white"
    for each in wanted:
        assert np.abs(found - each).max(axis=1).min() <= 1


def test_the_colors_repeat_after_the_last_one():
    assert color(len(COLORS)) == color(0)
    np.testing.assert_array_equal(colormap(len(COLORS))(0.7), colormap(0)(0.7))


def characters_of(name):
    """Return the characters of a font."""
    return {chr(code) for code in get_font(findfont(name)).get_charmap()}


def test_a_character_that_the_first_font_lacks_is_drawn_with_the_next(monkeypatch):
    """Both fonts come with Matplotlib; others depend on the machine."""
    monkeypatch.setattr(style, "FONTS", ("DejaVu Sans", "STIXGeneral", "a font that is missing"))
    assert style.installed_fonts() == ["DejaVu Sans", "STIXGeneral"]
    missing = min(characters_of("STIXGeneral") - characters_of("DejaVu Sans"))
    expected = RendererAgg(1, 1, style.DPI).get_text_width_height_descent(
        missing, FontProperties(family="STIXGeneral", size=9), False
    )
    assert style.text_width([missing], 9) == pytest.approx(expected[0] / style.DPI)
    figures = [Figure((1, 1)) for _ in range(2)]
    figures[0].text(0.1, 0.5, missing)
    figures[1].text(0.1, 0.5, missing, fontfamily="STIXGeneral")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert encoded(figures[0], "png") == encoded(figures[1], "png")


def test_monospaced_text_stays_monospaced():
    """The font is named first; the others are for characters that it lacks."""
    figure = Figure()
    code, prose = figure.text(0, 0, "x", family=style.MONOSPACE), figure.text(0, 0, "x")
    with style.fonts(figure):
        assert code.get_fontname() == "DejaVu Sans Mono"
        assert prose.get_fontname() == "DejaVu Sans"


def test_invisible_marks_are_left_out():
    assert style.printable("\u200fשלום\u200e auto\xadmatic\x00") == "שלום automatic\ufffd"

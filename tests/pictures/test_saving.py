"""Files of pictures."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image, ImageSequence

from keras_transformer.errors import UserError
from keras_transformer.pictures.saving import check_path, encoded, save, save_animation
from tests.limits import limited_files


@pytest.mark.parametrize(
    ("kind", "begin"), [("PNG", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_figures_are_encoded_in_several_formats(tmp_path, kind, begin):
    check_path(tmp_path / f"x.{kind}")
    assert encoded(Figure(), kind).startswith(begin)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x", "must end in .*[.]pdf, .*[.]png, .*[.]svg"),
        ("png", "must end in"),
        ("x.bmp", "must end in"),
        ("no/x.png", "no does not exist"),
        ("directory.png", "it is a directory"),
    ],
)
def test_check_path_rejects_paths_that_cannot_be_written(tmp_path, name, message):
    (tmp_path / "directory.png").mkdir()
    with pytest.raises(UserError, match=message):
        check_path(tmp_path / name)


def test_a_figure_is_written_atomically(tmp_path):
    path, link = tmp_path / "plot.png", tmp_path / "link.png"
    path.write_text("old")
    link.symlink_to(path)
    with limited_files(100), pytest.raises(UserError, match="png: cannot be written: File too"):
        save(Figure(), link)
    assert path.read_text() == "old"
    save(Figure(), link)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [link, path]


@pytest.mark.parametrize("name", ["plot.nothing", "no/such/plot.png"])
def test_files_that_cannot_be_written_are_errors(tmp_path, name):
    with pytest.raises(UserError, match=f"{name}: cannot be written"):
        save(Figure(), tmp_path / name)


def test_an_animation_has_the_frames_that_were_drawn(tmp_path):
    path = tmp_path / "film.gif"
    colors = ["#ff0000", "#00ff00", "#0000ff"]
    save_animation((Figure((1, 0.5), dpi=20, facecolor=each) for each in colors), path, 250)
    with Image.open(path) as film:
        frames = [np.array(frame.convert("RGB")) for frame in ImageSequence.Iterator(film)]
        assert (film.info["duration"], film.info["loop"]) == (250, 0)
    expected = [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    for frame, color in zip(frames, expected, strict=True):
        assert frame.shape == (10, 20, 3)
        assert (frame == color).all()


def test_the_last_frame_of_an_animation_may_be_shown_longer(tmp_path):
    frames = [
        Figure((1, 0.5), dpi=20, facecolor=each) for each in ("#ff0000", "#00ff00", "#0000ff")
    ]
    save_animation(frames, tmp_path / "film.gif", 250, last=2000)
    with Image.open(tmp_path / "film.gif") as film:
        times = [frame.info["duration"] for frame in ImageSequence.Iterator(film)]
    assert times == [250, 250, 2000]


def test_only_gif_files_are_animated(tmp_path):
    with pytest.raises(UserError, match="film.png: cannot be written: the name must end in .gif"):
        save_animation([Figure()], tmp_path / "film.png")
    assert not list(tmp_path.iterdir())


def test_some_colors_of_an_animation_can_be_exact(tmp_path):
    """They are too rare to be among the most frequent ones."""
    exact = np.array([[200, 10, 10], [190, 10, 10], [10, 10, 200]], np.uint8)
    pixels = np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)
    pixels[5, :3] = exact
    figure = Figure((1, 1), dpi=64)
    figure.figimage(pixels)
    save_animation([figure], tmp_path / "x.gif", colors=16, exact=exact)
    with Image.open(tmp_path / "x.gif") as film:
        drawn = np.array(film.convert("RGB"))
    np.testing.assert_array_equal(drawn[5, :3], exact)
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) <= 16


def test_an_animation_has_at_most_the_given_number_of_colors(tmp_path):
    """Frequent colors are exact, and others close."""
    figure = Figure((1, 1), dpi=64)
    shades = np.linspace(0, 0.5, 64)[:, None] * np.ones((1, 64))
    figure.figimage(shades, cmap="gray", vmin=0, vmax=1)
    save_animation(
        [figure, Figure((1, 1), dpi=64, facecolor="white")], tmp_path / "x.gif", colors=16
    )
    with Image.open(tmp_path / "x.gif") as film:
        first, second = (np.array(each.convert("RGB")) for each in ImageSequence.Iterator(film))
    assert len(np.unique(first.reshape(-1, 3), axis=0)) <= 16
    np.testing.assert_allclose(first[:, :, 0] / 255, shades, atol=0.05)
    assert (second == 255).all()

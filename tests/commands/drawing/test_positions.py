"""The command `draw positions`."""

import pytest
from PIL import Image

from keras_transformer.commands.drawing.positions import VIEWS
from keras_transformer.inspection import positions
from keras_transformer.pictures.saving import encoded
from tests.programs import run_python


def test_the_encoding_needs_neither_a_run_nor_tensorflow(tmp_path):
    path = tmp_path / "positions.png"
    program = (
        "import sys; from keras_transformer.commands import draw; "
        f"draw.main(['positions', '--view', 'waves', '--output', {str(path)!r}]); "
        "sys.exit('tensorflow' in sys.modules)"
    )
    done = run_python("-c", program)
    assert (done.returncode, done.stderr.decode()) == (0, f"wrote {path}\n")
    assert path.read_bytes() == encoded(positions.plot_positions(view="waves"), "png")


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ((), (5, 4, 4, "all")),
        (("--offset", 2), (5, 4, 2, "all")),
        (("--offset", 2, "--view", "rotation"), (5, 4, 2, "rotation")),
        (("--view", "similarity"), (5, 4, 4, "similarity")),
    ],
)
def test_the_picture_has_the_chosen_size_offset_and_view(call, tmp_path, flags, wanted):
    path = tmp_path / "p.png"
    size = "--length", 5, "--d-model", 4
    assert call("draw", "positions", "-o", path, *size, *flags)[0] == 0
    assert path.read_bytes() == encoded(positions.plot_positions(*wanted), "png")


def test_the_views_are_those_of_the_library():
    assert VIEWS == positions.VIEWS


def test_the_picture_and_the_animation_are_written_together(call, tmp_path):
    picture, film = tmp_path / "p.png", tmp_path / "r.gif"
    size = "--length", 3, "--d-model", 4
    status, _, err = call("draw", "positions", "-o", picture, "--rings", film, *size)
    assert (status, err) == (0, f"wrote {picture}\nwrote {film}\n")
    with Image.open(film) as opened:
        assert opened.n_frames == 3


def test_the_animation_of_default_size_is_small(call, tmp_path):
    film = tmp_path / "r.gif"
    assert call("draw", "positions", "--rings", film)[0] == 0
    assert film.stat().st_size <= 400_000
    with Image.open(film) as opened:
        assert opened.n_frames == 50


def test_the_newest_run_embeds_a_sentence(call, small_run, tmp_path, monkeypatch):
    checkpoints = tmp_path / "checkpoints"
    checkpoints.mkdir()
    (checkpoints / "mine").symlink_to(small_run)
    monkeypatch.chdir(tmp_path)
    status, _, err = call("draw", "positions", "--sentence", "ba lo ba", "--output", "s.png")
    assert (status, err) == (0, "using checkpoints/mine\nwrote s.png\n")
    call("draw", "positions", "--sentence", "BA LO BA", "--output", "capitals.png")
    call("draw", "positions", "--sentence", "Ba lo ba", "--output", "small.png")
    assert (tmp_path / "capitals.png").read_bytes() == (tmp_path / "small.png").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "give --output or --rings"),
        ("-o x.png --length 0", "--length must be from 1 to 2,000, not 0"),
        ("-o x.png --length 10000", "--length must be from 1 to 2,000, not 10,000"),
        ("-o x.png --d-model 9", "--d-model must be even, not 9"),
        ("-o x.png --d-model 100000", "--d-model must be from 1 to 4,096, not 100,000"),
        ("-o x.png --offset -1", "--offset must be from 0 to 49, not -1"),
        ("-o x.png --length 4 --offset 4", "--offset must be from 0 to 3, not 4"),
        ("-o x.png --length many", "argument --length: invalid int value"),
        ("-o x.png --view spiral", "invalid choice: 'spiral'"),
        ("-o x.png --view waves --offset 4", "--view waves does not depend on --offset"),
        ("-o x.png --checkpoint y", "--checkpoint needs --sentence"),
        ("-o x.bmp", "x.bmp: cannot be written"),
        ("--rings x.png", "x.png: cannot be written: the name must end in .gif"),
        ("--rings x.gif -o x.gif", "--rings x.gif is the same file as --output x.gif"),
        ("--rings x.gif --length 201", "at most 200 positions, not 201"),
        ("-o x.png --rings y.gif --length 201", "at most 200 positions, not 201"),
        ("--rings x.gif --view waves", "--view needs --output"),
        ("--rings x.gif --offset 2", "--offset needs --output"),
        ("--sentence a", "--sentence needs --output"),
        ("--sentence a -o x.png --rings y.gif", "--rings cannot be combined with --sentence"),
        ("--sentence a -o x.png --d-model 8", "--d-model cannot be combined with --sentence"),
        ("--sentence a -o x.png --view all", "--view cannot be combined with --sentence"),
        ("--sentence a -o x.png", "no run under checkpoints/: train one with"),
        ("--sentence a -o x.png --checkpoint y", "y: no run here"),
    ],
)
def test_invalid_arguments_are_errors_and_leave_no_file(
    error_of, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    assert message in error_of("draw", "positions", *arguments.split())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("sentence", [" ", "ba " * 50])
def test_invalid_sentences_are_errors(error_of, small_run, tmp_path, sentence):
    arguments = "--sentence", sentence, "--checkpoint", small_run, "-o", tmp_path / "x.png"
    assert "the sentence is" in error_of("draw", "positions", *arguments)
    assert not list(tmp_path.iterdir())

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.ImageSequence import Iterator

from keras_transformer.inspection.history.logs import read_history
from keras_transformer.inspection.history.recorded_picture import picture
from keras_transformer.pictures.saving import pixels
from tests.inspection.logs import make_run, training


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run trained by an earlier version, which recorded no attention."""
    return make_run(tmp_path_factory.mktemp("runs") / "made", training(1, 300))


def test_the_curves_of_runs_are_drawn_and_a_table_is_printed(call, small_run, made, tmp_path):
    path = tmp_path / "history.png"
    status, out, err = call("draw", "history", small_run, made, "--output", path)
    assert (status, err) == (0, f"wrote {path}\n")
    header, first, second = out.splitlines()
    assert header.startswith("run ")
    assert first.split()[0] == "run"
    assert second.split()[:5] == ["made", "300", "3", "30.00", "300"]
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_film_has_a_frame_for_each_recorded_step(call, small_run, tmp_path):
    path = tmp_path / "film.gif"
    status, out, err = call("draw", "history", "--film", path, "--heads", "all", small_run)
    assert (status, err) == (0, f"wrote {path}\n")
    assert out.startswith("run ")
    history = read_history(small_run)
    with Image.open(path) as film:
        frames = [(np.asarray(f.convert("RGB")), f.info["duration"]) for f in Iterator(film)]
    assert [duration for _, duration in frames] == [300, 300, 2500]
    for (drawn, _), recorded, bleu in zip(frames, history.attention, [None, 1.0, 0.0], strict=True):
        wanted = pixels(picture(recorded, heads="all", bleu=bleu))
        difference = np.abs(drawn.astype(int) - wanted).mean()
        assert difference < 2, "GIF has 256 colors"


def test_curves_and_a_film_can_be_drawn_together(call, small_run, tmp_path):
    paths = tmp_path / "history.svg", tmp_path / "film.gif"
    twice = small_run, "--checkpoint", small_run
    status, _, err = call("draw", "history", *twice, "--output", paths[0], "--film", paths[1])
    assert (status, err) == (0, f"wrote {paths[0]}\nwrote {paths[1]}\n")
    assert all(path.is_file() for path in paths)


def test_the_newest_run_is_drawn_by_default(call, error_of, small_run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "no run under checkpoints/" in error_of("draw", "history", "--output", "a.png")
    Path("checkpoints").mkdir()
    Path("checkpoints/mine").symlink_to(small_run)
    status, out, err = call("draw", "history", "--output", "a.png")
    assert (status, err) == (0, "using checkpoints/mine\nwrote a.png\n")
    assert out.splitlines()[1].startswith("mine ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give --output FILE for curves, --film FILE for an animation, or both (see "),
        (["--output", "a.png", "--layer", "1"], "--layer and --heads need --film (see "),
        (["--output", "a.png", "--heads", "all"], "--layer and --heads need --film (see "),
        (["--film", "a.gif", "x", "y"], "--film shows one run, not 2 (see "),
        (["--film", "a.gif", "x", "--checkpoint", "y"], "--film shows one run, not 2 (see "),
        (["--film", "a.png"], "a.png: cannot be written: the name must end in .gif\n"),
        (["--output", "a.txt"], "a.txt: cannot be written: the name must end in "),
        (["--output", "a.gif", "--film", "a.gif"], "--film a.gif is the same file as --output a"),
        (["--output", "no/a.png"], "a.png: cannot be written: the directory no does not exist\n"),
        (
            ["--output", ""],
            "--output must not be empty (see keras-transformer draw history --help)\n",
        ),
        (
            ["--film", "a.gif", "--heads", "some"],
            "'some': expected a number from 1, all or mean",
        ),
        (["--film", "a.gif", "--layer", "x"], "--layer: invalid int value: 'x'"),
        (["--output", "a.png", "x"], "x: no run here (no config.json)\n"),
        (
            ["--output", "a.png", ""],
            "RUN must not be empty (see keras-transformer draw history --help)\n",
        ),
        (["--film", "a.gif", "MADE"], "made: no attention was recorded: the run was trained by"),
        (["--output", "a.png", "--film", "a.gif", "MADE"], "made: no attention was recorded"),
        (
            ["--film", "a.gif", "--layer", "2", "SMALL"],
            "there is no decoder layer 2: the decoder has 1\n",
        ),
        (["--film", "a.gif", "--heads", "0"], "'0': expected a number from 1, all or mean"),
        (["--film", "a.gif", "--heads", "3", "SMALL"], "there is no head 3: each layer has 2\n"),
        (["--output", "a.png", *map(str, range(9))], "0: no run here (no config.json)\n"),
    ],
)
def test_invalid_input_is_one_line_and_leaves_no_file(
    error_of, made, small_run, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    runs = {"MADE": made, "SMALL": small_run}
    assert message in error_of("draw", "history", *(runs.get(each, each) for each in arguments))
    assert list(tmp_path.iterdir()) == []


def test_a_run_without_logs_is_one_line(error_of, tmp_path):
    run = make_run(tmp_path / "run")
    error = error_of("draw", "history", run, "--output", tmp_path / "a.png")
    assert f"{run / 'logs'}: no curves here" in error
    assert not (tmp_path / "a.png").exists()

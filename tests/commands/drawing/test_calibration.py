"""The command `draw calibration`."""

import re
import shutil

import pytest

from keras_transformer.inspection.calibration import measure
from keras_transformer.runs.run import Run
from keras_transformer.translation.confidence_model import saved_temperature
from tests.conftest import toy_pairs, write_pairs

PAIRS = toy_pairs(20, seed=6)


@pytest.fixture
def pairs_file(tmp_path):
    return write_pairs(tmp_path / "pairs.tsv", PAIRS)


@pytest.mark.parametrize("cross_fit", [False, True])
def test_the_errors_are_printed_and_drawn(
    call, small_run, translator, tmp_path, pairs_file, cross_fit
):
    picture = tmp_path / "x.png"
    flags = ["--checkpoint", small_run, "--test", pairs_file, "--output", picture]
    flags += ["--cross-fit"] if cross_fit else []
    status, out, err = call("draw", "calibration", *flags)
    assert (status, err) == (0, f"wrote {picture}\n")
    assert picture.read_bytes().startswith(b"\x89PNG")
    temperature = None if cross_fit else saved_temperature(Run.open(small_run))
    wanted = measure(translator, PAIRS, temperature)
    lines = out.splitlines()
    assert len(lines) == 2
    for line, each in zip(lines, wanted, strict=True):
        error, share = re.search(r"error ([\d.]+); ([\d.]+) % of the wrongly", line).groups()
        assert line.startswith(f"{each.name}: ")
        assert float(error) == pytest.approx(each.reliability.error, abs=6e-5)
        assert float(share) == pytest.approx(100 * each.errors_found, abs=0.06)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--checkpoint", "{}/none", "--output", "{}/x.png"], "none: no run here"),
        (["--checkpoint", "RUN", "--output", "{}/x.bmp"], "x.bmp: cannot be written"),
        (["--checkpoint", "RUN", "--output", "{}/no/x.png"], "no/x.png: cannot be written"),
        (["--checkpoint", "RUN", "--output", "{}/x.png", "--test", "{}/none"], "no such file"),
        (["--checkpoint", "RUN", "--output", "{}/x.png", "--test", "{}/empty"], "no sentence"),
        (["--checkpoint", "RUN", "--output", "{}/x.png"], "give --test"),
        (["--checkpoint", "RUN"], "--output"),
    ],
)
def test_bad_input_is_an_error(error_of, small_run, tmp_path, arguments, message):
    (tmp_path / "empty").touch()
    given = [str(small_run) if each == "RUN" else each.format(tmp_path) for each in arguments]
    assert message in error_of("draw", "calibration", *given)
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_a_run_without_a_temperature_needs_cross_fitting(error_of, small_run, tmp_path, pairs_file):
    directory, picture = tmp_path / "run", tmp_path / "x.png"
    shutil.copytree(small_run, directory)
    Run.open(directory).remove_calibration()
    flags = ["--checkpoint", directory, "--test", pairs_file, "--output", picture]
    message = error_of("draw", "calibration", *flags)
    assert "the run has no temperature" in message
    assert "or give --cross-fit" in message
    assert not picture.exists()

"""The command `average`."""

import pytest

from keras_transformer.runs.run import Run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--output"),
        (["--checkpoint", "{}/none", "--output", "{}/mean"], "none: no run here"),
        (["--checkpoint", "RUN", "--output", "{}"], "give another --output"),
        (["--checkpoint", "RUN", "--output", "{}/m", "--last", "0"], "from 1 to 2, not 0"),
    ],
)
def test_bad_input_is_an_error(error_of, tmp_path, small_run, arguments, message):
    arguments = [str(small_run) if a == "RUN" else a.format(tmp_path) for a in arguments]
    assert message in error_of("average", *arguments)


@pytest.mark.parametrize(
    ("flags", "kind"),
    [((), "checkpoints at the end of an epoch"), (("--within-epochs",), "checkpoints")],
)
def test_checkpoints_within_epochs_are_a_choice(error_of, tmp_path, small_run, flags, kind):
    Run.create(tmp_path / "empty", Run.open(small_run).config)
    arguments = "--checkpoint", tmp_path / "empty", "--output", tmp_path / "mean", *flags
    assert f"empty: no {kind} to average" in error_of("average", *arguments)


def test_the_mean_of_checkpoints_translates(call, small_run, tmp_path):
    mean = tmp_path / "mean"
    status, out, err = call("average", "--checkpoint", small_run, "--last", 2, "--output", mean)
    assert (status, err) == (0, "")
    assert out.startswith(f"{mean}: the mean of 2 checkpoints of {small_run}: ckpt-")
    status, out, err = call("translate", "--checkpoint", mean, "--quiet", "ba lo")
    assert (status, out.count("\n"), err) == (0, 1, "")


def test_the_name_of_a_mean_may_be_as_long_as_the_file_system_permits(call, small_run, tmp_path):
    mean = tmp_path / ("a" * 255)
    assert call("average", "--checkpoint", small_run, "--last", 2, "--output", mean)[0] == 0
    assert list(tmp_path.iterdir()) == [mean]


def test_the_flag_that_includes_checkpoints_within_epochs_is_named(
    error_of, small_run, tmp_path, monkeypatch
):
    monkeypatch.setattr("keras_transformer.runs.averaging.epoch_ends", lambda _: [])
    arguments = "--checkpoint", small_run, "--output", tmp_path / "mean"
    message = "no checkpoints at the end of an epoch to average: give --within-epochs"
    assert message in error_of("average", *arguments)

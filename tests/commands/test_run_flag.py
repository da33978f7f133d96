"""The run that a command uses."""

from pathlib import Path

from tests.conftest import toy_pairs, write_pairs


def test_the_default_run_is_the_newest_one(call, error_of, small_run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "no run under checkpoints/" in error_of("translate", "ba")
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "mine").symlink_to(small_run)
    using = f"using {Path('checkpoints/mine')}\n"
    status, out, err = call("translate", "-q", "ba")
    assert (status, err) == (0, using)
    assert out.count("\n") == 1
    pairs = write_pairs(tmp_path / "test.tsv", toy_pairs(2))
    assert call("evaluate", "--test", pairs)[::2] == (0, using)
    scored = ["--test", pairs, "--translations", tmp_path / "test.tsv"]
    assert call("evaluate", *scored)[::2] == (0, ""), "no run is needed"
    status, _, err = call("average", "--output", tmp_path / "checkpoints" / "mean")
    assert (status, err) == (0, using)
    assert call("translate", "-q", "ba") == (0, out, using), "a mean is not the default"
    status, _, err = call("evaluate")
    assert (status, err[: len(using)]) == (2, using)
    assert "no test pairs of its own: give --test" in err
    (tmp_path / "ids").touch()
    status, _, err = call("export", "--output", tmp_path / "ids")
    assert (status, err[: len(using)]) == (2, using)

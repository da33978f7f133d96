"""What README.md says is so."""

import dataclasses
import re
from pathlib import Path

import pytest

from keras_transformer.config import Config
from tests.test_scripts import HOME, load_script

README = (HOME / "README.md").read_text(encoding="utf-8")


def shown(default):
    if default in (None, ()):
        return ""
    return "off" if default is False else str(default)


def test_every_setting_is_in_the_table():
    for kind in Config.sections().values():
        for each in dataclasses.fields(kind):
            flag = f"--{each.name.replace('_', '-')}"
            assert f"| `{flag}` | {shown(each.default)} | {each.metadata['help']} |" in README


def flags_of(script):
    """The flags of a script that its parser has, without --help."""
    parser = load_script(script).make_parser()
    return set(re.findall(r"--[a-z-]+", " ".join(parser._option_string_actions))) - {"--help"}


@pytest.mark.parametrize(("script", "count"), [("translate", 13), ("export", 8), ("evaluate", 10)])
def test_every_flag_is_in_a_table(script, count):
    flags = flags_of(script)
    assert len(flags) == count
    for flag in flags:
        assert re.search(rf"^\| `{flag}[ `]", README, re.MULTILINE), flag


def test_every_flag_in_the_readme_exists():
    known = set().union(
        *map(flags_of, ("train", "translate", "export", "evaluate", "average")),
        {"--logdir", "--split"},
        {"--rm", "--enable_batching", "--batching_parameters_file", "--model_config_file"},
        {"--xla_cpu_compilation_enabled"},
    )
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z_-]+", README)) - {"--no-"} <= known


@pytest.mark.parametrize("target", re.findall(r"\]\((?!http)([^)#]+)\)", README))
def test_links_lead_somewhere(target):
    assert (HOME / target).exists()


def test_the_program_in_the_readme_runs(tmp_path, monkeypatch, small_run):
    first, second = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path("checkpoints").mkdir()
    Path("checkpoints/phrasebook-en-de").symlink_to(small_run)
    exec(compile(first, "README.md", "exec"), {})
    exec(compile(second, "README.md", "exec"), {})


@pytest.mark.parametrize("name", ["README.md", "benchmarks/README.md"])
def test_nothing_is_left_to_fill_in(name):
    assert not re.search("@[A-Z_]+@", (HOME / name).read_text(encoding="utf-8"))

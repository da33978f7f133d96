"""What README.md says is so."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

from keras_transformer.config import Config
from tests.programs import HOME, load_script

README = (HOME / "README.md").read_text(encoding="utf-8")


EVERYWHERE = {"--help", "--version"}


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
    """The flags of a script that its parser has, without those that every script has."""
    parser = load_script(script).make_parser()
    return set(re.findall(r"--[a-z-]+", " ".join(parser._option_string_actions))) - EVERYWHERE


@pytest.mark.parametrize(("script", "count"), [("translate", 17), ("export", 8), ("evaluate", 11)])
def test_every_flag_is_in_a_table(script, count):
    flags = flags_of(script)
    assert len(flags) == count
    for flag in flags:
        assert re.search(rf"^\| `{flag}[ `]", README, re.MULTILINE), flag


def test_every_flag_in_the_readme_exists():
    known = set().union(
        *map(flags_of, ("train", "translate", "export", "evaluate", "average")),
        flags_of("examples/grpc_client"),
        EVERYWHERE | {"--logdir", "--split"},
        {"--rm", "--enable_batching", "--batching_parameters_file", "--model_config_file"},
        {"--xla_cpu_compilation_enabled"},
    )
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z_-]+", README)) - {"--no-"} <= known


@pytest.fixture(scope="module")
def default_run():
    """The script that trains the default run, as a module."""
    return load_script("benchmarks/default_run")


def test_figures_are_those_of_the_default_run(default_run):
    figures = json.loads(default_run.FIGURES.read_text(encoding="utf-8"))
    assert figures["fingerprint"] == default_run.fingerprint(), "run benchmarks/default_run.py"
    assert figures["picture"] == default_run.file_hash(HOME / default_run.PICTURE)
    minutes, seconds = divmod(figures["seconds"], 60)
    assert f"{minutes} min {seconds} s" in README
    for split in ("validation", "test"):
        assert f"BLEU {figures[split]['bleu']} and chrF {figures[split]['chrf']}" in README
    for source, translation in figures["translations"].items():
        assert source in README
        assert translation in README


@pytest.mark.parametrize("target", re.findall(r"\]\((?!http)([^)#]+)\)", README))
def test_links_lead_somewhere(target):
    assert (HOME / target).exists()


def test_the_program_in_the_readme_runs(tmp_path, monkeypatch, small_run):
    programs = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    first, second = (program for program in programs if "keras_transformer" in program)
    monkeypatch.chdir(tmp_path)
    Path("checkpoints").mkdir()
    Path("checkpoints/phrasebook-en-de").symlink_to(small_run)
    exec(compile(first, "README.md", "exec"), {})
    exec(compile(second, "README.md", "exec"), {})


@pytest.mark.parametrize("name", ["README.md", "benchmarks/README.md"])
def test_nothing_is_left_to_fill_in(name):
    assert not re.search("@[A-Z_]+@", (HOME / name).read_text(encoding="utf-8"))

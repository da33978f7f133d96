"""The manual agrees with the code: flags, figures, links and programs."""

import importlib
import json
import re
from pathlib import Path

import pytest

from keras_transformer.commands import COMMANDS
from keras_transformer.commands.drawing import KINDS
from keras_transformer.export import saved_model
from keras_transformer.training import session, trainer
from keras_transformer.training.validation import Validator
from keras_transformer.translation.batch_search import BatchSearch
from keras_transformer.translation.translator import Translator
from tests.conftest import toy_pairs, write_pairs
from tests.programs import HOME, load_script
from tests.training.toy_training import NoSamples

SITE_PAGES = sorted(HOME.glob("docs/**/*.md"))
PAGES = [HOME / "README.md", HOME / "CHANGELOG.md", HOME / "CONTRIBUTING.md", *SITE_PAGES]
COMMON_FLAGS = {"--help", "--version"}
# Flags in the manual that belong to other programs.
FOREIGN_FLAGS = {
    "biome": {"--write"},
    "docker": {"--build-arg", "--rm"},
    "git": {"--depth"},
    "kubectl": {"--for", "--force", "--timeout"},
    "mkdocs": {"--strict"},
    "phrasebook": {"--split"},
    "sacrebleu": {"--paired-bs"},
    "the normalization of docs/extending.md": {"--normalization"},
    "tensorboard": {"--logdir", "--samples_per_plugin"},
    "TensorFlow Serving": {
        "--allow_version_labels_for_unavailable_models",
        "--batching_parameters_file",
        "--enable_batching",
        "--model_config_file",
        "--enable_cors_support",
        "--xla_cpu_compilation_enabled",
    },
}


def text_of(page):
    """Return the text of a page, which is named by its path in the repository."""
    return (HOME / page).read_text(encoding="utf-8")


def without_diffs(page):
    """Return the text of a page without its diffs, whose lines look like flags and links."""
    return re.sub(r"^```diff\n.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)


def name_of(path):
    """Return the name of a page in the report of the tests."""
    return str(path.relative_to(HOME))


def flags_of(module):
    """Return the flags of the parser of a module, without those that every script has."""
    parser = module.make_parser()
    return set(re.findall(r"--[a-z-]+", " ".join(parser._option_string_actions))) - COMMON_FLAGS


def flags_of_examples(capsys):
    """Return the flags in the help of the networks in examples/."""
    for path in sorted((HOME / "examples").glob("*.py")):
        if path.stem != "grpc_client":
            with pytest.raises(SystemExit):
                load_script(f"examples/{path.stem}").main(["--help"])
    return set(re.findall(r"--[a-z-]+", capsys.readouterr().out))


def test_every_flag_in_the_manual_exists(capsys):
    scripts = (*COMMANDS, "examples/grpc_client")
    modules = [load_script(script) for script in scripts]
    package = "keras_transformer.commands.drawing"
    modules += [importlib.import_module(f"{package}.{kind}") for kind in KINDS]
    known = set().union(*map(flags_of, modules), COMMON_FLAGS, *FOREIGN_FLAGS.values())
    known |= flags_of_examples(capsys)
    for page in PAGES:
        named = re.findall(r"(?<![\w-])--[a-z][a-z_-]+", without_diffs(page))
        assert set(named) - {"--no-"} <= known, page


@pytest.fixture(scope="module")
def default_run():
    """The script that trains the default run, as a module."""
    return load_script("benchmarks/default_run")


@pytest.fixture(scope="module")
def figures(default_run):
    """What the script measured."""
    return json.loads(default_run.FIGURES.read_text(encoding="utf-8"))


def test_the_figures_belong_to_the_current_corpus_and_settings(default_run, figures):
    assert figures["fingerprint"] == default_run.fingerprint(), "run benchmarks/default_run.py"
    assert figures["picture"] == default_run.file_hash(HOME / default_run.PICTURE)


@pytest.mark.parametrize("page", ["README.md", "docs/results.md"])
def test_scores_and_training_time_are_those_of_the_default_run(figures, page):
    text = " ".join(text_of(page).split())
    minutes, seconds = divmod(figures["seconds"], 60)
    assert f"{minutes} min {seconds} s" in text
    for split in ("validation", "test"):
        assert f"BLEU {figures[split]['bleu']} and chrF {figures[split]['chrf']}" in text


def test_training_time_in_the_training_page_is_that_of_the_default_run(figures):
    minutes, seconds = divmod(figures["seconds"], 60)
    assert f"{minutes} min {seconds} s" in text_of("docs/training.md")


def test_translations_in_the_readme_are_those_of_the_default_run(figures):
    readme = text_of("README.md")
    for source, translation in figures["translations"].items():
        assert source in readme
        assert translation in readme


def test_the_report_in_the_evaluation_page_is_that_of_the_default_run(figures):
    report = text_of("docs/evaluating.md")
    bleu, chrf = re.search(r"^ +BLEU ([\d.]+).*\n +chrF ([\d.]+)", report, re.MULTILINE).groups()
    # The report has been rounded once already.
    assert float(bleu) == pytest.approx(figures["test"]["bleu"], abs=0.051)
    assert float(chrf) == pytest.approx(figures["test"]["chrf"], abs=0.051)


OTHER_PAGES = [HOME / "benchmarks/README.md", HOME / "deploy/README.md"]


@pytest.mark.parametrize("page", [*PAGES, *OTHER_PAGES], ids=name_of)
def test_relative_links_lead_to_files(page):
    for target in re.findall(r"\]\((?![a-z]+:|#)([^)#]+)", without_diffs(page)):
        assert (page.parent / target).exists(), target


def test_the_page_for_package_indexes_has_no_relative_links():
    assert "](" not in text_of("docs/package_index.md")


def programs():
    """Return the Python programs of the manual that use this package, with their pages."""
    found = {}
    for page in ("README.md", "docs/python.md"):
        for program in re.findall(r"```python\n(.*?)```", text_of(page), re.DOTALL):
            found.setdefault(program, pytest.param(program, id=f"{page}, {len(found) + 1}"))
    return list(found.values())


@pytest.mark.parametrize("program", programs())
def test_programs_in_the_manual_run(program, tmp_path, monkeypatch, small_run, translator):
    load = Translator.of

    def load_once(run, batch_search=BatchSearch, **options):
        is_small_run = run.directory.resolve() == small_run.resolve()
        if is_small_run and batch_search is BatchSearch and not options:
            return translator
        return load(run, batch_search, **options)

    monkeypatch.setattr(Translator, "of", load_once)
    monkeypatch.setattr(saved_model, "compare", lambda *_: (0.0, 1))  # tested in tests/export
    monkeypatch.setattr(session, "finish", lambda *_: None)  # tested in tests/training
    monkeypatch.setattr(trainer, "Samples", NoSamples)
    monkeypatch.setattr(Validator, "sample_bleu", lambda _: 0.0)
    monkeypatch.chdir(tmp_path)
    Path("checkpoints").mkdir()
    Path("checkpoints/phrasebook-en-de").symlink_to(small_run)
    write_pairs(Path("pairs.tsv"), toy_pairs(200))
    exec(compile(program, "program", "exec"), {})


@pytest.mark.parametrize("page", [*PAGES, *OTHER_PAGES], ids=name_of)
def test_no_placeholder_is_left(page):
    assert not re.search("@[A-Z_]+@", page.read_text(encoding="utf-8"))

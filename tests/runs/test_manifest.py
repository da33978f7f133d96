"""The manifest rejects, by name, what does not belong to a run."""

import json
import shutil

import pytest

from keras_transformer.config import Config
from keras_transformer.errors import DamagedRun, UserError
from keras_transformer.runs.checkpoints import latest_checkpoint
from keras_transformer.runs.manifest import Manifest
from keras_transformer.runs.run import Run
from keras_transformer.text.subword_training import train_subwords
from keras_transformer.translation.translator import Translator
from tests.conftest import SMALL, pairs_of_two_languages, toy_pairs
from tests.training.toy_training import make_earlier_version


@pytest.fixture
def copied(small_run, tmp_path):
    """A copy of the small run."""
    shutil.copytree(small_run, tmp_path / "run")
    return tmp_path / "run"


def edit(path, change):
    content = json.loads(path.read_text("utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")


def test_a_finished_run_lists_every_file_that_a_translator_needs(small_run):
    run = Run.open(small_run)
    listed = {
        "source.model",
        "target.model",
        "calibration.json",
        "decoding.json",
        "lexicon.npz",
        "ngrams.npz",
        "shortlist.npz",
        "source_words.tsv",
        "target_words.tsv",
    }
    assert set(run.manifest.files) == listed
    assert {path.name for path in run.other_files()} == listed | {"examples.txt"}
    assert set(run.manifest.corpus) == {"train", "validation"}


@pytest.mark.parametrize(
    ("section", "name", "value"),
    [
        ("model", "num_layers", 3),
        ("model", "num_heads", 1),
        ("model", "norm_first", True),
        ("text", "joint_vocabulary", True),
        ("text", "subwords", "pretrained"),
        ("text", "source_lang", "fr"),
        ("training", "seed", 9),
    ],
)
def test_an_edited_setting_is_named(copied, section, name, value):
    edit(copied / "config.json", lambda config: config[section].update({name: value}))
    with pytest.raises(UserError, match=rf"run: config.json was changed: {name} is {value!r}, but"):
        Run.open(copied)


def test_manifests_that_contain_the_names_of_the_pairs_allow_others(copied):
    """As earlier versions wrote them."""
    edit(copied / "manifest.json", lambda content: content["settings"].update({"train": ["a"]}))
    edit(copied / "config.json", lambda config: config["training"].update({"train": ["b"]}))
    assert Run.open(copied).config.training.train == ("b",)


def test_settings_that_do_not_matter_to_the_weights_may_be_edited(copied):
    edit(copied / "config.json", lambda config: config["training"].update({"epochs": 99}))
    assert Run.open(copied).config.training.epochs == 99


@pytest.mark.parametrize(
    "name", ["source.model", "target.model", "lexicon.npz", "calibration.json", "decoding.json"]
)
def test_a_changed_or_missing_file_is_named(copied, name):
    path = copied / name
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(UserError, match=f"{name}: not the file of this run, or damaged"):
        Run.open(copied)
    path.unlink()
    with pytest.raises(UserError, match=f"{name}: missing; manifest.json lists it"):
        Run.open(copied)


def test_subword_models_of_another_run_are_rejected(copied):
    """Such a model loads, and has as many subwords."""
    sentences = [" ".join(pair).swapcase() for pair in toy_pairs(200)]
    train_subwords(sentences, Run.open(copied).config.text.vocab_size, copied / "source.model")
    with pytest.raises(UserError, match="source.model: not the file of this run"):
        Run.open(copied)


def test_swapped_subword_models_are_rejected(tmp_path):
    run = Run.create(tmp_path, Config().with_settings(SMALL))
    run.make_subwords(pairs_of_two_languages(200))
    run.seal({})
    source, target = run.subword_files()
    contents = source.read_bytes(), target.read_bytes()
    assert contents[0] != contents[1]
    assert Run.open(tmp_path).subwords()
    source.write_bytes(contents[1])
    target.write_bytes(contents[0])
    with pytest.raises(UserError, match="source.model: not the file of this run"):
        Run.open(tmp_path)


def test_a_run_of_an_earlier_version_translates_and_has_no_identity(copied):
    make_earlier_version(copied)
    assert Translator.load(copied).translate(["ba be"])
    assert Run.open(copied).identity is None


def test_a_missing_manifest_is_an_error(copied):
    (copied / "manifest.json").unlink()
    with pytest.raises(UserError, match=r"manifest\.json: missing; the checkpoints belong to it"):
        Translator.load(copied)


def test_a_missing_config_is_no_sign_of_an_empty_directory(copied):
    (copied / "config.json").unlink()
    with pytest.raises(UserError, match=r"config\.json: missing; manifest\.json belongs to it"):
        Translator.load(copied)


def test_weights_of_another_run_are_rejected(copied, small_run):
    run = Run.open(copied)
    other = {"train": "0" * 64, "validation": "0" * 64}
    run.seal(other)
    with pytest.raises(UserError, match="best/ckpt-[0-9]+: belongs to another run"):
        Translator.load(copied)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"settings": 1, "corpus": {}, "files": {}}',
        '{"settings": {}, "corpus": {}, "files": {}, "more": 1}',
        "[" * 200_000,
        "\ud800",
    ],
)
def test_a_damaged_manifest_is_an_error(copied, content):
    (copied / "manifest.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(
        DamagedRun, match="manifest.json: (damaged|not valid JSON|expected a JSON object)"
    ):
        Run.open(copied)


def test_a_newer_format_is_an_error(copied):
    edit(copied / "manifest.json", lambda content: content.update(format=2))
    with pytest.raises(UserError, match="manifest.json: format 2 is unknown, expected 1"):
        Run.open(copied)


def test_a_file_that_is_not_listed_is_ignored_as_incomplete(copied):
    run = Run.open(copied)
    with pytest.raises(RuntimeError), run.replacing("calibration.json") as path:
        path.write_text("half")
        raise RuntimeError
    run = Run.open(copied)
    assert run.calibration() is None
    run.save_calibration({"bias": 1.0})
    assert Run.open(copied).calibration() == {"bias": 1.0}
    run.remove_calibration()
    assert Run.open(copied).calibration() is None


def test_the_identity_depends_on_settings_corpus_and_subword_models(small_run):
    manifest = Run.open(small_run).manifest
    others = [
        Manifest({**manifest.settings, "seed": 9}, manifest.corpus, manifest.files),
        Manifest(manifest.settings, {**manifest.corpus, "train": "0"}, manifest.files),
        Manifest(manifest.settings, manifest.corpus, {**manifest.files, "source.model": "0"}),
    ]
    assert len({each.identity for each in [manifest, *others]}) == 4
    assert manifest.without_file("calibration.json").identity == manifest.identity


def test_best_weights_that_are_missing_are_not_replaced_by_others(copied):
    """The newest state translates differently."""
    shutil.rmtree(copied / "best")
    with pytest.raises(UserError, match="best: missing: it had the best weights"):
        Translator.load(copied)


def test_best_weights_that_are_incomplete_are_an_error(copied):
    latest_checkpoint(copied / "best").with_suffix(".index").unlink()
    with pytest.raises(UserError, match="best: damaged: no checkpoint is complete"):
        Translator.load(copied)

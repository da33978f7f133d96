import gc
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.config import Config
from keras_transformer.errors import NoRun, UserError
from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.checkpoints import (
    latest_checkpoint,
    make_checkpoint,
    named_variables,
    named_weights,
    restore,
    saved_checkpoints,
)
from keras_transformer.runs.run import Run
from keras_transformer.translation.translator import Translator
from tests.conftest import SMALL


def small_model(**settings):
    model = Transformer(num_layers=2, d_model=8, num_heads=2, dff=16, **settings)
    model.build(None)
    return model


def test_every_model_of_a_process_has_the_same_variable_names():
    first, second = named_variables(small_model()), named_variables(small_model())
    assert list(first) == list(second)
    assert len(first) == len(small_model().variables)


@pytest.mark.parametrize(
    "settings", [{"d_model": 16}, {"num_layers": 3}, {"options": Options(norm_first=True)}]
)
def test_restoring_a_model_of_another_shape_is_an_error(tmp_path, settings):
    path = make_checkpoint(named_variables(small_model())).save(str(tmp_path / "weights"))
    shape = {"num_layers": 2, "d_model": 8, "num_heads": 2, "dff": 16} | settings
    other = Transformer(**shape)
    other.build(None)
    with pytest.raises(UserError, match="damaged, or of a model of another shape"):
        restore(path, named_variables(other))


def test_an_error_of_restoring_is_not_followed_by_warnings_of_tensorflow(
    tmp_path, caplog, monkeypatch
):
    """TensorFlow warns of unrestored values when the checkpoint object is deleted."""
    path = make_checkpoint(named_variables(small_model())).save(str(tmp_path / "weights"))
    larger = Transformer(3, 8, 2, 16)
    larger.build(None)
    monkeypatch.setattr(tf.get_logger(), "propagate", True)
    with caplog.at_level("WARNING", "tensorflow"):
        with pytest.raises(UserError) as error:
            restore(path, named_variables(larger))
        del error
        gc.collect()
    assert not caplog.records


def test_restoring_a_damaged_checkpoint_is_an_error(tmp_path):
    path = make_checkpoint(named_variables(small_model())).save(str(tmp_path / "weights"))
    data = tmp_path / "weights-1.data-00000-of-00001"
    data.write_bytes(data.read_bytes()[:100])
    with pytest.raises(UserError, match="damaged"):
        restore(path, named_variables(small_model()))


def test_a_training_state_is_not_mistaken_for_the_best_weights(small_run, tmp_path):
    """It contains all weights, but those of another epoch."""
    shutil.copytree(small_run, tmp_path / "run")
    [best], state = saved_checkpoints(tmp_path / "run" / "best"), saved_checkpoints(small_run)[-1]
    for suffix in (".index", ".data-00000-of-00001"):
        shutil.copy(f"{state}{suffix}", f"{best}{suffix}")
    with pytest.raises(
        UserError, match="best/ckpt-[0-9]+: belongs to another run, .* or to another"
    ):
        Translator.load(tmp_path / "run")


@pytest.mark.parametrize("changed", [{"rate": 0.0}, {"attention_rate": 0.1}])
def test_a_network_with_other_dropout_has_the_same_weights(small_run, translator, changed):
    """It has fewer or more random states. A run may start from one with other dropout."""
    run = Run.open(small_run)
    other = Run(small_run, run.config.with_settings(changed))
    model = other.build_model(*translator.encoding.subwords)
    assert len(named_variables(model)) != len(named_variables(translator.model))
    run.restore_weights(model)
    weights = zip(model.trainable_variables, translator.model.trainable_variables, strict=True)
    for found, wanted in weights:
        np.testing.assert_array_equal(found.numpy(), wanted.numpy())


def test_a_copy_has_the_same_weights_and_translations(small_run, translator, tmp_path):
    """It restores every variable of the best weights, without an optimizer."""
    shutil.copytree(small_run, tmp_path / "copy")
    Transformer(1, 8, 2, 16).build(None)  # so that Keras numbers the variables differently
    copy = Translator.load(tmp_path / "copy")
    variables = named_weights(translator.model), named_weights(copy.model)
    assert list(variables[0]) == list(variables[1])
    for name, variable in variables[0].items():
        np.testing.assert_array_equal(variables[1][name].numpy(), variable.numpy())
    sentences = ["ba be", "lo mi nu ka"]
    assert copy.translate(sentences) == translator.translate(sentences)


def test_directories_may_have_names_with_wildcards(tmp_path):
    directory = tmp_path / "a[1]*"
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(), directory, max_to_keep=1)
    assert Path(manager.save()) == latest_checkpoint(directory)


def test_the_content_of_a_run_directory(small_run):
    names = {path.name.split("-")[0] for path in small_run.iterdir()}
    assert names == {
        "config.json",
        "manifest.json",
        "lock",
        "training.ids",
        "validation.ids",
        "source.model",
        "target.model",
        "checkpoint",
        "ckpt",
        "best",
        "logs",
        "examples.txt",
        "calibration.json",
        "decoding.json",
        "lexicon.npz",
        "ngrams.npz",
        "shortlist.npz",
        "source_words.tsv",
        "target_words.tsv",
    }
    content = json.loads((small_run / "config.json").read_text())
    assert set(content) == {"text", "model", "training", "versions"}
    assert Run.open(small_run).config.model.d_model == SMALL["d_model"]


def test_a_joint_vocabulary_has_one_file(tmp_path):
    config = Config().with_settings(
        {"joint_vocabulary": True, "vocab_size": 12, "tied_embeddings": "all"}
    )
    run = Run.create(tmp_path / "run", config)
    run.make_subwords([("ab ac ad", "ba bc bd")] * 20)
    source, target = run.subwords()
    assert source.encode("ab bd") == target.encode("ab bd")
    assert not (tmp_path / "run" / "target.model").exists()
    model = run.build_model(source, target)
    assert model.encoder.embedding is model.decoder.embedding


def test_subword_models_must_have_the_size_and_languages_in_the_settings(small_run, tmp_path):
    run = Run.open(small_run)
    assert [subwords.size for subwords in run.subwords()] == [42, 42]
    for settings, message in (
        ({"vocab_size": 50}, "source.model contains 40 subwords, but config.json says 50"),
        ({"target_lang": "xx"}, "config.json: unknown language 'xx'"),
    ):
        changed = Run(small_run, run.config.with_settings(settings))
        with pytest.raises(UserError, match=message):
            changed.subwords()


def test_the_encoding_of_a_run_has_its_subwords_and_lengths(small_run):
    run = Run.open(small_run)
    lengths = {"max_source_length": 9, "max_target_length": 8}
    encoding = Run(small_run, run.config.with_settings(lengths)).encoding()
    assert (encoding.max_source_length, encoding.max_target_length) == (9, 8)
    for own, wanted in zip(encoding.subwords, run.subwords(), strict=True):
        assert own.fingerprint() == wanted.fingerprint()


def test_a_corpus_too_small_for_the_vocabulary_gets_the_largest_possible(tmp_path, capsys):
    """One size for both languages, of which the second has fewer subwords."""
    pairs = [(f"{a}{b}{a} {b}{a}{b}", f"{a}") for a in "abcdefgh" for b in "ijklmnop"]
    run = Run.create(tmp_path / "run", Config().with_settings({"vocab_size": 10_000}))
    run.make_subwords(pairs)
    source, target = run.subwords()
    size = run.config.text.vocab_size
    assert source.start == target.start == size < 100
    assert capsys.readouterr().out == ""
    assert Run.open(tmp_path / "run").config.text.vocab_size == size
    with pytest.raises(UserError, match=f"at most {size}"):
        Run.create(
            tmp_path / "run", Config().with_settings({"vocab_size": size + 1})
        ).make_subwords(pairs, exact=True)


def test_a_run_contains_its_calibration_and_words(tmp_path):
    run = Run.create(tmp_path / "run", Config())
    assert run.calibration() is None
    assert run.words() is None
    run.save_calibration({"bias": 0.5, "weights": [1.0, -2.0]})
    run.save_words({"don't": 3}, {"über": 1})
    run = Run.open(tmp_path / "run")
    assert run.calibration() == {"bias": 0.5, "weights": [1.0, -2.0]}
    assert run.words() == ({"don't": 3}, {"über": 1})
    run.remove_calibration()
    run.remove_calibration()
    assert run.calibration() is None


def test_a_calibration_does_not_outlive_the_decoding_that_it_depends_on(tmp_path):
    run = Run.create(tmp_path / "run", Config())
    run.save_calibration({"bias": 0.5})
    run.save_decoding({"length_penalty": 1.0})
    assert run.calibration() is None
    assert Run.open(run.directory).decoding() == {"length_penalty": 1.0}
    run.save_calibration({"bias": 0.5})
    run.remove_decoding()
    run.remove_decoding()
    assert (run.calibration(), run.decoding()) == (None, None)


def test_a_damaged_calibration_is_an_error(tmp_path):
    run = Run.create(tmp_path / "run", Config())
    run.save_calibration({})
    run.save_words({"a": 1}, {"b": 1})
    for name in ("calibration.json", "target_words.tsv"):
        (tmp_path / "run" / name).write_text("{ no")
    with pytest.raises(UserError, match=r"calibration\.json: not valid JSON"):
        run.calibration()
    with pytest.raises(UserError, match=r"target_words\.tsv: damaged"):
        run.words()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not valid JSON: Expecting property name"),
        ("[]", "expected a JSON object"),
        ('{"model": {"dmodel": 3}}', "unknown setting: model.dmodel"),
        ('{"model": 3}', "model must contain settings, not 3"),
    ],
)
def test_damaged_settings_are_an_error(tmp_path, content, message):
    (tmp_path / "config.json").write_text(content)
    with pytest.raises(UserError, match=f"config.json: {message}"):
        Run.open(tmp_path)


def test_the_error_about_a_directory_of_runs_names_one_of_them(tmp_path):
    Run.create(tmp_path / "runs" / "b", Config())
    Run.create(tmp_path / "runs" / "a", Config())
    with pytest.raises(NoRun) as error:
        Run.open(tmp_path / "runs")
    assert str(error.value).endswith(f"; there is one in {tmp_path / 'runs' / 'a'}")


def test_the_error_about_a_mistyped_run_names_one_with_a_similar_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for directory in ("checkpoints/mine", "checkpoints/phrasebook-en-de", "elsewhere/other-en-de"):
        Run.create(directory, Config())
    for typed, meant in {
        "checkpoints/phrasbook-en-de": "checkpoints/phrasebook-en-de",
        "phrasebook-en-de": "checkpoints/phrasebook-en-de",
        "elsewhere/othr-en-de": "elsewhere/other-en-de",
    }.items():
        with pytest.raises(NoRun) as error:
            Run.open(typed)
        expected = f"{typed}: no run here (no config.json); did you mean {meant}?"
        assert str(error.value) == expected
    with pytest.raises(NoRun, match=r"\(no config.json\)$"):
        Run.open("checkpoints/quite different")


def test_a_missing_run_and_missing_weights_are_errors(tmp_path):
    with pytest.raises(NoRun, match="no run here"):
        Run.open(tmp_path)
    run = Run.create(tmp_path, Config())
    with pytest.raises(UserError, match="no weights saved yet"):
        run.restore_weights(small_model())


def test_decoder_layers_may_differ_from_encoder_layers(tmp_path):
    run = Run.create(tmp_path / "run", Config().with_settings(SMALL | {"decoder_layers": 2}))
    run.make_subwords([("ab ac ad", "ba bc bd")] * 20)
    model = run.build_model(*run.subwords())
    assert (len(model.encoder.enc_layers), len(model.decoder.dec_layers)) == (1, 2)


@pytest.mark.parametrize("joint", [False, True])
def test_each_subword_model_is_copied_once_and_atomically(tmp_path, monkeypatch, joint):
    config = Config().with_settings(SMALL | {"joint_vocabulary": joint})
    run, other = (Run.create(tmp_path / name, config) for name in ("run", "other"))
    for path in other.subword_files():
        path.write_bytes(path.name.encode())
    replaced, replace = [], os.replace

    def record(part, path):
        replaced.append(path.name)
        replace(part, path)

    monkeypatch.setattr(os, "replace", record)
    run.copy_subwords(other)
    assert replaced == (["source.model"] if joint else ["source.model", "target.model"])
    assert all(path.read_bytes() == path.name.encode() for path in run.subword_files())


def test_an_error_names_the_subword_model_that_cannot_be_copied(tmp_path):
    config = Config().with_settings(SMALL)
    run, other = (Run.create(tmp_path / name, config) for name in ("run", "other"))
    with pytest.raises(UserError, match="other/source.model: cannot be read: No such file"):
        run.copy_subwords(other)

"""Exports of the small run, made once. Tests whose extra is not installed are left out."""

import importlib.util

import pytest
import tensorflow as tf

if all(map(importlib.util.find_spec, ("tensorflow_text", "tensorflow_serving"))):
    from keras_transformer.serving.export import Options, export
else:
    collect_ignore_glob = ["test_[!c]*", "test_client.py", "test_compiled_search.py", "test_c_*"]
if not importlib.util.find_spec("ctranslate2"):
    collect_ignore = ["test_ctranslate2_model.py"]


@pytest.fixture(scope="session")
def exported(small_run, tmp_path_factory):
    """The report of an export with the default options."""
    return export(small_run, tmp_path_factory.mktemp("serving") / "toy", Options())


@pytest.fixture(scope="session")
def exported_ids(small_run, tmp_path_factory):
    """The report of an export without text."""
    return export(small_run, tmp_path_factory.mktemp("ids") / "toy", Options(ids_only=True))


@pytest.fixture(scope="session")
def exported_xla(small_run, tmp_path_factory):
    """The report of an export whose search XLA compiles."""
    return export(small_run, tmp_path_factory.mktemp("xla") / "toy", Options(xla=True))


@pytest.fixture(scope="session")
def loaded(exported):
    """The export with the default options, loaded."""
    return tf.saved_model.load(str(exported.directory))

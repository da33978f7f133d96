"""Exports of the small run, made once."""

import pytest

from keras_transformer.command_line import quiet_start

pytest.importorskip("tensorflow_text", reason='needs pip install -e ".[serving]"')
with quiet_start():
    import tensorflow as tf

    from keras_transformer.serving.export import Options, export


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

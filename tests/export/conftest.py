"""Exports of the small run, made once. Tests whose dependencies are missing are not collected."""

import importlib.util
import random

import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.config import Config
from keras_transformer.runs.checkpoints import make_checkpoint, named_variables
from keras_transformer.runs.layout import BEST
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from tests.conftest import SMALL

if all(map(importlib.util.find_spec, ("tensorflow_text", "tensorflow_serving"))):
    from keras_transformer.export import saved_model
    from keras_transformer.export.saved_model import Options, export_saved_model
else:
    collect_ignore_glob = ["test_[!ch]*", "test_client.py", "test_compiled_search.py", "test_c_*"]
if not importlib.util.find_spec("ctranslate2"):
    collect_ignore = [
        "test_ctranslate2_model.py",
        "test_ctranslate2_spec.py",
        "test_vocabulary_map.py",
    ]

# Text as people type it, with characters that a vocabulary of 1000 pieces represents by bytes. It
# contains no tab, which separates the inputs of the C program.
TYPED = [
    "ab\xa0cd",
    "„ab“ ‚c‘ “d” ‘e’ …",
    "u\u0308ber Mu\u0308ller",
    "Привет, мир!",
    "你好，世界。",
    "😀 a 👨\u200d👩",
    "<0x41> </s> <unk>",
    "\u200b",
    "",
    "你好" * 20,
]


def export_unchecked(*arguments):
    """Export without the comparison with the run, for tests that compare themselves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(saved_model, "compare", lambda *_: (0.0, 0))
        return export_saved_model(*arguments)


@pytest.fixture(scope="session")
def full_run(tmp_path_factory):
    """A run with vocabularies of 1000 pieces, including bytes, and random weights."""
    directory = tmp_path_factory.mktemp("full") / "run"
    draw = random.Random(0)
    words = ["".join(draw.choices("abcdefgh", k=6)) for _ in range(2000)]
    keras.utils.set_random_seed(0)
    new = Run.create(directory, Config().with_settings(SMALL | {"vocab_size": 1000}))
    new.make_subwords(list(zip(words, reversed(words), strict=True)), exact=True)
    model = new.build_model(*new.subwords())
    normal = np.random.default_rng(0).normal
    for variable in model.trainable_variables:
        variable.assign(variable + 0.3 * normal(size=variable.shape))
    bias = model.final_layer.bias
    ids = np.arange(bias.shape[0])
    bias.assign(bias + 2.0 * ((ids >= 3 + 0x80) & (ids < 3 + 0x100)))  # makes bytes probable
    make_checkpoint(named_variables(model)).save(str(directory / BEST / "ckpt"))
    return directory


@pytest.fixture(scope="session")
def full_translator(full_run):
    from keras_transformer.translation.translator import Translator

    return Translator.load(full_run)


@pytest.fixture(scope="session")
def exported_full(full_run, tmp_path_factory):
    """The report of an export of the run with full vocabularies."""
    return export_unchecked(full_run, tmp_path_factory.mktemp("full") / "toy", Options())


@pytest.fixture(scope="session")
def exported(small_run, tmp_path_factory):
    """The report of an export with the default options."""
    return export_saved_model(small_run, tmp_path_factory.mktemp("serving") / "toy", Options())


@pytest.fixture(scope="session")
def exported_ids(small_run, tmp_path_factory):
    """The report of an export of ids only."""
    return export_unchecked(
        small_run, tmp_path_factory.mktemp("ids") / "toy", Options(ids_only=True)
    )


@pytest.fixture(scope="session")
def exported_xla(small_run, tmp_path_factory):
    """The report of an export for XLA."""
    return export_unchecked(small_run, tmp_path_factory.mktemp("xla") / "toy", Options(xla=True))


@pytest.fixture(scope="session")
def exported_sampling(small_run, tmp_path_factory):
    """The report of an export of ids only that samples."""
    options = Options(SearchSettings(strategy="sampling", n_best=1), ids_only=True)
    return export_saved_model(small_run, tmp_path_factory.mktemp("sampling") / "toy", options)


@pytest.fixture(scope="session")
def exported_ctranslate2(small_run, tmp_path_factory):
    """The report of an export for CTranslate2."""
    from keras_transformer.export.ctranslate2_model import export_ctranslate2

    return export_ctranslate2(small_run, tmp_path_factory.mktemp("ctranslate2") / "toy")


@pytest.fixture(scope="session")
def exported_ctranslate2_full(full_run, tmp_path_factory):
    """The report of an export of the run with full vocabularies for CTranslate2."""
    from keras_transformer.export.ctranslate2_model import export_ctranslate2

    return export_ctranslate2(full_run, tmp_path_factory.mktemp("ctranslate2_full") / "toy")


@pytest.fixture(scope="session")
def loaded(exported):
    """The export with the default options, loaded."""
    return tf.saved_model.load(str(exported.directory))

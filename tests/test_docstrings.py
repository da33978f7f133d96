"""The examples in docstrings, run as tests."""

import doctest
import importlib
import re
from pathlib import Path

import keras
import pytest
import tensorflow as tf

import keras_transformer

PACKAGE = Path(keras_transformer.__file__).parent
# Examples that load a trained run show how to use it; tests of the translator check the facts.
NEED_A_RUN = {"keras_transformer.translation.translator"}
WITH_EXAMPLES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in sorted(PACKAGE.rglob("*.py"))
    if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("name", sorted(set(WITH_EXAMPLES) - NEED_A_RUN))
def test_examples_in_docstrings(name):
    module = importlib.import_module(name)
    names = {"keras": keras, "tf": tf}
    results = doctest.testmod(module, extraglobs=names, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted > 0
    assert results.failed == 0

"""Excerpts of the code in the manual, which docs/excerpts.py inserts."""

import re

import pytest

from tests.programs import HOME, load_script

excerpts = load_script("docs/excerpts")
PAGES = sorted(HOME.glob("docs/**/*.md"))


def test_a_function_is_shown_without_its_docstring():
    assert excerpts.excerpt("keras_transformer.model.masks.create_padding_mask") == (
        '```python title="keras_transformer/model/masks.py: create_padding_mask"\n'
        "def create_padding_mask(ids: Tensor) -> Tensor:\n"
        "    return tf.cast(tf.equal(ids, 0), tf.float32)[:, tf.newaxis, tf.newaxis, :]\n"
        "```"
    )


def test_a_method_is_dedented():
    shown = excerpts.excerpt("keras_transformer.model.encoder.EncoderLayer.call")
    assert shown.splitlines()[1] == "def call("


def test_a_class_is_shown_without_the_docstrings_of_its_methods():
    shown = excerpts.excerpt("keras_transformer.model.sublayers.PreNormResidual")
    lines = shown.splitlines()
    assert lines[1:3] == [
        "class PreNormResidual(Residual):",
        "    def enter(self, x: Tensor) -> Tensor:",
    ]
    assert '"""' not in shown


@pytest.mark.parametrize("name", ["keras_transformer.model.masks.create_mask", "no.such.module"])
def test_a_name_that_is_not_defined_is_an_error(name):
    with pytest.raises(ValueError, match="create_mask|no.such.module"):
        excerpts.excerpt(name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_all_excerpts_of_the_manual_exist(page):
    text = page.read_text(encoding="utf-8")
    assert "{{ source" not in excerpts.with_excerpts(text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_all_files_that_pages_include_exist(page):
    for path in re.findall(r'^--8<-- "(.+)"$', page.read_text(encoding="utf-8"), re.MULTILINE):
        assert (HOME / path).is_file(), path

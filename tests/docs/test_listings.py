"""Listings of code in the manual, which docs/listings.py writes."""

import pytest

from tests.programs import HOME, load_script

listings = load_script("docs/listings")
PAGES = sorted(HOME.glob("docs/**/*.md"))


def test_a_function_is_shown_without_its_docstring():
    assert listings.excerpt("keras_transformer.model.masks.create_padding_mask") == (
        "```python\n"
        "# keras_transformer/model/masks.py\n"
        "def create_padding_mask(ids: Tensor) -> Tensor:\n"
        "    return tf.cast(tf.equal(ids, 0), tf.float32)[:, tf.newaxis, tf.newaxis, :]\n"
        "```"
    )


def test_a_method_is_dedented():
    shown = listings.excerpt("keras_transformer.model.encoder.EncoderLayer.call")
    assert shown.splitlines()[1:3] == [
        "# keras_transformer/model/encoder.py, EncoderLayer",
        "def call(",
    ]


def test_a_class_is_shown_without_the_docstrings_of_its_methods():
    shown = listings.excerpt("keras_transformer.model.sublayers.PreNormResidual")
    lines = shown.splitlines()
    assert lines[2:4] == [
        "class PreNormResidual(Residual):",
        "    def enter(self, x: Tensor) -> Tensor:",
    ]
    assert '"""' not in shown


@pytest.mark.parametrize("name", ["keras_transformer.model.masks.create_mask", "no.such.module"])
def test_a_name_that_is_not_defined_is_an_error(name):
    with pytest.raises(ValueError, match="create_mask|no.such.module"):
        listings.excerpt(name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_listings_of_the_manual_are_current(page):
    """If this fails, run docs/listings.py."""
    text = page.read_text(encoding="utf-8")
    assert listings.with_listings(text) == text


def test_an_old_listing_is_replaced():
    marker = "<!-- source: keras_transformer.model.masks.create_padding_mask -->"
    old = f"Before.\n\n{marker}\n```python\nold\n```\n\nAfter.\n"
    new = f"Before.\n\n{marker}\n{listings.excerpt(marker.split()[2])}\n\nAfter.\n"
    assert listings.with_listings(old) == new


def test_a_whole_file_keeps_the_first_line_of_its_block():
    marker = "<!-- file: docs/extending/no_repeat.patch -->"
    patch = (HOME / "docs/extending/no_repeat.patch").read_text(encoding="utf-8")
    page = f"{marker}\n```diff\nold\n```\n\nAfter.\n"
    assert listings.with_listings(page) == f"{marker}\n```diff\n{patch}```\n\nAfter.\n"


@pytest.mark.parametrize("after", ["", "\n```python\nold\n```\n", "Text.\n"])
def test_a_marker_without_a_block_is_an_error(after):
    with pytest.raises(ValueError, match="no block of code follows <!-- file: setup.cfg -->"):
        listings.with_listings(f"<!-- file: setup.cfg -->\n{after}")


def test_a_file_that_does_not_exist_is_an_error():
    with pytest.raises(FileNotFoundError):
        listings.with_listings("<!-- file: examples/none.py -->\n```python\n```\n")

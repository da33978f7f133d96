"""A small vocabulary for the tests of subwords."""

import pytest

from keras_transformer.text.subword_training import train_subwords

SENTENCES = [f"{a}{b} {b}ß {n}." for n in range(12) for a in "abcdÄ" for b in "efgäöü,?"]


@pytest.fixture(scope="session")
def model_file(tmp_path_factory):
    """The file of a model of 60 subwords, trained on `SENTENCES`."""
    path = tmp_path_factory.mktemp("subwords") / "toy.model"
    train_subwords(SENTENCES, 60, path)
    return path

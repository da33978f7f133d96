"""What the tests of confidence share."""

import pytest

from keras_transformer.search.settings import SearchSettings
from tests.conftest import toy_pairs


@pytest.fixture(scope="module")
def found(translator):
    """Sources, and their translations by the small run."""
    sentences = [source for source, _ in toy_pairs(70, seed=3)]
    return sentences, [
        best for best, *_ in translator.translate(sentences, SearchSettings(beam_size=1))
    ]

"""What the tests of confidence and of calibration share."""

import pytest

from keras_transformer.search.settings import SearchSettings
from tests.conftest import toy_pairs
from tests.translation.references import predictable_pairs


@pytest.fixture(scope="module")
def found(translator):
    """Sources, and their translations by the small run."""
    sentences = [source for source, _ in toy_pairs(70, seed=3)]
    return sentences, [
        best for best, *_ in translator.translate(sentences, SearchSettings("greedy"))
    ]


@pytest.fixture(scope="module")
def pairs(translator):
    """Pairs whose references the small run partly predicts."""
    return predictable_pairs(translator)

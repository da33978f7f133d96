import numpy as np
import pytest

from keras_transformer.translation.compiled import SentenceSearch
from keras_transformer.translation.xla_translator import XlaTranslator
from tests.conftest import toy_pairs

SENTENCES = [source for source, _ in toy_pairs(12, seed=5)]


@pytest.fixture(scope="module")
def xla(translator):
    subwords = translator.source_subwords, translator.target_subwords
    return XlaTranslator(translator.model, *subwords)


@pytest.mark.parametrize("search", [{"beam_size": 1}, {"beam_size": 3, "n_best": 2, "alpha": 1}])
@pytest.mark.parametrize("batch_size", [1, 5])
def test_it_translates_as_a_translator_does(translator, xla, search, batch_size):
    """Alone and in batches, of which the last one here is of two sentences."""
    found = xla.translate(SENTENCES, batch_size=batch_size, **search)
    wanted = translator.translate(SENTENCES, **search)
    for one, other in zip(found, wanted, strict=True):
        assert [each.text for each in one] == [each.text for each in other]
        assert [each.ids for each in one] == [each.ids for each in other]
        scores = [each.score for each in one], [each.score for each in other]
        np.testing.assert_allclose(*scores, atol=1e-4)


def test_a_search_is_kept(xla, monkeypatch):
    wanted = xla.translate(SENTENCES[:1], beam_size=1)
    monkeypatch.setattr(SentenceSearch, "of", None)  # none can be made
    assert xla.translate(SENTENCES[:1], beam_size=1) == wanted


def test_settings_do_not_get_mixed_up(xla):
    """Another length penalty gives another score."""
    one, other = (xla.translate(SENTENCES[:1], alpha=alpha)[0][0] for alpha in (0.0, 1.0))
    length = len(one.ids) - 1
    assert one.ids == other.ids
    assert other.score == pytest.approx(one.score / ((5 + length) / 6), abs=1e-4)


def test_odd_sentences(translator, xla):
    for sentence in ("", "   ", "ba " * 1000, "漢字"):
        found, wanted = (each.translate([sentence])[0][0] for each in (xla, translator))
        assert found.text == wanted.text

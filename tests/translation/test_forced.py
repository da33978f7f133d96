"""Probabilities of the subwords of given translations."""

import numpy as np
import pytest

from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.forced import ForcedDecoding, predicted
from tests.conftest import toy_pairs


@pytest.mark.parametrize(("temperature", "count"), [(1.0, 70), (0.5, 9), (3.0, 9)])
def test_log_probabilities_equal_a_softmax_in_numpy(translator, temperature, count):
    """NumPy computes them for one sentence at a time, without padding."""
    sentences = [source for source, _ in toy_pairs(count, seed=3)]
    found = [best for best, *_ in translator.translate(sentences, SearchSettings(beam_size=1))]
    logs = ForcedDecoding(translator, temperature).log_probabilities(sentences, found)
    for sentence, translation, values in zip(sentences, found, logs, strict=True):
        read, wanted = translation.ids[:-1], translation.ids[1:]
        source = np.array([translator.source_subwords.encode(sentence)])
        logits = translator.model((source, np.array([read])), training=False).numpy()[0]
        logits = logits.astype(np.float64) / temperature
        scores = logits[np.arange(len(wanted)), wanted] - np.log(np.exp(logits).sum(axis=-1))
        assert values == pytest.approx(scores, abs=1e-4)


def test_no_translations_have_no_probabilities(translator):
    assert ForcedDecoding(translator).log_probabilities([], []) == []


def test_each_subword_of_a_reference_is_predicted_once(translator):
    pairs = toy_pairs(20, seed=4)
    wanted = [translator.target_subwords.encode(target)[1:] for _, target in pairs]
    batches = list(predicted(translator, [*pairs, ("ba", ""), ("ba " * 99, "ba")], batch_size=2))
    assert len(batches) > 1
    found = [[int(i) for i in row if i] for ids, _ in batches for row in ids]
    assert sorted(found) == sorted(wanted), "too long and empty pairs are left out"
    for ids, logits in batches:
        assert logits.shape == (*ids.shape, translator.target_subwords.size)

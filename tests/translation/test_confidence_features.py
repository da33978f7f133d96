import math

import numpy as np
import pytest

from keras_transformer.translation.confidence_features import FeatureExtractor
from keras_transformer.translation.forced import ForcedDecoding
from keras_transformer.translation.lexicon import FLOOR, Lexicon
from keras_transformer.translation.translation import Translation
from tests.conftest import toy_pairs

LEXICON = Lexicon.learn(toy_pairs(200))


def test_features_of_a_translation(translator, found):
    _, translations = found
    extractor = FeatureExtractor(translator, {"ba": 3}, LEXICON)
    made = [Translation("Anna lo", 0.0, translations[0].ids, share=-0.5)]
    [evidence] = extractor.evidence(["ba Anna zzz"], made)
    features = extractor.features(evidence)
    assert features.unfamiliar == pytest.approx(1 / 4 + 1), "a copied word is familiar"
    assert features.untranslated == pytest.approx(math.log(FLOOR)), "of zzz"
    assert features.share == -0.5
    [logs] = ForcedDecoding(translator).log_probabilities(["ba Anna zzz"], made)
    assert features.mean == pytest.approx(logs.mean())
    at_half = FeatureExtractor(translator, {"ba": 3}, LEXICON, temperature=0.5)
    [evidence] = at_half.evidence(["ba Anna zzz"], made)
    features = at_half.features(evidence)
    [logs] = ForcedDecoding(translator, 0.5).log_probabilities(["ba Anna zzz"], made)
    assert features.mean == pytest.approx(np.exp(logs).mean()), "a mean of probabilities"


def test_a_translation_that_was_not_reranked_has_the_mean_share(translator, found):
    sentences, translations = found
    extractor = FeatureExtractor(translator, {}, LEXICON, mean_share=-0.25)
    [evidence] = extractor.evidence(sentences[:1], translations[:1])
    assert extractor.features(evidence).share == -0.25

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.inspection.attention.forced import (
    complete_target_ids,
    forced,
    given_translation,
)
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.network_search import NetworkSearch


def softmax(logits):
    shifted = np.exp(logits - logits.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)


def test_probabilities_equal_those_of_a_forward_pass_over_each_prefix(translator):
    """The expected values come from NumPy's softmax of what the network predicts after a prefix."""
    source = translator.source_subwords.encode("ba lo ki")
    target = translator.target_subwords.encode("ki lo ba")
    found = forced(translator.model, source, target)
    assert len(found.probabilities) == len(found.best) == len(target) - 1
    for position in range(1, len(target)):
        prefix = tf.constant([target[:position]])
        logits = translator.model((tf.constant([source]), prefix), training=False)[0, -1].numpy()
        wanted = softmax(logits)
        np.testing.assert_allclose(
            found.probabilities[position - 1], wanted[target[position]], atol=1e-6
        )
        assert found.best[position - 1] == wanted.argmax()
        np.testing.assert_allclose(found.best_probabilities[position - 1], wanted.max(), atol=1e-6)


def test_the_probabilities_of_a_translation_are_those_that_a_search_multiplied(translator):
    """The search suppresses no ids: it would renormalize the probabilities of the others."""
    subwords = translator.target_subwords
    search = NetworkSearch(translator.model, subwords.start, subwords.end, (), 6)
    source = translator.source_subwords.encode("ba lo ki")
    found = search(tf.constant([source]), SearchSettings(beam_size=1, length_penalty=0.0))
    target = [subwords.start, *found.ids[0, 0].numpy().tolist()]
    probabilities = forced(translator.model, source, target)
    assert len(probabilities.probabilities) == 6
    wanted = float(found.scores[0, 0])
    assert np.log(probabilities.probabilities).sum() == pytest.approx(wanted, abs=1e-4)


def test_a_given_translation_ends_with_the_end_token(translator):
    translation, found = given_translation(translator, "ba lo ki", "  ki lo  ba ")
    labels = translator.target_subwords.labels(translation.ids)
    assert "".join(labels) == "<start>▁ki▁lo▁ba<end>"
    assert translation.text == "ki lo ba"
    assert len(found.probabilities) == len(labels) - 1
    assert translation.score == pytest.approx(np.log(found.probabilities).sum(), abs=1e-4)


@pytest.mark.parametrize("text", ["", " ", "\u3000\t"])
def test_an_empty_target_is_an_error(translator, text):
    with pytest.raises(UserError, match="the target is empty"):
        complete_target_ids(translator, text)


def test_a_target_is_at_most_as_long_as_in_training(translator):
    most = translator.max_target_length - 2
    ids = complete_target_ids(translator, "b " * most)
    assert len(ids) == translator.max_target_length
    message = f"too long: it has {most + 1} subwords, and the network writes at most {most}$"
    with pytest.raises(UserError, match=message):
        complete_target_ids(translator, "b " * (most + 1))


def test_unknown_characters_have_the_probability_of_the_unknown_token(translator):
    translation, probabilities = given_translation(translator, "ba", "ba 猫")
    assert "<unk>" in translator.target_subwords.labels(translation.ids)
    assert len(probabilities.probabilities) == len(translation.ids) - 1

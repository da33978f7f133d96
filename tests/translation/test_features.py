"""The features of reranking."""

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.config import Config
from keras_transformer.runs.run import Run
from keras_transformer.text.encoding import Encoding
from keras_transformer.translation.features import (
    TRANSLATED,
    Adequacy,
    Fluency,
    Length,
    Reconstruction,
)
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.ngrams import Ngrams
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator

ADJECTIVES = {"big": "große"} | {f"a{i}": f"A{i}" for i in range(20)}
NOUNS = {"house": "Haus", "book": "Buch"} | {f"n{i}": f"N{i}" for i in range(10)}
PAIRS = [
    (f"the {adjective}{noun}", f"das {translation}{NOUNS[noun]}")
    for noun in NOUNS
    for adjective, translation in [("", ""), *((f"{a} ", f"{b} ") for a, b in ADJECTIVES.items())]
]


def test_the_length_is_the_number_of_subwords_with_the_end_token():
    found = [Translation("", 0.0, ids) for ids in [(1, 5, 6, 2), (1, 2), ()]]
    assert Length().values(["a"] * 3, found).tolist() == [3, 1, 0]


def test_adequacy_is_the_sum_over_the_words_of_the_source_up_to_a_limit():
    lexicon = Lexicon.learn(PAIRS)
    the, big, house = lexicon.log_probabilities("the big house", "das Haus")
    assert big < TRANSLATED < min(the, house)
    found = Adequacy(lexicon).values(
        ["the big house", "the house"], [Translation("das Haus", -1.0)] * 2
    )
    assert found == pytest.approx([2 * TRANSLATED + big, 2 * TRANSLATED])


def test_fluency_is_the_sum_over_the_words_of_the_translation():
    ngrams = Ngrams.learn(target for _, target in PAIRS)
    texts = "das Haus", "Haus das"
    found = Fluency(ngrams).values(["a", "b"], [Translation(text, 0.0) for text in texts])
    assert found == pytest.approx([ngrams.scores(text).sum() for text in texts])


@pytest.fixture
def reversible(translator):
    """A translator whose languages share the subwords of the source."""
    subwords = translator.source_subwords
    return Translator(translator.model, Encoding(subwords, subwords, 12, 9))


def log_probability(model, source, target):
    """Return the log probability of one target given one source, by NumPy."""
    logits = model((tf.constant([source]), tf.constant([target[:-1]])), training=False)[0].numpy()
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return sum(row[i] for row, i in zip(logs, target[1:], strict=True))


def test_reconstruction_is_the_log_probability_of_the_source_given_the_translation(reversible):
    sources, texts = ["ba lo", "ki", "ba lo"], ["lo ba", "", "be"]
    encode = reversible.source_subwords.encode
    wanted = [
        log_probability(reversible.model, encode(text), encode(source))
        for source, text in zip(sources, texts, strict=True)
    ]
    found = Reconstruction(reversible).values(sources, [Translation(text, 0.0) for text in texts])
    assert found == pytest.approx(wanted, rel=1e-4, abs=1e-4)


def test_long_sentences_are_truncated_to_the_lengths_that_the_network_reads(reversible):
    long = "ba lo ki " * 10
    ids = reversible.source_subwords.encode(long)
    assert len(ids) > 12
    source = [*ids[:11], reversible.source_subwords.end]
    [found] = Reconstruction(reversible).values([long], [Translation(long, 0.0)])
    wanted = log_probability(reversible.model, source, ids[:9])
    assert found == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_a_network_reconstructs_if_it_was_trained_in_both_directions_until_the_end(
    reversible, tmp_path, share
):
    settings = {"joint_vocabulary": True, "both_directions": 3, "reversed_share": share}
    run = Run.create(tmp_path, Config().with_settings(settings))
    assert (Reconstruction.of(run, reversible) is not None) == bool(share)

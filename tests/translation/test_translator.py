import logging

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.batch_search import BatchSearch
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator
from keras_transformer.translation.xla_search import XlaSearch
from tests.conftest import toy_pairs

SENTENCES = [source for source, _ in toy_pairs(40, seed=5)]

ODD = [
    "",
    "   ",
    "😀 ba",
    "漢字 be",
    "ba\x00be",
    "ba\u2028be",
    "ba\r",
    "</s>",
    "<s> <unk> <pad>",
    "\ud800",
    "ba " * 10_000,
    "e\u0301 \u202e ba",
]


def texts(translations):
    return [best.text for best, *_ in translations]


@pytest.mark.parametrize("beam_size", [1, 4])
def test_sorting_and_batching_change_nothing(translator, beam_size):
    together = translator.translate(SENTENCES, SearchSettings(beam_size=beam_size), batch_size=7)
    for sentence, [translation] in zip(SENTENCES, together, strict=True):
        [[alone]] = translator.translate([sentence], SearchSettings(beam_size=beam_size))
        assert alone.text == translation.text
        assert alone.score == pytest.approx(translation.score, abs=1e-4)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_workers_changes_nothing(translator, workers):
    found = translator.translate(SENTENCES, batch_size=4, workers=workers)
    assert texts(found) == texts(translator.translate(SENTENCES, batch_size=4))


def test_score_is_the_log_probability_of_the_full_pass(translator):
    found = translator.translate(SENTENCES[:5], SearchSettings(length_penalty=0.0))
    for sentence, [translation] in zip(SENTENCES, found, strict=False):
        source = tf.constant([translator.source_subwords.encode(sentence)])
        target = tf.constant([translation.ids])
        logits = translator.model((source, target[:, :-1]), training=False)[0].numpy()
        logits[:, [0, 1, translator.target_subwords.start]] = -np.inf
        log_probabilities = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        total = sum(row[i] for row, i in zip(log_probabilities, translation.ids[1:], strict=True))
        assert translation.score == pytest.approx(total, rel=1e-3, abs=1e-3)


def test_n_best_are_different_and_in_order(translator):
    for translations in translator.translate(SENTENCES[:5], SearchSettings(beam_size=4, n_best=4)):
        assert 1 <= len(translations) <= 4
        assert len({t.ids for t in translations}) == len(translations)
        scores = [t.score for t in translations if t.ids[-1] == translator.target_subwords.end]
        assert scores == sorted(scores, reverse=True)


def test_odd_sentences_neither_crash_nor_shift(translator):
    mixed = [item for pair in zip(ODD, SENTENCES, strict=False) for item in pair]
    found = texts(translator.translate(mixed))
    assert len(found) == len(mixed)
    assert found[1::2] == texts(translator.translate(SENTENCES[: len(ODD)]))
    assert found[0] == found[2] == ""


def test_nothing_to_translate(translator):
    assert translator.translate([]) == []
    assert texts(translator.translate([""])) == [""]


@pytest.mark.parametrize("numbers", [[], [1], [1, 2, 3]])
def test_a_missing_or_superfluous_line_number_is_an_error(translator, numbers):
    with pytest.raises(ValueError, match="argument 2 is"):
        translator.translate(["be", "ba"], numbers=numbers)


def test_a_long_source_is_translated_as_far_as_it_fits(translator, caplog):
    long = " ".join(["ba"] * 200)
    with caplog.at_level(logging.WARNING):
        translator.translate(["be", long], numbers=[10, 11])
    [record] = caplog.records
    assert "line 11: a sentence is too long: only the first 39 of its " in record.getMessage()
    [[translation]] = translator.translate([long])
    source, _, _ = translator.attention(long, translation)
    assert len(source) == 41 < len(translator.source_subwords.encode(long))
    assert (source[0], source[-1]) == ("<start>", "<end>")


def test_attention_is_labelled_with_what_the_network_saw(translator):
    sentence = "ba lo 😀"
    [[translation]] = translator.translate([sentence])
    source, target, weights = translator.attention(sentence, translation)
    assert (source[0], source[-1]) == ("<start>", "<end>")
    assert target[0] == "<start>"
    assert "<unk>" in source
    assert len(target) == len(translation.ids)
    for kind, shape in (
        ("encoder", (len(source), len(source))),
        ("decoder", (len(target), len(target))),
        ("cross", (len(target), len(source))),
    ):
        for layer in getattr(weights, kind):
            assert layer.shape == (1, 2, *shape)
            np.testing.assert_allclose(tf.reduce_sum(layer, -1), 1, atol=1e-5)


def test_a_translation_without_ids_is_encoded(translator):
    """As one that the user wrote, or the joined translations of several sentences."""
    _, target, weights = translator.attention("ba lo", Translation("ba lo ki", 0.0))
    ids = translator.target_subwords.encode("ba lo ki")
    assert target == translator.target_subwords.labels(ids)
    assert weights.cross[0].shape[2] == len(ids)


def test_the_limit_of_length_holds(translator):
    short = Translator(translator.model, translator.encoding._replace(max_target_length=4))
    for [translation] in short.translate(SENTENCES, SearchSettings(beam_size=3)):
        assert len(translation.ids) <= 4


def test_a_string_is_not_a_list_of_sentences(translator):
    with pytest.raises(TypeError, match="must be a list of strings"):
        translator.translate("ba lo")
    with pytest.raises(TypeError, match="sentence 2 must be a string, not None"):
        translator.translate(["ba lo", None])


@pytest.mark.parametrize("batch_search", [BatchSearch, XlaSearch])
def test_a_beam_larger_than_the_vocabulary_is_an_error(small_run, batch_search):
    """Of 42 ids, padding, unknown, start and end cannot begin a translation."""
    translator = Translator.load(small_run, batch_search)
    with pytest.raises(UserError, match="^beam_size must be at most 38 for .*, not 39$"):
        translator.translate(["ba lo"], SearchSettings(beam_size=39))


def test_a_beam_can_be_as_large_as_the_vocabulary(translator):
    [found] = translator.translate(["ba lo"], SearchSettings(beam_size=38, n_best=38))
    assert len({each.ids for each in found}) == len(found)
    assert not {0, 1, 40} & {i for each in found for i in each.ids[1:]}


@pytest.mark.parametrize(("batch_search", "shortlist"), [(XlaSearch, False), (BatchSearch, True)])
def test_neighbors_cannot_be_combined_with_other_searches(small_run, batch_search, shortlist):
    with pytest.raises(ValueError, match="neighbors cannot be combined with a shortlist or Xla"):
        Translator.load(small_run, batch_search, shortlist=shortlist, neighbors=True)


@pytest.mark.parametrize(
    ("batch_search", "shortlist", "beam_size"),
    [(BatchSearch, False, 1), (BatchSearch, True, 3), (XlaSearch, False, 3)],
)
def test_folded_normalizations_change_no_translation(
    pre_norm_run, batch_search, shortlist, beam_size
):
    folded, plain = (
        Translator.load(pre_norm_run, batch_search, shortlist=shortlist, fold_normalizations=fold)
        for fold in (True, False)
    )
    assert folded.batch_search.network_search.model.options.folded
    assert plain.batch_search.network_search.model is plain.model
    settings = SearchSettings(beam_size=beam_size)
    sources = [source for source, _ in toy_pairs(12, seed=9)]
    # XLA searches for single sentences.
    for some in [sources[:1]] if batch_search is XlaSearch else [sources]:
        for ours, theirs in zip(
            folded.translate(some, settings), plain.translate(some, settings), strict=True
        ):
            assert ours[0].ids == theirs[0].ids
            assert ours[0].score == pytest.approx(theirs[0].score, abs=1e-4)


def test_post_norm_is_searched_as_it_is(translator):
    assert translator.batch_search.network_search.model is translator.model

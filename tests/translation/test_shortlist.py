"""The shortlist, and searches that use it, against brute force and searches of all ids."""

import itertools
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.kernels.top_k import BLOCK, NEVER
from keras_transformer.runs.layout import SHORTLIST
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.rows import Rows
from keras_transformer.text.subwords import PADDING
from keras_transformer.translation import shortlist as shortlist_module
from keras_transformer.translation.alignment import Alignment
from keras_transformer.translation.batch_search import BatchSearch
from keras_transformer.translation.graph_shortlist import graph_ids
from keras_transformer.translation.network_search import NetworkSearch
from keras_transformer.translation.shortlist import (
    SPECIAL,
    NoShortlist,
    Shortlist,
    best_aligned,
    identical_ids,
)
from keras_transformer.translation.translator import Translator
from keras_transformer.translation.xla_search import XlaSearch
from tests.conftest import reduced_shortlist, sources_of_all_lengths

SETTINGS = [
    SearchSettings(beam_size=1, length_penalty=0.6),
    SearchSettings(beam_size=3, n_best=3),
    SearchSettings(beam_size=12, length_penalty=0.6),
    SearchSettings("sampling", n_best=3, seed=5),
    SearchSettings("sampling", seed=6, top_k=5, top_p=0.9, temperature=0.7),
]
IDS = [0, 3, 5, 6, 9, 14, 20, 21, 22, 30, 33, 37, 39, 40, 41]  # of 42; 40 is start, 41 is end


@pytest.fixture
def network(translator):
    """The `NetworkSearch` of the small run."""
    return translator.batch_search.network_search


@pytest.fixture
def learned(small_run):
    return Shortlist.of(Run.open(small_run))


def named(pieces):
    """Return what `Shortlist.learn` needs of `Subwords`."""
    names = ["<pad>", "<unk>", *pieces, "<start>", "<end>"]
    return SimpleNamespace(
        size=len(names),
        start=len(names) - 2,
        end=len(names) - 1,
        labels=lambda ids: [names[i] for i in ids],
    )


def assert_equal(found, wanted):
    np.testing.assert_allclose(found.scores, wanted.scores, atol=1e-4)
    np.testing.assert_array_equal(found.ids, wanted.ids)


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_shortlist_equals_suppressing_all_other_ids(translator, network, settings):
    """The search by which it is compared computes all logits, and lowers those of other ids."""
    suppressed = sorted({*range(42)} - {*IDS} | {*network.suppressed})
    ends = network.start, network.end
    masked = NetworkSearch(network.model, *ends, suppressed, network.max_length)
    source = tf.ragged.constant(sources_of_all_lengths(translator)).to_tensor()
    if settings.beam_size > len(IDS) - 4 and settings.strategy == "beam":
        settings = SearchSettings(beam_size=len(IDS) - 4)
    wanted = tf.function(masked, autograph=False)(source, settings)
    # The size of the shortlist is unknown when the search is traced, as in `BatchSearch`.
    signature = [tf.TensorSpec((None, None), tf.int32), tf.TensorSpec((None,), tf.int32)]
    found = tf.function(
        lambda source, ids: network(source, settings, None, ids), signature, autograph=False
    )(source, tf.constant(IDS))
    assert_equal(found, wanted)
    assert set(found.ids.numpy().ravel()) <= {*IDS} - {40}


def test_a_beam_larger_than_the_shortlist_is_an_error(network):
    """Of 15 ids, padding, start and end cannot begin a translation."""
    source = tf.constant([[network.start, 5, network.end]])
    with pytest.raises(UserError, match="^beam_size must be at most 12 for .*, not 13$"):
        network(source, SearchSettings(beam_size=13), None, tf.constant(IDS))


@pytest.mark.parametrize("kind", [BatchSearch, XlaSearch])
def test_a_beam_larger_than_a_shortlist_of_unknown_size(monkeypatch, network, learned, kind):
    """All hypotheses that are found end, or have the maximum length, and have no other ids."""
    monkeypatch.setattr(shortlist_module, "SIZES", (16, 32))
    small = reduced_shortlist(learned, 1, 2)
    source = [network.start, 5, network.end]
    found = kind(network, 41, small)([source], SearchSettings(beam_size=20, n_best=20))
    assert (found.scores > NEVER).all()
    assert set(found.ids.ravel()) <= {*small.ids([source])} - {network.start}


@pytest.mark.parametrize("settings", SETTINGS[:3])
def test_xla_finds_the_same_with_a_shortlist(monkeypatch, translator, network, learned, settings):
    monkeypatch.setattr(shortlist_module, "SIZES", (16, 32))
    small = reduced_shortlist(learned, 1, 2)
    searches = [kind(network, 41, small) for kind in (XlaSearch, BatchSearch)]
    for source in sources_of_all_lengths(translator)[:3]:
        assert len(small.ids([source])) < translator.target_subwords.size
        found, wanted = (search([source], settings) for search in searches)
        assert_equal(found, wanted)


def test_a_large_corpus_is_sampled(monkeypatch):
    """Every fourth pair has at most 80 of 320 cells. All pairs count for the frequencies."""
    monkeypatch.setattr(shortlist_module, "MAX_CELLS", 80)
    monkeypatch.setattr(shortlist_module, "ROWS", 6)
    words = named("abcdefgh")
    pairs = [[[words.start, i, words.end] for i in (n % 8 + 2, 9 - n % 8)] for n in range(160)]
    learned, sampled = (
        Shortlist.learn(Rows.of(list(itertools.chain.from_iterable(some))), words, words)
        for some in (pairs, pairs[::4])
    )
    assert learned.aligned.tolist() == sampled.aligned.tolist()
    assert set(learned.order[SPECIAL : SPECIAL + 8]) == set(range(2, 10))


def test_a_batch_has_the_union_of_the_shortlists_of_its_sources():
    """Of 200 target ids, source id i has i and i + 100, and every source has 0 and 199."""
    aligned = np.stack([np.arange(100), np.arange(100, 200)], axis=1)
    order = np.array([0, 199, *range(1, 199)])
    shortlist = Shortlist(aligned, order, 2)
    assert np.flatnonzero(shortlist.candidates([5, 7, 5])).tolist() == [0, 5, 7, 105, 107, 199]
    assert shortlist.ids([[5], [7, 5]]).tolist() == [*range(BLOCK - 3), 105, 107, 199]


@given(
    st.integers(1, 40),
    st.integers(1, 300),
    st.integers(0, 5),
    st.data(),
)
def test_ids_contain_all_candidates_and_then_the_most_frequent_ids(sources, size, width, data):
    draw = np.random.default_rng(data.draw(st.integers(0, 1000)))
    order = draw.permutation(size)
    aligned = draw.integers(0, size, (sources, width))
    aligned[PADDING] = order[0]  # as learned, the padding of a batch adds no ids
    shortlist = Shortlist(aligned, order, min(3, size))
    given_sources = data.draw(
        st.lists(st.lists(st.integers(0, sources - 1), max_size=6), min_size=1, max_size=3)
    )
    found = shortlist.ids(given_sources)
    wanted = {int(i) for source in given_sources for i in shortlist.aligned[source].ravel()}
    wanted |= {int(i) for i in order[:3]}
    room = 256 if len(given_sources) == 1 else -(-len(wanted) // BLOCK) * BLOCK
    for each in order.tolist():
        if len(wanted) < room:
            wanted.add(each)
    assert found.tolist() == sorted(wanted)
    in_graph = graph_ids(shortlist, tf.ragged.constant(given_sources, tf.int32).to_tensor())
    assert in_graph.numpy().tolist() == sorted(wanted)


def test_the_best_aligned_words_come_first():
    counts = {(0, 7): 1.0, (2, 3): 0.5, (2, 4): 2.0, (2, 5): 1.0}
    keys = np.array(list(counts))
    values = np.array(list(counts.values()))
    found = best_aligned(Alignment(keys[:, 0], keys[:, 1], values, values), 4, 2)
    assert found.tolist() == [[7, 0], [0, 0], [4, 5], [0, 0]]


def test_equal_pieces_have_each_other():
    found = identical_ids(named(["a", "b", "c"]), named(["c", "d", "a", "e"]))
    assert found.tolist() == [0, 1, 4, 0, 2, 0, 0]


@given(
    st.lists(
        st.tuples(*(st.lists(st.integers(2, 5), min_size=1, max_size=4) for _ in range(2))),
        min_size=1,
        max_size=5,
    )
)
def test_all_targets_of_a_small_corpus_are_in_the_shortlists_of_their_sources(pairs):
    """Fewer subwords occur together than each source subword may have.

    The start and the end token of a source have none of their own.
    """
    source, target = named("abcd"), named("efgh")
    ends = itertools.cycle([(source.start, source.end), (target.start, target.end)])
    sides = itertools.chain.from_iterable(pairs)
    rows = Rows.of([[start, *ids, end] for ids, (start, end) in zip(sides, ends, strict=False)])
    shortlist = reduced_shortlist(Shortlist.learn(rows, source, target), 50, 0)
    for words, translation in pairs:
        assert shortlist.candidates(words)[[*translation, 0, target.start, target.end]].all()
    always = shortlist.candidates([])
    assert (shortlist.candidates([source.start, source.end]) == always).all()
    frequencies = Counter(itertools.chain.from_iterable(each for _, each in pairs))
    ranked = [frequencies[int(i)] for i in shortlist.order[SPECIAL:]]
    assert ranked == sorted(ranked, reverse=True)
    assert set(shortlist.order[:SPECIAL]) == {0, target.start, target.end}
    assert sorted(shortlist.order) == list(range(target.size))


def test_the_file_has_the_learned_shortlist(small_run, translator, learned, tmp_path):
    learned.save(tmp_path / SHORTLIST)
    assert (tmp_path / SHORTLIST).read_bytes() == (small_run / SHORTLIST).read_bytes()
    found = learned.candidates(translator.source_subwords.encode("ba lo"))
    assert found[[0, translator.target_subwords.start, translator.target_subwords.end]].all()


def test_a_run_without_a_shortlist(small_run, tmp_path):
    run = Run(tmp_path, Run.open(small_run).config)
    with pytest.raises(NoShortlist, match="no shortlist"):
        Shortlist.of(run)
    (tmp_path / "config.json").write_text('{"mean_of": []}')
    with pytest.raises(UserError, match="no shortlist: an average has what its run had") as error:
        Shortlist.of(run)
    assert error.type is not NoShortlist, "no advice to train the average"
    (tmp_path / SHORTLIST).write_bytes(b"PK nothing")
    with pytest.raises(UserError, match=r"shortlist\.npz: damaged"):
        Shortlist.of(run)


def test_a_translator_with_a_shortlist_translates(small_run, translator):
    """The small vocabulary of 42 ids is smaller than the shortlist, so nothing changes."""
    short = Translator.load(small_run, shortlist=True)
    sentences = ["ba lo ki", "", "lo"]
    assert short.translate(sentences) == translator.translate(sentences)

"""Similar words; the expected cosines come from brute force."""

import dataclasses
import math
import re

import numpy as np
import pytest

from keras_transformer.errors import UserError
from keras_transformer.inspection.embeddings.frequencies import Counts, count_subwords
from keras_transformer.inspection.embeddings.maps import plot_embeddings, project
from keras_transformer.inspection.embeddings.vectors import MIN_OCCURRENCES, Embeddings, Term
from keras_transformer.inspection.embeddings.writing import Kind, Spaced
from keras_transformer.runs.run import Run


@pytest.fixture(scope="module")
def embeddings(small_run):
    return Embeddings.load(small_run, "source")


def table_of(translator, side):
    """Return the network's own embeddings (V, D), computed by its layer."""
    layer = (translator.model.encoder if side == "source" else translator.model.decoder).embedding
    return layer.embedding(np.arange(layer.vocab_size)).numpy()


def cosine(one, two):
    lengths = math.sqrt(sum(x * x for x in one)) * math.sqrt(sum(x * x for x in two))
    return sum(float(x) * float(y) for x, y in zip(one, two, strict=True)) / lengths


@pytest.mark.parametrize("side", ["source", "target"])
def test_the_embeddings_are_those_of_the_network_most_frequent_first(small_run, translator, side):
    found = Embeddings.load(small_run, side)
    np.testing.assert_array_equal(found.vectors, table_of(translator, side)[found.ids])
    counts = count_subwords(Run.open(small_run), side).occurrences
    assert found.occurrences.tolist() == [counts[i] for i in found.ids]
    assert found.occurrences.tolist() == sorted(found.occurrences, reverse=True)
    special = {0, 1, translator.source_subwords.start, translator.source_subwords.end}
    wanted = {i for i, n in enumerate(counts) if n >= MIN_OCCURRENCES} - special
    assert set(found.ids.tolist()) == wanted


def test_rare_subwords_and_bytes_and_special_tokens_are_excluded(thousand, tmp_path):
    from keras_transformer.text.subwords import Subwords

    (tmp_path / "model").write_bytes(thousand)
    subwords = Subwords.load(tmp_path / "model", "en")
    occurrences = np.full(subwords.size, MIN_OCCURRENCES)
    occurrences[subwords.bpemb.spm.piece_to_id("a")] -= 1
    counts = Counts(occurrences, np.zeros_like(occurrences))
    found = Embeddings.of(np.eye(subwords.size, 4, dtype=np.float32), counts, subwords)
    pieces = {subwords.bpemb.spm.id_to_piece(i) for i in range(subwords.start)}
    excluded = {"a", "<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))}
    assert {subwords.labels([i])[0] for i in found.ids} == pieces - excluded


@pytest.mark.parametrize("word", ["bo", "lo", "goa"])
def test_neighbors_have_the_largest_cosines(translator, embeddings, word):
    """Brute force over all frequent subwords but those of the word itself."""
    table, subwords = table_of(translator, "source"), translator.source_subwords
    ids = subwords.encode(word)[1:-1]
    vector = table[ids].mean(axis=0)
    wanted = {i: cosine(vector, table[i]) for i in embeddings.ids.tolist() if i not in ids}
    found = embeddings.nearest([Term(word)], 5)
    best = sorted(wanted, key=wanted.get, reverse=True)[:5]
    assert [embeddings.ids[each.row] for each in found] == best
    assert [each.label for each in found] == list(map(Spaced().label, subwords.labels(best)))
    np.testing.assert_allclose([each.cosine for each in found], [wanted[i] for i in best])


def test_sums_are_of_vectors_of_length_1_and_exclude_their_own_words(translator, embeddings):
    table, subwords = table_of(translator, "source"), translator.source_subwords
    total, excluded = np.zeros(table.shape[1]), set()
    for word, sign in (("bo", 1), ("lo", -1), ("goa", 1)):
        ids = subwords.encode(word)[1:-1]
        vector = table[ids].astype(float).mean(axis=0)
        total += sign * vector / math.sqrt(sum(vector**2))
        excluded.update(ids)
    wanted = {i: cosine(total, table[i]) for i in embeddings.ids.tolist() if i not in excluded}
    found = embeddings.nearest([Term("bo"), Term("lo", -1), Term("goa")], len(wanted))
    assert [embeddings.ids[each.row] for each in found] == sorted(
        wanted, key=wanted.get, reverse=True
    )
    np.testing.assert_allclose(
        [each.cosine for each in found], sorted(wanted.values(), reverse=True)
    )


@pytest.mark.parametrize(
    ("terms", "count", "message"),
    [
        ([Term("☃ba")], 1, "'☃ba' contains characters that the vocabulary lacks: ☃"),
        ([Term("ba"), Term("漢字", -1)], 1, "the vocabulary lacks: 漢字"),
        ([Term(" ")], 1, "' ' is not a word"),
        ([Term("ba"), Term("ba", -1)], 1, "their sum is zero"),
        ([Term("ba")], 1000, "there are no 1,000 subwords to choose from: "),
    ],
)
def test_invalid_words_and_counts_are_errors(embeddings, terms, count, message):
    with pytest.raises(UserError, match=re.escape(message)):
        embeddings.nearest(terms, count)


def test_words_with_a_rare_subword_are_errors(embeddings):
    """No word of the toy language has a letter l after another one."""
    message = "'balo' is not trained: its subword '-l' occurs fewer than 5 times"
    with pytest.raises(UserError, match=message):
        embeddings.nearest([Term("balo")], 1)


def test_default_counts_are_200_and_10_or_all_if_there_are_fewer():
    def embeddings(size):
        return Embeddings(None, np.arange(size), np.full(size, 5), ["letters"] * size, np.eye(size))

    for size, wanted in ((3, 3), (199, 199), (200, 200), (250, 200)):
        assert embeddings(size).most_frequent() == list(range(wanted))
    with pytest.raises(UserError, match="a map needs at least 3 subwords, not 2"):
        embeddings(2).most_frequent()


def test_the_default_number_of_neighbors_is_10_or_all_others(embeddings):
    assert len(embeddings.nearest([Term("bo")])) == 10
    rows = sorted({*range(6), *embeddings.rows("bo")})
    few = {name: getattr(embeddings, name)[rows] for name in ("ids", "occurrences", "vectors")}
    found = dataclasses.replace(embeddings, **few)
    others = len(rows) - len(found.rows("bo"))
    assert 3 < others < 10
    assert len(found.nearest([Term("bo")])) == others


@pytest.mark.parametrize("count", [-1, 0, 2, 10_000])
def test_maps_of_too_few_or_too_many_subwords_are_errors(embeddings, count):
    with pytest.raises(UserError, match="at least 3 subwords, not|there are no 10,000 subwords"):
        embeddings.most_frequent(count)


def test_principal_components_agree_with_the_singular_value_decomposition(embeddings):
    vectors = embeddings.vectors / np.linalg.norm(embeddings.vectors, axis=1, keepdims=True)
    centered = vectors - vectors.mean(axis=0)
    left, scales, _ = np.linalg.svd(centered, full_matrices=False)
    plane = project(embeddings.unit_vectors, "pca")
    np.testing.assert_allclose(np.abs(plane.coordinates), np.abs(left * scales)[:, :2], atol=1e-6)
    shares = scales**2 / sum(scales**2)
    for title, share in zip(plane.axes_titles, shares, strict=False):
        assert title.endswith(f"{100 * share:.1f}% of the variance")


@pytest.mark.parametrize("count", [3, 4, 12])
def test_t_sne_is_deterministic_and_valid_for_few_points(count):
    vectors = np.random.default_rng(1).standard_normal((count, 8))
    one, two, other = (project(vectors, "tsne", seed) for seed in (0, 0, 1))
    assert one.coordinates.shape == (count, 2)
    assert np.isfinite(one.coordinates).all()
    np.testing.assert_array_equal(one.coordinates, two.coordinates)
    assert other.coordinates.shape == (count, 2)


def test_t_sne_keeps_groups_together():
    """Two groups far from each other: the nearest point on the map is of the same group."""
    noise = np.random.default_rng(2).standard_normal((20, 8)) / 10
    vectors = noise + np.repeat(np.eye(2, 8), 10, axis=0)
    points = project(vectors, "tsne").coordinates
    distances = np.linalg.norm(points[:, None] - points, axis=-1) + np.diag(np.full(20, np.inf))
    assert (distances.argmin(axis=1) // 10 == np.arange(20) // 10).all()


def test_the_map_has_the_labels_and_places_of_the_subwords(embeddings):
    rows = embeddings.most_frequent(12)
    marked = embeddings.rows("ba") + [len(embeddings) - 1]
    drawn = plot_embeddings(embeddings, rows, title="title", text=["text"], marked=marked)
    [axes] = drawn.figure.axes
    wanted = list(dict.fromkeys([*rows, *marked]))
    texts = {text.get_text(): text for text in axes.texts}
    assert set(texts) == {embeddings.labels[row] for row in wanted}
    bold = {label for label, text in texts.items() if text.get_fontweight() == "bold"}
    assert bold == {embeddings.labels[row] for row in marked}
    names = [each.get_label() for each in axes.collections]
    assert names == [kind for kind in Kind if kind in {embeddings.kinds[row] for row in wanted}]
    plane = project(embeddings.unit_vectors[wanted], "pca").coordinates
    offsets = np.concatenate([np.asarray(each.get_offsets()) for each in axes.collections])
    ranges = np.ptp(plane, axis=0) / np.ptp(offsets, axis=0)
    assert ranges[0] == pytest.approx(ranges[1])

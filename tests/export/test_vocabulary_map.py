"""The vocabulary map of CTranslate2 against the shortlist, read by Python and by CTranslate2."""

import shutil

import ctranslate2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.export.ctranslate2_spec import tokens
from keras_transformer.export.vocabulary_map import FILE, vocabulary_map
from keras_transformer.runs.layout import SHORTLIST
from keras_transformer.runs.run import Run
from keras_transformer.translation.shortlist import Shortlist
from tests.conftest import reduced_shortlist, toy_pairs

SENTENCES = [source for source, _ in toy_pairs(30, seed=8)]


def read(text):
    """Return {source token: set of target tokens}."""
    lines = [line.split("\t") for line in text.splitlines()]
    return {source: set(targets.split(" ")) for source, targets in lines}


@given(st.integers(1, 5), st.integers(1, 8), st.integers(0, 4), st.data())
def test_the_map_has_the_candidates_of_each_source_token(sources, targets, width, data):
    draw = np.random.default_rng(data.draw(st.integers(0, 1000)))
    order = np.append(0, draw.permutation(np.arange(1, targets)))
    shortlist = Shortlist(draw.integers(0, targets, (sources, width)), order, min(2, targets))
    names = [f"s{i}" for i in range(sources)], [f"t{i}" for i in range(targets)]
    found = read(vocabulary_map(shortlist, *names))
    for i, name in enumerate(names[0]):
        # Padding, id 0, is never generated.
        wanted = {f"t{j}" for j in np.flatnonzero(shortlist.candidates([i])) if j}
        assert found.get(name, set()) | found.get("", set()) == wanted


@pytest.fixture
def copied(exported_ctranslate2, tmp_path):
    """A copy of the export, whose map may be changed."""
    return shutil.copytree(exported_ctranslate2.directory, tmp_path / "copied")


def test_the_export_has_the_map_of_the_run(exported_ctranslate2, small_run, translator):
    found = read((exported_ctranslate2.directory / FILE).read_text(encoding="utf-8"))
    aligned = Shortlist.of(Run.open(small_run)).aligned
    names = tokens(translator.source_subwords), tokens(translator.target_subwords)
    wanted = {s: {names[1][i] for i in ids if i} for s, ids in zip(names[0], aligned, strict=True)}
    assert found.keys() - {""} == {source for source in wanted if wanted[source]}
    assert all(found[source] == wanted[source] for source in found.keys() - {""})


def test_a_run_without_a_shortlist_has_no_map(full_run, exported_ctranslate2_full):
    assert not (full_run / SHORTLIST).exists()
    assert not (exported_ctranslate2_full.directory / FILE).exists()


@pytest.mark.parametrize("beam_size", [1, 3])
def test_ctranslate2_generates_only_subwords_of_the_map(copied, small_run, translator, beam_size):
    short = reduced_shortlist(Shortlist.of(Run.open(small_run)), 2, 1)
    source, target = translator.source_subwords, translator.target_subwords
    names = tokens(target)
    text = vocabulary_map(short, tokens(source), names)
    (copied / FILE).write_text(text, encoding="utf-8")
    restricted = ctranslate2.Translator(str(copied))
    for sentence in SENTENCES:
        pieces = source.bpemb.spm.encode(sentence, out_type=str)
        [found] = restricted.translate_batch(
            [pieces], use_vmap=True, beam_size=beam_size, max_decoding_length=41
        )
        allowed = short.candidates(source.encode(sentence))
        assert set(found.hypotheses[0]) <= {names[i] for i in np.flatnonzero(allowed)}


def test_ctranslate2_finds_the_end_of_each_of_several_batches(copied, small_run, translator):
    """CTranslate2 keeps the places of the start and the end token in the first batch."""
    short = reduced_shortlist(Shortlist.of(Run.open(small_run)), 5, 1)
    source, target = translator.source_subwords, translator.target_subwords
    text = vocabulary_map(short, tokens(source), tokens(target))
    (copied / FILE).write_text(text, encoding="utf-8")
    reused = ctranslate2.Translator(str(copied))
    for sentence in SENTENCES:
        pieces = [source.bpemb.spm.encode(sentence, out_type=str)]
        fresh = ctranslate2.Translator(str(copied))
        found, wanted = (
            each.translate_batch(pieces, use_vmap=True, max_decoding_length=41)[0].hypotheses
            for each in (reused, fresh)
        )
        assert found == wanted

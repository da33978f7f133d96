"""Exports with a shortlist: they generate only its subwords, and the same as the run."""

import shutil

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.commands import export
from keras_transformer.commands.entry_point import run
from keras_transformer.export import samples
from keras_transformer.export.saved_model import Options, export_saved_model
from keras_transformer.runs.layout import SHORTLIST
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.shortlist import Shortlist
from keras_transformer.translation.translator import Translator

SEARCH = SearchSettings(beam_size=2)


@pytest.fixture(scope="module")
def shortlisted_run(full_run, full_translator, tmp_path_factory):
    """The run with vocabularies of 1000 pieces, and a shortlist of 20 of them for each source."""
    directory = shutil.copytree(full_run, tmp_path_factory.mktemp("shortlisted") / "run")
    source, target = full_translator.source_subwords, full_translator.target_subwords
    draw = np.random.default_rng(0)
    aligned = draw.integers(3, target.start, (source.size, 20))
    aligned[0] = 0
    others = draw.permutation(np.arange(1, target.start))
    order = np.array([0, target.start, target.end, *others])
    Shortlist(aligned, order, 10).save(directory / SHORTLIST)
    return directory


@pytest.fixture(scope="module")
def shortlisted(shortlisted_run):
    return Translator.load(shortlisted_run, shortlist=True)


@pytest.mark.parametrize("xla", [False, True])
def test_an_export_generates_only_subwords_of_the_shortlist(
    shortlisted_run, shortlisted, tmp_path, xla
):
    """The export compares its translations with those of the run, also in larger batches."""
    options = Options(SEARCH, xla=xla, ids_only=True, shortlist=True)
    report = export_saved_model(shortlisted_run, tmp_path / "toy", options)
    assert report.compared > 64
    loaded = tf.saved_model.load(str(report.directory)).signatures["serving_default"]
    shortlist = shortlisted.batch_search.shortlist
    for text in samples.sentences(shortlisted.source_subwords, 5):
        source = shortlisted.source_subwords.encode(text)
        found = loaded(source_ids=tf.constant([source], tf.int32))["target_ids"].numpy()
        assert set(found.ravel()) <= set(shortlist.ids([source]))
        [best, *_] = shortlisted.translate([text], SEARCH)[0]
        assert [i for i in found.ravel() if i] == list(best.ids[1:])


def test_a_run_without_a_shortlist_is_told_how_to_learn_one(full_run, tmp_path, capsys):
    flags = ["--checkpoint", str(full_run), "--output", str(tmp_path / "toy"), "--shortlist"]
    with pytest.raises(SystemExit) as end:
        run(lambda: export.main(flags))
    assert end.value.code == 2
    err = capsys.readouterr().err
    assert "no shortlist" in err
    assert err.endswith(
        f"to learn it in seconds, run keras-transformer train --checkpoint {full_run}\n"
    )

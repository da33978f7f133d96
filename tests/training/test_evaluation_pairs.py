"""The pairs on which a fine-tuned network is evaluated."""

import pytest

from keras_transformer.runs.run import Run
from keras_transformer.training import finishing
from keras_transformer.training.corpora import open_training_corpus
from keras_transformer.training.session import train

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples")


@pytest.mark.parametrize(("mix", "old"), [(0.0, 0), (0.5, 4), (0.6, 6)])
def test_the_decoding_is_selected_on_new_and_old_pairs(tuning, tmp_path, monkeypatch, mix, old):
    """Four new pairs are held out of 40."""
    given = []

    def select(translator, reranker, pairs, tokenize):
        given.extend(pairs)
        raise KeyboardInterrupt  # what follows does not matter

    monkeypatch.setattr(finishing, "select_decoding", select)
    with pytest.raises(KeyboardInterrupt):
        train(tuning | {"mix": mix}, tmp_path / "tuned")
    run = Run.open(tmp_path / "tuned").config
    start = Run.open(tuning["start_from"]).config
    new, unseen = (set(open_training_corpus(config).validation) for config in (run, start))
    assert set(given[:4]) == new
    assert len(given[4:]) == old
    assert set(given[4:]) <= unseen

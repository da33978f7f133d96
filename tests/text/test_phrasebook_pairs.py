"""Pairs of the built-in corpus."""

from keras_transformer import phrasebook
from keras_transformer.text.phrasebook_pairs import PhrasebookPairs


def test_the_fingerprint_of_the_built_in_corpus_depends_on_split_direction_and_epoch():
    train = PhrasebookPairs("en", "de", "train")
    others = [
        PhrasebookPairs("de", "en", "train"),
        PhrasebookPairs("en", "de", "validation"),
        PhrasebookPairs("en", "de", "test"),
        train.epoch(1),
    ]
    assert len({pairs.fingerprint() for pairs in (train, *others)}) == 5
    assert train.epoch(0).fingerprint() == PhrasebookPairs("en", "de", "train").fingerprint()


def test_the_fingerprint_of_the_built_in_corpus_depends_on_its_version(monkeypatch):
    before = PhrasebookPairs("en", "de", "train").fingerprint()
    monkeypatch.setattr(phrasebook, "version", lambda: "another")
    assert PhrasebookPairs("en", "de", "train").fingerprint() != before

import gzip
import os

import pytest
import tensorflow_datasets as tfds
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer import phrasebook
from keras_transformer.errors import UserError
from keras_transformer.text.corpus import Pairs, corpus_name, hold_out, open_corpus, open_pairs
from tests.conftest import toy_pairs, write_pairs


def write(path, *lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_tab_separated_files_may_have_more_columns(tmp_path):
    old = tmp_path / "old.tsv"
    old.write_bytes("Go.\tGeh.\r\nHi.\tGrüß Gott!\r\n".encode())
    new = write(tmp_path / "new.tsv", "Go.\tGeh.\tCC-BY 2.0 (France)\tx", "", " Hi. \tGrüß Gott!\t")
    for path in (str(old), new):
        assert list(open_pairs((path,), "en", "de")) == [("Go.", "Geh."), ("Hi.", "Grüß Gott!")]


def test_parallel_files_may_be_compressed(tmp_path):
    source = write(tmp_path / "train.en", "one\u2028line", "two")
    packed = tmp_path / "train.de.gz"
    packed.write_bytes(gzip.compress(b"eins\r\nzwei\r\n"))
    pairs = open_pairs((source, str(packed)), "en", "de")
    assert list(pairs) == [("one\u2028line", "eins"), ("two", "zwei")]
    assert list(pairs) == list(pairs), "pairs can be read repeatedly"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.tsv": "one\teins\ntwo zwei\n"}, r"a\.tsv, line 2: only one column"),
        ({"a.en": "one\ntwo\n", "a.de": "eins\n"}, r"a\.de ends after line 1"),
        ({"a.en": "one\n", "a.de": "eins\nzwei\n"}, r"a\.en ends after line 1"),
        ({"a": "", "b": "", "c": ""}, "not 3 files"),
    ],
)
def test_errors_name_the_invalid_file(tmp_path, files, message):
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(UserError, match=message):
        list(open_pairs([str(tmp_path / name) for name in files], "en", "de"))


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_corpus_without_pairs_is_rejected(tmp_path, content):
    path = tmp_path / "empty.tsv"
    path.write_text(content)
    with pytest.raises(UserError, match="empty.tsv: "):
        open_corpus((str(path),), (), "en", "de")
    with pytest.raises(UserError, match="empty.tsv: no sentence pairs"):
        open_corpus((str(path),), (str(path),), "en", "de")


def test_missing_files_are_rejected():
    with pytest.raises(UserError, match=r"nowhere\.tsv: no such file"):
        open_pairs(("nowhere.tsv",), "en", "de")


def test_pipes_are_rejected(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match="pipe: not a regular file"):
        open_pairs((str(tmp_path / "pipe"),), "en", "de")


def test_directories_are_rejected(tmp_path):
    with pytest.raises(UserError, match="a directory, not a file"):
        open_pairs((str(tmp_path),), "en", "de")


def test_the_built_in_corpus_has_both_directions():
    english_german = open_corpus((), (), "en", "de")
    german_english = open_corpus((), (), "de", "en")
    for split in ("train", "validation", "test"):
        pairs = list(getattr(english_german, split))
        assert pairs
        assert [(b, a) for a, b in getattr(german_english, split)] == pairs
    with pytest.raises(UserError, match="English and German, not fr and de"):
        open_corpus((), (), "fr", "de")


@pytest.mark.parametrize(
    ("count", "held_out"), [(2, 1), (10, 1), (100, 10), (300, 20), (1000, 50), (30_000, 1000)]
)
def test_holding_out_splits_the_pairs(count, held_out):
    pairs = Source([(f"sentence {i}", str(i)) for i in range(count)])
    train, validation = map(list, hold_out(pairs))
    assert len(validation) == held_out
    assert sorted(train + validation) == sorted(pairs)
    assert not set(train) & set(validation)


def test_pairs_with_an_empty_side_are_not_held_out():
    """CRC-32 of nothing is 0, the smallest checksum. A tenth of 100 complete pairs is held out."""
    full = [(f"sentence {i}", str(i)) for i in range(100)]
    empty = [("", ""), (" ", "5"), *((f"no target {i}", "") for i in range(200))]
    train, validation = map(list, hold_out(Source([*empty, *full])))
    assert len(validation) == 10
    assert set(validation) < set(full)
    assert set(train) == {*empty, *full} - set(validation)


def test_pairs_with_the_same_source_stay_together():
    pairs = Source([(f"sentence {i % 50}", str(i)) for i in range(1000)])
    train, validation = map(list, hold_out(pairs))
    assert not {source for source, _ in train} & {source for source, _ in validation}
    assert validation


def test_a_single_source_cannot_be_held_out():
    with pytest.raises(UserError, match="too few sentence pairs .* setting validation"):
        hold_out(Source([("a", "b"), ("a", "c")]))


def test_nothing_cannot_be_held_out():
    with pytest.raises(UserError, match="no sentence pairs$"):
        hold_out(Source())


class Source(list):
    def other_split(self, split):
        return None


def test_corpus_names():
    assert corpus_name(()) == "phrasebook"
    assert corpus_name(("data/train.en", "data/train.de")) == "train"
    assert corpus_name(("data/.pairs.tsv",)) == "pairs"
    assert corpus_name(("..tsv",)) == "tsv"
    assert corpus_name(("tfds:ted_hrlr_translate/pt_to_en",)) == "ted_hrlr_translate"


def test_tfds_data_sets_mocked_by_tfds():
    with tfds.testing.mock_data(num_examples=7):
        corpus = open_corpus(("tfds:ted_hrlr_translate/pt_to_en",), (), "pt", "en")
        pairs = [*corpus.train, *corpus.validation]
        assert len(pairs) == 7
        assert all(isinstance(text, str) for pair in pairs for text in pair)
        with pytest.raises(UserError, match="no language de; available: "):
            open_corpus(("tfds:ted_hrlr_translate/pt_to_en",), (), "pt", "de")


class ToyTranslate(tfds.core.GeneratorBasedBuilder):
    """A TFDS translation data set on disk."""

    VERSION = tfds.core.Version("1.0.0")

    def _info(self):
        return self.dataset_info_from_configs(
            features=tfds.features.Translation(languages=("en", "de"))
        )

    def _split_generators(self, dl_manager):
        return {"train": self._generate_examples()}

    def _generate_examples(self):
        for i, (source, target) in enumerate(toy_pairs(50)):
            yield i, {"en": source, "de": target}


def test_tfds_data_sets_on_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(tfds.core.constants, "DATA_DIR", str(tmp_path))
    ToyTranslate(data_dir=tmp_path).download_and_prepare()
    pairs = open_pairs(("tfds:toy_translate",), "en", "de")
    assert sorted(pairs) == sorted(toy_pairs(50))
    assert list(pairs) == list(pairs)
    back = open_pairs(("tfds:toy_translate",), "de", "en")
    assert [(b, a) for a, b in back] == list(pairs)
    assert pairs.fingerprint() == open_pairs(("tfds:toy_translate",), "en", "de").fingerprint()
    assert pairs.fingerprint() != back.fingerprint()
    assert pairs.other_split("validation") is None
    with pytest.raises(UserError, match="no split validation; available: train"):
        open_pairs(("tfds:toy_translate",), "en", "de", split="validation")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tfds:no_such_data_set", "tfds:no_such_data_set"),
        ("tfds:mnist", "tfds:mnist: not a translation data set"),
    ],
)
def test_other_tfds_data_sets_are_rejected(name, message):
    with pytest.raises(UserError, match=message):
        open_pairs((name,), "en", "de")


def test_tfds_data_sets_cannot_be_combined_with_files(tmp_path):
    with pytest.raises(UserError, match="tfds:a: a TFDS data set cannot be combined"):
        open_pairs(("tfds:a", write_pairs(tmp_path / "b.tsv", toy_pairs(1))), "en", "de")


# Fingerprints


def of_files(tmp_path, sources, targets):
    """Return the fingerprint of two parallel files."""
    paths = write(tmp_path / "corpus.en", *sources), write(tmp_path / "corpus.de", *targets)
    return open_pairs(paths, "en", "de").fingerprint()


def test_equal_pairs_have_equal_fingerprints_in_any_file_format(tmp_path):
    parallel = of_files(tmp_path, ["one", "two"], ["eins", "zwei"])
    columns = write(tmp_path / "corpus.tsv", "one\teins\tremark", "", " two \tzwei")
    assert open_pairs((columns,), "en", "de").fingerprint() == parallel
    assert len(parallel) == 64


@pytest.mark.parametrize(
    ("sources", "targets"),
    [
        (["one", "twp"], ["eins", "zwei"]),  # the text, not its size
        (["two", "one"], ["zwei", "eins"]),  # the order
        (["eins", "zwei"], ["one", "two"]),  # the direction
        (["onee", "two"], ["ins", "zwei"]),  # the boundary between source and target
        (["one", "eins4 4 two"], ["", "zwei"]),  # the boundary between pairs
        (["one"], ["eins"]),
        ([], []),
    ],
)
def test_other_pairs_have_other_fingerprints(tmp_path, sources, targets):
    original = of_files(tmp_path, ["one", "two"], ["eins", "zwei"])
    assert of_files(tmp_path, sources, targets) != original


class Sentences(Pairs):
    """Pairs in memory."""

    def __init__(self, pairs):
        self.pairs = pairs

    def __iter__(self):
        return iter(self.pairs)


@given(st.lists(st.tuples(st.text(), st.text())), st.lists(st.tuples(st.text(), st.text())))
def test_only_equal_pairs_have_equal_fingerprints(one, two):
    same = Sentences(one).fingerprint() == Sentences(two).fingerprint()
    assert same == (one == two)
    assert Sentences(one).fingerprint() == Sentences(list(one)).fingerprint()


def test_both_sides_of_a_split_have_their_own_fingerprints():
    pairs = Sentences([(f"sentence {i}", str(i)) for i in range(100)])
    changed = Sentences([*pairs.pairs[:-1], ("sentence 99", "ninety-nine")])
    prints = [part.fingerprint() for whole in (pairs, changed) for part in hold_out(whole)]
    assert len({*prints, pairs.fingerprint(), changed.fingerprint()}) == 6
    assert [part.fingerprint() for part in hold_out(pairs)] == prints[:2]


def test_the_fingerprint_of_the_built_in_corpus_depends_on_split_direction_and_epoch():
    train = open_pairs((), "en", "de")
    others = [
        open_pairs((), "de", "en"),
        open_pairs((), "en", "de", split="validation"),
        open_pairs((), "en", "de", split="test"),
        train.epoch(1),
    ]
    assert len({pairs.fingerprint() for pairs in (train, *others)}) == 5
    assert train.epoch(0).fingerprint() == open_pairs((), "en", "de").fingerprint()


def test_the_fingerprint_of_the_built_in_corpus_depends_on_its_version(monkeypatch):
    before = open_pairs((), "en", "de").fingerprint()
    monkeypatch.setattr(phrasebook, "version", lambda: "another")
    assert open_pairs((), "en", "de").fingerprint() != before

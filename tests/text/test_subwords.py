import io
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.text.subwords import (
    Subwords,
    VocabularyTooLarge,
    check_language,
    fetch_pretrained,
    train_largest,
    train_subwords,
)

ALPHABET = "abcdefgäöüßÄ0123456789 .,?"
SENTENCES = [f"{a}{b} {b}ß {n}." for n in range(12) for a in "abcdÄ" for b in "efgäöü,?"]
PUBLISHED = Path(__file__).parents[3] / "shared/data/bpemb/en.wiki.bpe.vs10000.model"


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("subwords") / "toy.model"
    train_subwords(SENTENCES, 60, path)
    return path


@pytest.fixture(scope="module")
def toy(model_file):
    return Subwords.load(model_file, "de")


def test_ids(toy):
    assert (toy.start, toy.end, toy.size) == (60, 61, 62)
    ids = toy.encode("aß 7.")
    assert ids[0] == 60
    assert ids[-1] == 61
    assert all(2 < i < 60 for i in ids[1:-1])


def test_unknown_characters_are_never_padding(toy):
    ids = toy.encode("a 😀")
    assert 0 not in ids
    assert 1 in ids
    assert toy.labels(ids)[-2:] == ["<unk>", "<end>"]
    assert "⁇" in toy.decode(ids)


@given(st.text(ALPHABET))
def test_decoding_gives_back_what_was_encoded(toy, text):
    assert toy.decode(toy.encode(text)) == " ".join(text.split())


@given(st.text())
def test_any_text_can_be_encoded(toy, text):
    ids = toy.encode(text)
    assert (ids[0], ids[-1]) == (toy.start, toy.end)
    assert all(0 < i < toy.start for i in ids[1:-1])
    assert len(toy.labels(ids)) == len(ids)


def test_control_pieces_typed_as_text_are_text(toy):
    for typed in ("</s>", "<s>", "<unk>", "<start>"):
        assert not {2, toy.start, toy.end} & set(toy.encode(typed)[1:-1])


def test_control_characters_are_never_written(toy, tmp_path, thousand):
    assert toy.never_written() == [0, 1, toy.start]
    (tmp_path / "full.model").write_bytes(thousand)
    full = Subwords.load(tmp_path / "full.model", "en")
    labels = full.labels(full.never_written())
    assert labels[:5] == ["<pad>", "<unk>", "<start>", "<0x00>", "<0x01>"]
    assert labels[-2:] == ["<0x1F>", "<0x7F>"]
    assert {"<0x09>", "<0x0A>", "<0x0D>"} < set(labels)
    assert len(labels) == 3 + 33


def test_a_lone_surrogate_is_a_question_mark(toy):
    assert toy.encode("a\udc80") == toy.encode("a?")


def test_padding_start_and_end_decode_to_nothing(toy):
    ids = toy.encode("aß 7.")
    assert toy.decode([*ids, 0, 0]) == "aß 7."
    assert toy.decode([60, 61]) == ""
    assert toy.labels([60, 0, 61]) == ["<start>", "<pad>", "<end>"]


def test_training_is_deterministic(model_file, tmp_path):
    train_subwords(iter(SENTENCES), 60, tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == model_file.read_bytes()


@pytest.mark.parametrize(("size", "message"), [(5000, "at most"), (9, "too small")])
def test_vocabulary_must_fit_the_corpus(tmp_path, size, message):
    with pytest.raises(UserError, match=f"vocab_size {size} is .*{message}"):
        train_subwords(SENTENCES, size, tmp_path / "x.model")
    assert not list(tmp_path.iterdir())


def test_the_largest_vocabulary_of_all_texts_is_used(tmp_path):
    paths = tmp_path / "x.model", tmp_path / "y.model"
    fewer = SENTENCES[:10]
    size = train_largest([SENTENCES, fewer], 5000, paths)
    assert [Subwords.load(path, "de").start for path in paths] == [size, size]
    with pytest.raises(VocabularyTooLarge):
        train_subwords(fewer, size + 1, tmp_path / "z.model")


def test_a_vocabulary_that_fits_is_not_changed(tmp_path):
    assert train_largest([SENTENCES], 60, [tmp_path / "x.model"]) == 60


def test_a_model_does_not_name_a_temporary_file(model_file):
    assert b".tsv" not in model_file.read_bytes()


def test_wrong_files_and_languages(tmp_path, model_file):
    with pytest.raises(UserError, match="no such subword model"):
        Subwords.load(tmp_path / "none.model", "de")
    (tmp_path / "bad.model").write_bytes(b"nothing of the kind")
    with pytest.raises(UserError, match="not a SentencePiece model"):
        Subwords.load(tmp_path / "bad.model", "de")
    with pytest.raises(UserError, match="unknown language 'xx'"):
        Subwords.load(model_file, "xx")
    assert 10_000 in check_language("de")


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*_, **__):
        raise urllib.error.URLError("no network")

    monkeypatch.setattr(urllib.request, "urlopen", refuse)


def test_without_network_the_file_to_fetch_is_named(tmp_path, no_network):
    with pytest.raises(UserError) as error:
        fetch_pretrained("de", 10_000, tmp_path / "de.model", cache_dir=tmp_path / "cache")
    place = tmp_path / "cache" / "de" / "de.wiki.bpe.vs10000.model"
    assert str(error.value).endswith(f"/de/de.wiki.bpe.vs10000.model and save it as {place}")
    assert not place.exists()


def test_pretrained_is_downloaded_once(tmp_path, monkeypatch, thousand):
    asked = []

    def answer(url, timeout):
        asked.append(url)
        return io.BytesIO(thousand)

    monkeypatch.setattr(urllib.request, "urlopen", answer)
    for name in ("one.model", "two.model"):
        fetch_pretrained("de", 1000, tmp_path / name, cache_dir=tmp_path / "cache")
        assert (tmp_path / name).read_bytes() == thousand
    assert len(asked) == 1


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_half_a_download_is_not_trusted(tmp_path, monkeypatch, thousand, share):
    part = thousand[: int(share * len(thousand))]
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: io.BytesIO(part))
    with pytest.raises(UserError, match="could not be downloaded"):
        fetch_pretrained("de", 1000, tmp_path / "x.model", cache_dir=tmp_path / "cache")
    assert not list(tmp_path.rglob("*.model"))


def test_pretrained_sizes_are_checked(tmp_path):
    with pytest.raises(
        UserError, match="no model of 7000 subwords for de: choose one of 1000, 3000"
    ):
        fetch_pretrained("de", 7000, tmp_path / "x.model")


@pytest.mark.skipif(not PUBLISHED.is_file(), reason="BPEmb's published model is not here")
def test_a_published_model_sees_lower_case_and_no_digits():
    english = Subwords.load(PUBLISHED, "en", pretrained=True)
    assert english.size == 10_002
    assert english.decode(english.encode("Anna has 27 Cats.")) == "anna has 00 cats."
    reference = sentencepiece.SentencePieceProcessor(model_file=str(PUBLISHED))
    assert english.encode("Anna has 27 cats.")[1:-1] == reference.encode("anna has 00 cats.")

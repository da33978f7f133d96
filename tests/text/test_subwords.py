import errno
import io
import tempfile
import urllib.error
import urllib.request

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
from tests.data import published_model, train_as_bpemb

ALPHABET = "abcdefgäöüßÄ0123456789 .,?"
SENTENCES = [f"{a}{b} {b}ß {n}." for n in range(12) for a in "abcdÄ" for b in "efgäöü,?"]


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("subwords") / "toy.model"
    train_subwords(SENTENCES, 60, path)
    return path


@pytest.fixture(scope="module")
def thousand_file(tmp_path_factory, thousand):
    path = tmp_path_factory.mktemp("subwords") / "thousand.model"
    path.write_bytes(thousand)
    return path


@pytest.fixture(scope="module")
def toy(model_file):
    return Subwords.load(model_file, "de")


def test_encoding_adds_start_and_end(toy):
    assert (toy.start, toy.end, toy.size) == (60, 61, 62)
    ids = toy.encode("aß 7.")
    assert ids[0] == 60
    assert ids[-1] == 61
    assert all(2 < i < 60 for i in ids[1:-1])


def test_unknown_characters_are_not_encoded_as_padding(toy):
    ids = toy.encode("a 😀")
    assert 0 not in ids
    assert 1 in ids
    assert toy.labels(ids)[-2:] == ["<unk>", "<end>"]
    assert "⁇" in toy.decode(ids)


@given(st.text(ALPHABET))
def test_decoding_inverts_encoding(toy, text):
    assert toy.decode(toy.encode(text)) == " ".join(text.split())


@given(st.text())
def test_any_text_can_be_encoded(toy, text):
    ids = toy.encode(text)
    assert (ids[0], ids[-1]) == (toy.start, toy.end)
    assert all(0 < i < toy.start for i in ids[1:-1])
    assert len(toy.labels(ids)) == len(ids)


MANY = st.lists(st.text(ALPHABET) | st.text() | st.text("a\udc80\ud83d😀\x00\n"), max_size=20)


@given(MANY)
def test_encoding_many_sentences_equals_encoding_each(toy, model_file, thousand_file, texts):
    preprocessed = Subwords.load(model_file, "de", pretrained=True)
    for subwords in (toy, preprocessed, Subwords.load(thousand_file, "en")):
        rows = subwords.encode_all(texts)
        assert rows.lists() == [subwords.encode(text) for text in texts]


def test_fingerprints_depend_on_the_model_and_on_preprocessing(toy, model_file, thousand_file):
    others = Subwords.load(thousand_file, "de"), Subwords.load(model_file, "de", pretrained=True)
    assert len({subwords.fingerprint() for subwords in (toy, *others)}) == 3
    assert Subwords.load(model_file, "de").fingerprint() == toy.fingerprint()


@pytest.mark.parametrize("owner", ["sentencepiece.__version__", "unicodedata.unidata_version"])
def test_fingerprints_depend_on_the_versions_that_encode(toy, monkeypatch, owner):
    before = toy.fingerprint()
    monkeypatch.setattr(owner, "0.0.0")
    assert toy.fingerprint() != before


def test_control_pieces_in_a_sentence_are_encoded_as_text(toy):
    for typed in ("</s>", "<s>", "<unk>", "<start>"):
        assert not {2, toy.start, toy.end} & set(toy.encode(typed)[1:-1])


def test_special_tokens_and_control_characters_are_suppressed(toy, tmp_path, thousand):
    assert toy.suppressed_ids() == [0, 1, toy.start]
    (tmp_path / "full.model").write_bytes(thousand)
    full = Subwords.load(tmp_path / "full.model", "en")
    labels = full.labels(full.suppressed_ids())
    assert labels[:5] == ["<pad>", "<unk>", "<start>", "<0x00>", "<0x01>"]
    assert labels[-2:] == ["<0x1F>", "<0x7F>"]
    assert {"<0x09>", "<0x0A>", "<0x0D>"} < set(labels)
    assert len(labels) == 3 + 33


def test_lone_surrogates_are_encoded_as_question_marks(toy):
    assert toy.encode("a\udc80") == toy.encode("a?")


def test_decoding_ignores_padding_start_and_end(toy):
    ids = toy.encode("aß 7.")
    assert toy.decode([*ids, 0, 0]) == "aß 7."
    assert toy.decode([60, 61]) == ""
    assert toy.labels([60, 0, 61]) == ["<start>", "<pad>", "<end>"]


def test_training_is_deterministic(model_file, tmp_path):
    train_subwords(iter(SENTENCES), 60, tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == model_file.read_bytes()


@pytest.mark.parametrize(("size", "message"), [(5000, "at most"), (9, "too small")])
def test_vocabulary_sizes_the_corpus_does_not_allow_are_rejected(tmp_path, size, message):
    with pytest.raises(UserError, match=f"vocab_size {size} is .*{message}"):
        train_subwords(SENTENCES, size, tmp_path / "x.model")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), UserError("a.tsv, line 3: not UTF-8"), OSError("disk")]
)
def test_errors_of_the_corpus_are_not_replaced(tmp_path, error):
    def sentences():
        yield from SENTENCES
        raise error

    with pytest.raises(type(error), match=f"^{error}$"):
        train_subwords(sentences(), 60, tmp_path / "x.model")
    assert not list(tmp_path.iterdir())


def test_train_largest_uses_the_largest_size_all_texts_allow(tmp_path):
    paths = tmp_path / "x.model", tmp_path / "y.model"
    fewer = SENTENCES[:10]
    size = train_largest([SENTENCES, fewer], 5000, paths)
    assert [Subwords.load(path, "de").start for path in paths] == [size, size]
    with pytest.raises(VocabularyTooLarge):
        train_subwords(fewer, size + 1, tmp_path / "z.model")


def test_train_largest_keeps_a_size_that_all_texts_allow(tmp_path):
    assert train_largest([SENTENCES], 60, [tmp_path / "x.model"]) == 60


def test_models_do_not_contain_paths_of_temporary_files(model_file):
    assert b".tsv" not in model_file.read_bytes()


def test_invalid_files_and_languages_are_rejected(tmp_path, model_file):
    with pytest.raises(UserError, match="no such subword model"):
        Subwords.load(tmp_path / "none.model", "de")
    (tmp_path / "bad.model").write_bytes(b"not a model")
    with pytest.raises(UserError, match="not a SentencePiece model"):
        Subwords.load(tmp_path / "bad.model", "de")
    with pytest.raises(UserError, match="unknown language 'xx'"):
        Subwords.load(model_file, "xx")
    with pytest.raises(UserError, match="'multi' is BPEmb's vocabulary of all languages"):
        Subwords.load(model_file, "multi")
    assert 10_000 in check_language("de")


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*_, **__):
        raise urllib.error.URLError("no network")

    monkeypatch.setattr(urllib.request, "urlopen", refuse)


def test_download_errors_name_the_url_and_the_cache_file(tmp_path, no_network):
    with pytest.raises(UserError) as error:
        fetch_pretrained("de", 10_000, tmp_path / "de.model", cache_dir=tmp_path / "cache")
    place = tmp_path / "cache" / "de" / "de.wiki.bpe.vs10000.model"
    assert str(error.value).endswith(f"/de/de.wiki.bpe.vs10000.model and save it as {place}")
    assert not place.exists()


def test_pretrained_models_are_cached(tmp_path, monkeypatch, thousand):
    requested = []

    def respond(url, timeout):
        requested.append(url)
        return io.BytesIO(thousand)

    monkeypatch.setattr(urllib.request, "urlopen", respond)
    for name in ("one.model", "two.model"):
        fetch_pretrained("de", 1000, tmp_path / name, cache_dir=tmp_path / "cache")
        assert (tmp_path / name).read_bytes() == thousand
    assert len(requested) == 1


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_truncated_downloads_are_rejected(tmp_path, monkeypatch, thousand, share):
    part = thousand[: int(share * len(thousand))]
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: io.BytesIO(part))
    with pytest.raises(UserError, match="could not be downloaded"):
        fetch_pretrained("de", 1000, tmp_path / "x.model", cache_dir=tmp_path / "cache")
    assert not list(tmp_path.rglob("*.model"))


DAMAGES = {
    "empty": lambda thousand, sixty: b"",
    "truncated": lambda thousand, sixty: thousand[:5000],
    "of another size": lambda thousand, sixty: sixty,
    "another file": lambda thousand, sixty: b"<html>404</html>",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_model_in_the_cache_is_downloaded_again(
    tmp_path, monkeypatch, thousand, model_file, damage
):
    cached = tmp_path / "cache" / "de" / "de.wiki.bpe.vs1000.model"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(DAMAGES[damage](thousand, model_file.read_bytes()))
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: io.BytesIO(thousand))
    fetch_pretrained("de", 1000, tmp_path / "x.model", cache_dir=tmp_path / "cache")
    assert (tmp_path / "x.model").read_bytes() == cached.read_bytes() == thousand


def test_a_damaged_model_that_cannot_be_downloaded_is_an_error(tmp_path, no_network):
    cached = tmp_path / "cache" / "de" / "de.wiki.bpe.vs1000.model"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(b"<html>404</html>")
    with pytest.raises(UserError, match="vs1000.model is damaged, and BPEmb's model could not be"):
        fetch_pretrained("de", 1000, tmp_path / "x.model", cache_dir=tmp_path / "cache")
    assert not (tmp_path / "x.model").exists()


def test_models_that_cannot_be_written_are_errors(tmp_path, monkeypatch, thousand):
    (tmp_path / "file").touch()
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: io.BytesIO(thousand))
    with pytest.raises(UserError, match="vs1000.model: cannot be written: Not a directory"):
        fetch_pretrained("de", 1000, tmp_path / "x.model", cache_dir=tmp_path / "file")
    with pytest.raises(UserError, match="x.model: cannot be written: Not a directory"):
        train_subwords(SENTENCES, 60, tmp_path / "file" / "x.model")


def test_a_missing_directory_for_temporary_files_is_an_error(tmp_path, monkeypatch):
    def fail():
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "gettempdir", fail)
    with pytest.raises(UserError, match=r"temporary files: cannot be written: No usable .*/tmp"):
        train_subwords(SENTENCES, 60, tmp_path / "x.model")


def test_sizes_that_bpemb_does_not_publish_are_rejected(tmp_path):
    message = "no model of 7000 subwords for de; available sizes: 1000, 3000"
    with pytest.raises(UserError, match=message):
        fetch_pretrained("de", 7000, tmp_path / "x.model")


@pytest.mark.parametrize("kind", ["like a published model", "published"])
def test_pretrained_models_get_lower_case_and_digits_replaced_by_0(kind, tmp_path):
    if kind == "published":
        path, size = published_model(), 10_000
    else:
        path, size = tmp_path / "small.model", 60
        train_as_bpemb([*SENTENCES, *["anna has 00 cats."] * 50], size, path)
    english = Subwords.load(path, "en", pretrained=True)
    assert english.size == size + 2
    assert english.decode(english.encode("Anna has 27 Cats.")) == "anna has 00 cats."
    reference = sentencepiece.SentencePieceProcessor(model_file=str(path))
    assert english.encode("Anna has 27 Cats.")[1:-1] == reference.encode("anna has 00 cats.")

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.text.subwords import Subwords, check_code, check_language
from tests.data import published_model, train_as_bpemb
from tests.text.conftest import SENTENCES

ALPHABET = "abcdefgäöüßÄ0123456789 .,?"


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


@pytest.mark.parametrize(("lang", "code"), [("eng", "en"), ("deu", "de"), ("zho", "zh")])
def test_a_language_has_one_code(lang, code):
    """BPEmb knows the codes of ISO 639-3 too, but formats and sentence splitting do not."""
    check_code(code)
    with pytest.raises(UserError, match=f"'{lang}': the code of this language is '{code}'"):
        check_code(lang)


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

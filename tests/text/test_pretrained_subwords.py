"""Subword models that BPEmb publishes."""

import io
import urllib.error
import urllib.request

import pytest

from keras_transformer.errors import UserError
from keras_transformer.text.pretrained_subwords import fetch_pretrained


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


def test_sizes_that_bpemb_does_not_publish_are_rejected(tmp_path):
    message = "no model of 7000 subwords for de; available sizes: 1000, 3000"
    with pytest.raises(UserError, match=message):
        fetch_pretrained("de", 7000, tmp_path / "x.model")

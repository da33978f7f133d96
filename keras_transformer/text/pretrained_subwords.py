"""Subword models that BPEmb publishes, which are downloaded on first use."""

import http.client
import os
import urllib.request
from pathlib import Path

import sentencepiece
from bpemb import BPEmb

from keras_transformer.errors import UserError
from keras_transformer.files import copy_file, naming, write_bytes
from keras_transformer.text.subwords import check_language

DOWNLOAD_TIMEOUT = 60  # seconds


def fetch_pretrained(
    lang: str,
    vocab_size: int,
    path: str | os.PathLike[str],
    cache_dir: str | os.PathLike[str] | None = None,
) -> None:
    """Copy a published model of BPEmb to `path`, downloading the model on first use.

    A damaged model in the cache is downloaded again.

    Args:
        lang: language code, as used by BPEmb.
        vocab_size: number of pieces V, one of the published sizes.
        path: file the model is copied to.
        cache_dir: directory of downloaded models; BPEmb's own cache by default.

    Raises:
        UserError: If the language or size is unknown, the download fails, or a file cannot be
            written. If the download fails, the message contains the URL and where to save the file.
    """
    sizes = check_language(lang)
    if vocab_size not in sizes:
        raise UserError(
            f"BPEmb has no model of {vocab_size} subwords for {lang}; available sizes: "
            + ", ".join(map(str, sizes))
        )
    name = BPEmb.model_tpl.format(lang=lang, vs=vocab_size)
    cached = Path(cache_dir or Path.home() / ".cache" / "bpemb") / name
    if not _is_model(cached, vocab_size):
        _download(BPEmb.base_url + name, vocab_size, cached)
    copy_file(cached, path)


def _is_model(path: Path, vocab_size: int) -> bool:
    """Return whether a file exists and is an undamaged model of `vocab_size` pieces."""
    try:
        _check_model(path.read_bytes(), vocab_size)
    except (OSError, RuntimeError):
        return False
    return True


def _check_model(content: bytes, vocab_size: int) -> None:
    """Raise a `RuntimeError` or an `OSError` if a file is not a model of `vocab_size` pieces."""
    pieces = sentencepiece.SentencePieceProcessor(model_proto=content).get_piece_size()
    if pieces != vocab_size:
        raise OSError(f"the file has {pieces} subwords, not {vocab_size}")


def _download(url: str, vocab_size: int, path: Path) -> None:
    """Download and validate a model. A damaged file at `path` is replaced.

    BPEmb's own downloader does not verify certificates, has no timeout and accepts truncated files.
    """
    try:
        with urllib.request.urlopen(url, timeout=DOWNLOAD_TIMEOUT) as response:
            content = response.read()
        _check_model(content, vocab_size)
    except (OSError, RuntimeError, http.client.HTTPException) as error:
        found = f"{path} is damaged, and " if path.exists() else ""
        raise UserError(
            f"{found}BPEmb's model could not be downloaded ({error}): "
            f"download {url} and save it as {path}"
        ) from error
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, content)

"""Fixtures for tests of the commands."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from keras_transformer.commands.entry_point import run
from keras_transformer.runs.run import Run
from keras_transformer.translation.batch_search import BatchSearch
from keras_transformer.translation.translator import Translator
from tests.programs import load_script

Result: TypeAlias = tuple[int, str, str]  # exit status, standard output, standard error
Call: TypeAlias = Callable[..., Result]


@pytest.fixture(scope="session")
def loaded() -> dict[object, Translator]:
    """Return {the options of `Translator.of`: the translator} of the small run."""
    return {}


@pytest.fixture(autouse=True)
def loaded_once(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    loaded: dict[object, Translator],
) -> None:
    """Let the tests of commands load the small run only once with the same options.

    Otherwise each command would trace the search again, which takes seconds. Other runs, such as
    copies that a test changes, are loaded by each command, and so are translators for exports,
    which change their weights.
    """
    if "small_run" not in request.fixturenames:
        return
    loaded.setdefault((BatchSearch,), request.getfixturevalue("translator"))
    small_run, load = request.getfixturevalue("small_run").resolve(), Translator.of

    def load_once(run: Run, batch_search: type = BatchSearch, **options: bool) -> Translator:
        if run.directory.resolve() != small_run or "fold_normalizations" in options:
            return load(run, batch_search, **options)
        key = batch_search, *sorted(name for name, value in options.items() if value)
        if key not in loaded:
            loaded[key] = load(run, batch_search, **options)
        return loaded[key]

    monkeypatch.setattr(Translator, "of", load_once)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command in this process, and return its `Result`."""

    def call(name: str, *arguments: object) -> Result:
        with pytest.raises(SystemExit) as end:
            run(lambda: load_script(name).main([str(argument) for argument in arguments]))
        captured = capsys.readouterr()
        return int(end.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture
def error_of(call: Call) -> Callable[..., str]:
    """Run a command that fails, and return the line that it prints."""

    def error_of(name: str, *arguments: object) -> str:
        status, out, err = call(name, *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("error: ")
        return err

    return error_of


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a directory of files that are invalid in different ways."""
    contents: dict[str, str | bytes] = {
        "good.tsv": "".join(f"a {i}\tb {i}\n" for i in range(30)),
        "columns.tsv": "a\tb\nab\n",
        "latin1.tsv": "a\tsch\xf6n\n".encode("latin-1"),
        "empty.tsv": "",
        "three.en": "a\nb\nc\n",
        "two.de": "a\nb\n",
        "bad.gz": "no gzip",
        "wrong.json": '{"model": {"depth": 3}}',
        "negative.json": '{"model": {"num_layers": -1}}',
        "heads.json": '{"model": {"num_heads": 7}}',
        "wide.txt": "a\nb\n".encode("utf-16-le"),
    }
    for name, content in contents.items():
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
    (tmp_path / "link").symlink_to(tmp_path / "two.de")
    return tmp_path

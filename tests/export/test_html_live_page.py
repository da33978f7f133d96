"""The page for a server."""

import json

import pytest

from keras_transformer.commands import export
from keras_transformer.commands.entry_point import run
from keras_transformer.errors import PathTaken, UserError
from keras_transformer.export.html.live_page import export_live_html
from keras_transformer.export.html.reading import Blocks
from keras_transformer.runs.run import Run
from tests.programs import run_python

ADDRESS = "http://localhost:8501/v1/models/en-de"


def description(path):
    return json.loads(Blocks(path.read_text(encoding="utf-8")).texts["model"])


def test_without_a_run_only_the_address_is_known(tmp_path):
    address = f"{ADDRESS}/versions/3"
    size = export_live_html(address, tmp_path / "a" / "live.html")
    path = tmp_path / "a" / "live.html"
    assert path.stat().st_size == size
    found = description(path)
    known = {"name": "en-de", "server": address, "source_lang": None, "target_lang": None}
    assert known.items() <= found.items()
    assert found["unspaced"] == {"source": False, "target": False}
    assert found["network"] == {}
    assert found["examples"] == found["never"] == found["tensors"] == []


def test_a_run_provides_languages_and_examples(small_run, tmp_path):
    export_live_html(ADDRESS, tmp_path / "live.html", Run.open(small_run))
    found = description(tmp_path / "live.html")
    known = {"name": "en-de", "server": ADDRESS, "source_lang": "en", "target_lang": "de"}
    assert known.items() <= found.items()
    assert found["examples"] == Run.open(small_run).examples()


def test_a_page_knows_which_language_is_written_without_spaces(small_run, tmp_path):
    config = Run.open(small_run).config.with_settings({"target_lang": "zh"})
    export_live_html(ADDRESS, tmp_path / "live.html", Run(small_run, config))
    found = description(tmp_path / "live.html")
    assert found["unspaced"] == {"source": False, "target": True}


def test_examples_can_be_given(small_run, tmp_path):
    export_live_html(ADDRESS, tmp_path / "live.html", Run.open(small_run), ["ba lo", "ki"])
    assert description(tmp_path / "live.html")["examples"] == ["ba lo", "ki"]


def test_the_page_contains_no_weights_and_may_ask_only_the_server(tmp_path):
    export_live_html(ADDRESS, tmp_path / "live.html")
    page = (tmp_path / "live.html").read_text(encoding="utf-8")
    assert list(Blocks(page).texts) == ["model"]
    assert 'connect-src http://localhost:8501"' in page
    assert "default-src 'none'" in page


def test_an_existing_output_is_not_replaced(tmp_path):
    (tmp_path / "live.html").touch()
    with pytest.raises(PathTaken, match="already exists"):
        export_live_html(ADDRESS, tmp_path / "live.html")
    assert (tmp_path / "live.html").stat().st_size == 0


def test_an_address_that_a_page_cannot_use_is_rejected(tmp_path):
    with pytest.raises(UserError, match="IPv4"):
        export_live_html("http://[::1]:8501/v1/models/a", tmp_path / "live.html")
    assert not list(tmp_path.iterdir())


def test_the_command_needs_neither_a_run_nor_tensorflow(tmp_path):
    program = (
        "import sys; sys.modules['tensorflow'] = None\n"
        "from keras_transformer.commands import export\n"
        "export.main(sys.argv[1:])"
    )
    flags = "--format", "html", "--server", f"{ADDRESS}/", "--output", tmp_path / "live.html"
    done = run_python("-c", program, *map(str, flags))
    assert (done.returncode, done.stderr.decode()) == (0, f"writing {tmp_path}/live.html\n")
    first, *_, last = done.stdout.decode().splitlines()
    assert f"MB, for {ADDRESS}; start the server with --enable_cors_support" in first
    assert last == (tmp_path / "live.html").as_uri()
    assert description(tmp_path / "live.html")["server"] == ADDRESS


def test_the_command_reads_the_run_if_it_is_given(small_run, tmp_path, capsys):
    path = tmp_path / "live.html"
    flags = ["--format", "html", "--server", ADDRESS, "--output", str(path)]
    assert export.main([*flags, "--checkpoint", str(small_run)]) == 0
    assert description(path)["examples"] == Run.open(small_run).examples()
    path.unlink()
    with pytest.raises(SystemExit) as end:
        run(lambda: export.main([*flags, "--checkpoint", str(tmp_path / "missing")]))
    assert end.value.code == 2
    assert "no run here" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())

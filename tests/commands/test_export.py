"""The arguments of the command `export`, and their combinations."""

import pytest

from keras_transformer.commands.entry_point import run
from keras_transformer.commands.export import main, make_parser, warn_about_restoration
from keras_transformer.commands.search_flags import search_settings
from keras_transformer.config import Config
from keras_transformer.export.html.quantization import KINDS
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings

HTML = ["--format", "html"]
SERVER = [*HTML, "--server", "http://localhost:8501/v1/models/en-de"]
BEAM_ONLY = "a page has beam search, which is greedy search with --beam-size 1"
FIXED = "the search was fixed at export, by flags of keras-transformer export"
AT_TRANSLATION = "CTranslate2 takes its search settings when it translates"
# (arguments, message)
INVALID = [
    ([*HTML, "--xla"], "--xla: for --format savedmodel only"),
    ([*HTML, "--ids-only"], "--ids-only: for --format savedmodel only"),
    ([*HTML, "--search", "greedy"], f"--search: for --format savedmodel only; {BEAM_ONLY}"),
    ([*HTML, "--max-length", "9"], f"--max-length: for --format savedmodel only; {BEAM_ONLY}"),
    (
        [*HTML, "--search", "sampling", "--seed", "0"],
        f"--search: for --format savedmodel only; {BEAM_ONLY}",
    ),
    ([*HTML, "--beam-size", "0"], "--beam-size must be at least 1"),
    ([*HTML, "--beam-size", "11"], "--beam-size must be at most 10 for --format html"),
    ([*HTML, "--length-penalty", "3.1"], "--length-penalty must be at most 3 for --format html"),
    (
        [*HTML, "--length-penalty", "0.625"],
        "--length-penalty 0.625: at most 2 digits after the decimal point for --format html",
    ),
    ([*HTML, "--length-penalty", "nan"], "--length-penalty must be a number from 0"),
    (
        [*SERVER, "--weights", "int8"],
        "--weights cannot be combined with --server: the page has no weights",
    ),
    ([*SERVER, "--beam-size", "4"], f"--beam-size cannot be combined with --server: {FIXED}"),
    (
        [*SERVER, "--length-penalty", "0"],
        f"--length-penalty cannot be combined with --server: {FIXED}",
    ),
    (
        [*HTML, "--server", "localhost:8501"],
        "localhost:8501: not the address of a model, which has the form "
        "http://HOST:8501/v1/models/NAME",
    ),
    (
        [*HTML, "--server", ""],
        "--server must not be empty (see keras-transformer export --help)",
    ),
    (
        [*HTML, "--server", "http://[::1]:8501/v1/models/a"],
        "http://[::1]:8501/v1/models/a: the policy of a page needs the server's name or IPv4 "
        "address in ASCII",
    ),
    ([*HTML, "--example", "a", "--example", " "], "--example must not be empty"),
    ([*HTML, "--example", "Schl\udcfcssel"], "Schl?ssel: not UTF-8"),
    (
        [*HTML, "--server", "http://localhost:8501/v1/models/d\udce9"],
        "http://localhost:8501/v1/models/d?: not UTF-8",
    ),
    (["--example", "a"], "--example: for --format html only"),
    (["--weights", "int8"], "--weights: for --format html only"),
    (["--server", "http://localhost:8501/v1/models/a"], "--server: for --format html only"),
    (["--format", "ctranslate2", "--weights", "int8"], "--weights: for --format html only"),
    (
        ["--format", "ctranslate2", "--length-penalty", "0"],
        f"--length-penalty: for --format savedmodel or html only; {AT_TRANSLATION}",
    ),
    (["--format", "ctranslate2", "--xla"], "--xla: for --format savedmodel only"),
    (
        ["--format", "ctranslate2", "--shortlist"],
        "--shortlist: for --format savedmodel only; a CTranslate2 model always has the shortlist "
        "of its run",
    ),
]


def failure(capsys, *arguments):
    """Return the message of a command that fails with exit status 2."""
    with pytest.raises(SystemExit) as end:
        run(lambda: main([*map(str, arguments)]))
    out, err = capsys.readouterr()
    assert (end.value.code, out) == (2, "")
    [line] = err.splitlines()
    return line.removeprefix("error: ")


@pytest.mark.parametrize(("arguments", "message"), INVALID)
def test_invalid_arguments_are_rejected_before_a_run_is_read(capsys, tmp_path, arguments, message):
    output = tmp_path / "page.html"
    flags = "--checkpoint", tmp_path / "missing", "--output", output
    assert failure(capsys, *flags, *arguments) == message
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["page", "page.txt", "html", ".html"])
def test_a_page_needs_a_name_that_browsers_recognize(capsys, tmp_path, name):
    output = tmp_path / name
    message = f"--output {output}: the name of a page must end with .html"
    assert failure(capsys, *HTML, "--output", output) == message


@pytest.mark.parametrize("name", ["a.html", "a.HTM", "en.de.html"])
def test_names_of_pages_are_accepted(capsys, tmp_path, name):
    flags = "--checkpoint", tmp_path, "--output", tmp_path / name
    assert failure(capsys, *HTML, *flags) == f"{tmp_path}: no run here (no config.json)"


def test_unknown_weights_are_rejected(capsys):
    message = failure(capsys, *HTML, "--output", "a.html", "--weights", "int4")
    assert message.startswith("argument --weights: invalid choice: 'int4'")


def test_the_defaults_are_those_of_the_help():
    parser = make_parser()
    text = " ".join(parser.format_help().split())
    chosen = parser.parse_args(["--output", "serving/en-de"])
    search = search_settings(chosen, SearchSettings())
    sampling = f"{search.temperature:g}", search.top_k, f"{search.top_p:g}"
    for default in (chosen.format, KINDS[0], search.strategy, search.beam_size, *sampling):
        assert f"(default {default})" in text
    assert (chosen.weights, chosen.server) == (None, None)


@pytest.mark.parametrize("subwords", ["trained", "pretrained"])
def test_exports_of_pretrained_subwords_come_with_a_warning(caplog, tmp_path, subwords):
    Run.create(tmp_path / "run", Config().with_settings({"subwords": subwords}))
    warn_about_restoration(tmp_path / "run")
    assert ("restores capitals and digits" in caplog.text) == (subwords == "pretrained")

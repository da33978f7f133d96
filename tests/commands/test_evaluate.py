"""The command `evaluate`."""

import errno
import json
import os
from types import SimpleNamespace

import pytest

from keras_transformer.commands import evaluate
from keras_transformer.config import Config
from keras_transformer.runs.run import Run
from keras_transformer.translation.reranking import Reranker
from tests.conftest import toy_pairs, write_pairs
from tests.limits import limited_files


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--checkpoint", "{}/none"], "none: no run here"),
        (["--checkpoint", "RUN"], "no test pairs of its own: give --test"),
        (["--test", "{}/none.tsv"], "none.tsv: no such file"),
        (["--test", "{}/empty.tsv", "--checkpoint", "RUN"], "no sentence pairs"),
        (["--test", "{}/good.tsv", "--translations", "{}/two.de"], "2 lines for 30"),
        (["--translations", "a", "--output", "b"], "not both"),
        (["--translations", "a", "--beam-size", "3"], "--beam-size cannot be combined with --tr"),
        (["--translations", "a", "--no-rerank"], "--no-rerank cannot be combined with --transl"),
        (["--translations", "a", "--batch-size", "64"], "--batch-size cannot be combined with"),
        (["--translations", "a", "--batch-size", "8", "--baseline", "b"], "--batch-size cannot be"),
        (["--batch-size", "0"], "--batch-size must be at least 1"),
        (["--test", "{}/good.tsv", "--output", "{}/good.tsv"], "is the same file as --test"),
        (["--test", "{}/three.en", "{}/two.de", "--output", "{}/link"], "is the same file as --te"),
        (["--test", "{}/good.tsv", "--checkpoint", "RUN", "--beam-size", "39"], "at most 38"),
        (["--test", "{}/good.tsv", "--output", "{}/link", "--baseline", "{}/two.de"], "--baseline"),
        (
            ["--test", "{}/good.tsv", "--checkpoint", "RUN", "--baseline", "{}/two.de"],
            "two.de: 2 lines for 30",
        ),
        (
            ["--test", "{}/good.tsv", "--translations", "{}/three.en", "--baseline", "{}/no"],
            "three.en: 3 lines for 30",
        ),
        (
            ["--test", "{}/good.tsv", "--checkpoint", "RUN", "--baseline", "{}/no"],
            "no: no such file",
        ),
        (["--test", "{}/good.tsv", "--checkpoint", "RUN", "--baseline", "{}"], "no run here"),
        (["--test", "{}/wide.txt"], "wide.txt, line 1: not UTF-8"),
        (
            ["--test", "{}/good.tsv", "--checkpoint", "RUN", "--output", "{}/no/x"],
            "no/x: cannot be",
        ),
        (["--beam-size", "0"], "--beam-size must be at least 1"),
        (["--length-penalty", "-1"], "--length-penalty must be a number"),
        (["--seed", "1"], "--seed needs --search sampling"),
        (["--tokenize", "words"], "--tokenize"),
    ],
)
def test_bad_input_is_an_error(error_of, files, small_run, arguments, message):
    arguments = [str(small_run) if a == "RUN" else a.format(files) for a in arguments]
    assert message in error_of("evaluate", *arguments)


def test_a_report_of_a_run_and_of_its_translations(call, small_run, tmp_path):
    pairs, file = write_pairs(tmp_path / "test.tsv", toy_pairs(20, seed=4)), tmp_path / "out.txt"
    flags = ["--test", pairs, "--json", "--tokenize", "none", "--lowercase"]
    status, out, err = call("evaluate", "--checkpoint", small_run, *flags, "--output", file)
    assert (status, err) == (0, "")
    report = json.loads(out)
    assert report["sentences"] == 20
    assert "case:lc" in report["bleu_signature"]
    assert report["temperature"] == Run.open(small_run).calibration()["temperature"]
    _, out, _ = call("evaluate", *flags, "--translations", file)
    assert json.loads(out).items() <= report.items()
    _, out, _ = call("evaluate", "--test", pairs, "--translations", file)
    assert out.startswith("BLEU ")
    assert out.count("\n") == 2


@pytest.mark.parametrize(
    ("flags", "lang", "tokenizer"),
    [
        ([], "de", "13a"),
        ([], "zh", "zh"),
        ([], "ja", "char"),
        (["--tokenize", "none"], "zh", "none"),
        (["--translations", "x"], "zh", "zh"),  # with the test pairs of the run's corpus
        (["--translations", "x", "--test", "tfds:a/b"], "zh", "zh"),
        (["--translations", "x", "--test", "a.tsv"], "zh", "13a"),
        (["--translations", "x", "--test", "a.tsv", "--checkpoint", "run"], "zh", "zh"),
    ],
)
def test_the_tokenizer_suits_the_target_language(flags, lang, tokenizer):
    run = SimpleNamespace(config=Config().with_settings({"target_lang": lang}))
    chosen = evaluate.make_parser().parse_args(flags)
    assert evaluate.bleu_tokenizer_of(chosen, lambda: run) == tokenizer


def test_the_report_is_printed_even_if_the_translations_cannot_be_written(
    call, small_run, tmp_path
):
    pairs, file = write_pairs(tmp_path / "test.tsv", toy_pairs(20, seed=4)), tmp_path / "out.txt"
    flags = ["--checkpoint", small_run, "--test", pairs, "--json", "--output", file]
    with limited_files(20):
        status, out, err = call("evaluate", *flags)
    assert (status, err) == (2, f"error: {file}: cannot be written: File too large\n")
    assert json.loads(out)["sentences"] == 20
    assert not file.exists()


def test_the_translations_are_written_even_if_nobody_reads_the_report(
    call, small_run, tmp_path, monkeypatch
):
    pairs, file = write_pairs(tmp_path / "test.tsv", toy_pairs(20, seed=4)), tmp_path / "out.txt"
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as pipe:
        monkeypatch.setattr("sys.stdout", pipe)
        flags = ["--checkpoint", small_run, "--test", pairs, "--output", file]
        assert call("evaluate", *flags) == (0, "", "")
    assert file.read_text("utf-8").count("\n") == 20


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_the_translations_are_written_even_if_the_disk_of_the_report_is_full(
    call, small_run, tmp_path, monkeypatch
):
    pairs, file = write_pairs(tmp_path / "test.tsv", toy_pairs(20, seed=4)), tmp_path / "out.txt"
    flags = ["--checkpoint", small_run, "--test", pairs, "--output", file]
    with open("/dev/full", "w") as full:
        monkeypatch.setattr("sys.stdout", full)
        status, _, err = call("evaluate", *flags)
    reason = os.strerror(errno.ENOSPC)
    assert (status, err) == (2, f"error: standard output: cannot be written: {reason}\n")
    assert file.read_text("utf-8").count("\n") == 20


def test_samples_are_evaluated_without_reranking(call, small_run, tmp_path, monkeypatch):
    monkeypatch.delattr(Reranker, "of")  # a reranker would be an error
    flags = ["--checkpoint", small_run, "--search", "sampling", "--seed", "7"]
    pairs = write_pairs(tmp_path / "test.tsv", toy_pairs(5, seed=4))
    one, two = (tmp_path / name for name in ("one.txt", "two.txt"))
    for file in (one, two):
        assert call("evaluate", *flags, "--test", pairs, "--output", file)[::2] == (0, "")
    assert one.read_text(encoding="utf-8") == two.read_text(encoding="utf-8")


def test_a_run_is_compared_with_another_search_of_the_same_run(call, small_run, tmp_path):
    """A file of translations and the run that made them are the same baseline."""
    pairs, file = write_pairs(tmp_path / "test.tsv", toy_pairs(20, seed=4)), tmp_path / "out.txt"
    flags = ["--test", pairs, "--json"]
    greedy = ["--checkpoint", small_run, *flags, "--beam-size", "1"]
    _, out, _ = call("evaluate", *greedy, "--output", file, "--baseline", small_run)
    itself = json.loads(out)["baseline"]
    assert itself["name"] == str(small_run)
    assert itself["bleu"]["p_value"] == itself["chrf"]["p_value"] == 1
    plain = ["--checkpoint", small_run, *flags, "--max-length", "3"]
    _, out, _ = call("evaluate", *plain, "--baseline", file)
    report = json.loads(out)
    assert report["bleu"] == pytest.approx(report["baseline"]["bleu"]["score"])
    assert itself["chrf"]["score"] == report["baseline"]["chrf"]["baseline"]
    assert report["baseline"]["bleu"]["score"] < report["baseline"]["bleu"]["baseline"]


def test_a_file_may_be_compared_with_a_run_that_translates_in_small_batches(
    call, small_run, tmp_path
):
    pairs = write_pairs(tmp_path / "test.tsv", toy_pairs(20, seed=4))
    flags, file = ["--test", pairs], tmp_path / "out.txt"
    assert call("evaluate", *flags, "--checkpoint", small_run, "--output", file)[0] == 0
    flags += ["--translations", file, "--baseline", small_run, "--batch-size", "3", "--json"]
    status, out, _ = call("evaluate", *flags)
    assert status == 0
    assert json.loads(out)["baseline"]["bleu"]["p_value"] == 1


def test_flags_of_the_search_apply_to_a_baseline_run(call, small_run, tmp_path):
    pairs = write_pairs(tmp_path / "test.tsv", toy_pairs(20, seed=4))
    search = ["--no-rerank", "--beam-size", "1", "--length-penalty", "0"]
    flags, file = ["--test", pairs, *search], tmp_path / "out.txt"
    assert call("evaluate", *flags, "--checkpoint", small_run, "--output", file)[0] == 0
    flags += ["--translations", file, "--baseline", small_run, "--json"]
    status, out, _ = call("evaluate", *flags)
    assert status == 0
    report = json.loads(out)
    assert report["bleu"] == pytest.approx(report["baseline"]["bleu"]["baseline"])
    assert report["baseline"]["bleu"]["p_value"] == 1


def test_translations_may_come_from_a_pipe(call, tmp_path):
    test = write_pairs(tmp_path / "test.tsv", [("a", "b c d e")])
    read, write = os.pipe()
    os.write(write, b"b c d e\n")
    os.close(write)
    status, out, _ = call("evaluate", "--test", test, "--translations", f"/dev/fd/{read}")
    os.close(read)
    assert status == 0
    assert "BLEU 100.00" in out


def test_two_files_of_translations_are_compared(call, tmp_path):
    pairs = toy_pairs(20, seed=4)
    test, file = write_pairs(tmp_path / "test.tsv", pairs), tmp_path / "out.txt"
    file.write_text("".join(f"{target}\n" for _, target in pairs), encoding="utf-8")
    flags = ["--test", test, "--translations", file, "--baseline", file]
    status, out, err = call("evaluate", *flags)
    assert (status, err, out.count("\n")) == (0, "", 4)
    assert "BLEU: +0.00 compared with the baseline's 100.00, p = 1.000;" in out


def test_a_run_is_opened_before_the_baseline_translates(error_of, small_run, tmp_path, monkeypatch):
    monkeypatch.setattr(evaluate, "translations_of_baseline", lambda *_: pytest.fail("too early"))
    pairs = write_pairs(tmp_path / "test.tsv", toy_pairs(5))
    flags = ["--checkpoint", small_run, "--baseline", small_run, "--test", pairs, "--neighbors"]
    assert "to make one, run" in error_of("evaluate", *flags)


def test_a_wrong_run_is_an_error_even_if_it_is_not_needed(error_of, tmp_path):
    pairs, file = write_pairs(tmp_path / "test.tsv", [("a", "b")]), tmp_path / "out.txt"
    file.write_text("b\n", encoding="utf-8")
    flags = ["--test", pairs, "--translations", file, "--tokenize", "none"]
    assert "none: no run here" in error_of("evaluate", *flags, "--checkpoint", tmp_path / "none")


@pytest.mark.parametrize("seed", ["abc", "", "-1"])
def test_a_seed_that_is_no_number_is_an_error(error_of, tmp_path, monkeypatch, seed):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    test, file = write_pairs(tmp_path / "test.tsv", [("a", "b c d e")]), tmp_path / "out.txt"
    file.write_text("b c d e\n", encoding="utf-8")
    flags = ["--test", test, "--translations", file, "--baseline", file]
    assert "SACREBLEU_SEED must be a whole number" in error_of("evaluate", *flags)

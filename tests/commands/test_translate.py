"""The command `translate`."""

import io
import re
import shutil
import signal

import numpy as np
import pytest

from keras_transformer.commands.drawing import attention
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.line_translator import LineTranslator
from keras_transformer.translation.shortlist import Shortlist
from tests.limits import limited_files
from tests.programs import HOME, run_python
from tests.rest.scripted_server import ScriptedServer, answering
from tests.terminal import Terminal


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "--checkpoint", "{}/none"], "none: no run here"),
        (["a", "--beam-size", "0"], "--beam-size must be at least 1"),
        (["a", "--n-best", "13"], "--n-best must be from 1 to --beam-size, which is 12"),
        (["a", "--length-penalty", "nan"], "--length-penalty must be a number"),
        (["a", "--n-best", "2", "--search", "greedy"], "--n-best must be 1 for greedy search"),
        (["a", "--temperature", "0.5"], "--temperature needs --search sampling"),
        (["a", "--layer", "2"], "--layer needs --plot"),
        (["--checkpoint", "RUN", "--input", "x" * 300], "no such file"),
        (["a", "--attention", "cross"], "--attention needs --plot"),
        (["a", "--alignment-layer", "1"], "--alignment-layer needs --alignments"),
        (["a", "--alignment-head", "1"], "--alignment-head needs --alignments"),
        (["a", "--alignments", "--alignment-head", "0"], "--alignment-head must be at least 1"),
        (["a", "--alignments", "--confidence"], "--alignments cannot be combined with"),
        (
            ["--checkpoint", "RUN", "a", "--alignments", "--alignment-layer", "2"],
            "no decoder layer 2",
        ),
        (["--checkpoint", "RUN", "a", "--alignments", "--alignment-head", "3"], "no head 3"),
        (["ba", "--plot", "{}/x.png", "--layer", "0"], "--layer must be at least 1"),
        (["ba", "--plot", "{}/x"], "x: cannot be written: the name must end in ."),
        (["ba", "--plot", "{}/x.bmp"], "x.bmp: cannot be written: the name must end in ."),
        (["ba", "--plot", "{}/no/x.png"], "no/x.png: cannot be written"),
        (["ba", "--plot", "{}"], "cannot be written: it is a directory"),
        (["ba", "--plot", "{}/x.png", "-o", "{}/./x.png"], "is the same file as --plot"),
        (["-i", "{}/two.de", "-o", "{}/two.de"], "is the same file as --input {}/two.de"),
        (["ba", "-o", "{}/x.gz"], "x.gz: the file is not compressed: give a name without .gz"),
        (["-i", "{}/two.de", "-o", "{}/link"], "is the same file as --input {}/two.de"),
        (["--server", "http://a", "-i", "{}/two.de", "-o", "{}/link"], "is the same file"),
        (["--server", "http://a", "--n-best", "2", "a"], "a server returns one translation"),
        (["--server", "http://a", "--no-rerank", "a"], "--no-rerank has no effect with --server"),
        (["--server", "http://a", "--no-corrections", "a"], "--no-corrections has no effect"),
        (["--checkpoint", "", "a"], "--checkpoint must not be empty"),
        (["--input", ""], "--input must not be empty"),
        (["a", "--output", ""], "--output must not be empty"),
        (["a", "--plot", ""], "--plot must not be empty"),
        (["--checkpoint", "RUN", "-i", "{}/wide.txt"], "wide.txt, line 1: not UTF-8: the line"),
        (["--checkpoint", "RUN", "ba", "--beam-size", "39"], "--beam-size must be at most 38"),
        (["--checkpoint", "RUN", "ba", "--xla", "--beam-size", "39"], "must be at most 38"),
        (["ba", "--output", "{}/no/x.txt"], "written: the directory {}/no does not exist"),
        (["ba", "--output", "{}"], "cannot be written: Is a directory"),
        (["a", "--input", "{}/good.tsv"], "not both"),
        (["a", "--input", "-"], "not both"),
        (["a", "--quiet", "--warn-each-line"], "give --quiet or --warn-each-line, not both"),
        (["--plot", "x.png"], "--plot needs exactly one sentence"),
        (["a", "b", "--plot", "x.png"], "--plot needs exactly one sentence"),
        (["a", "--attention", "self"], "argument --attention: invalid choice: 'self'"),
        (["--checkpoint", "RUN", "--input", "{}/none.txt"], "none.txt: no such file"),
        (["--checkpoint", "RUN", "--input", "{}/latin1.tsv"], "latin1.tsv, line 1: not UTF-8"),
        (["--checkpoint", "RUN", "ba", "--plot", "{}/x.png", "--layer", "9"], "no decoder layer 9"),
    ],
)
def test_bad_input_is_an_error(error_of, files, small_run, arguments, message):
    arguments = [str(small_run) if a == "RUN" else a.format(files) for a in arguments]
    assert message.format(files) in error_of("translate", *arguments)
    assert (files / "two.de").read_text() == "a\nb\n"


def test_the_forms_of_the_output(call, small_run, tmp_path, translator, reranking, caplog):
    run_flags = ["--checkpoint", small_run, "--quiet"]
    [[best]] = reranking.translate(["ba lo"])
    status, out, err = call("translate", *run_flags, "ba lo", "", "be")
    assert (status, err) == (0, "")
    assert out.split("\n")[:2] == [best.text, ""]
    assert out.count("\n") == 3

    _, out, _ = call("translate", *run_flags, "ba lo", "--n-best", "3", "--scores")
    assert out.split("\n")[0] == f"1\t{best.score:.4f}\t{best.text}"
    assert out.count("\n") == 3

    _, out, _ = call("translate", *run_flags, "ba lo", "--no-rerank", "--beam-size", "3")
    assert out == translator.translate(["ba lo"], SearchSettings(beam_size=3))[0][0].text + "\n"

    _, out, _ = call("translate", *run_flags, "ba lo", "--xla", "--beam-size", "1")
    assert out == translator.translate(["ba lo"], SearchSettings(beam_size=1))[0][0].text + "\n"

    _, out, err = call("translate", *run_flags, "ba " * 100)
    assert out.count("\n") == 1
    assert "line 1: a sentence is too long" in caplog.text

    plot = tmp_path / "plot.png"
    picture = ["--plot", plot, "--attention", "encoder", "--n-best", 2]
    _, out, err = call("translate", *run_flags, "ba lo", *picture)
    assert out.split("\n")[0] == f"1\t{best.text}"
    assert out.count("\n") == 2
    assert err == f"wrote {plot}\n"
    assert plot.read_bytes().startswith(b"\x89PNG")

    _, out, _ = call("translate", *run_flags, "\udcff ba")  # an argument that is not UTF-8
    assert out.count("\n") == 1


def test_translations_are_written_to_a_file(call, small_run, reranking, tmp_path):
    source, target = tmp_path / "source.txt", tmp_path / "target.txt"
    source.write_text("ba lo\n\nbe\n")
    flags = ["--checkpoint", small_run, "-q", "-i", source, "-o", target]
    assert call("translate", *flags) == (0, "", "")
    wanted = [best.text for best, *_ in reranking.translate(["ba lo", "", "be"])]
    assert target.read_text(encoding="utf-8") == "".join(f"{text}\n" for text in wanted)
    assert sorted(tmp_path.iterdir()) == [source, target]


def test_a_run_whose_training_is_not_finished_is_reported_unless_quiet(call, small_run, tmp_path):
    directory = shutil.copytree(small_run, tmp_path / "run")
    Run.open(directory).remove_calibration()
    flags = ["--checkpoint", directory, "--confidence", "ba"]
    status, out, err = call("translate", *flags)
    assert (status, out.count("\t")) == (0, 1)
    assert err.startswith(f"warning: {directory} is not completely trained: ")
    assert call("translate", *flags, "--quiet") == (0, out, "")


def test_an_output_that_cannot_be_completed_is_unchanged(call, small_run, tmp_path):
    """The disk is full when the translations are written, after they have been computed."""
    target = tmp_path / "target.txt"
    target.write_text("old")
    flags = ["--checkpoint", small_run, "-q", "--output", target]
    with limited_files(10):
        status, out, err = call("translate", *flags, "ba lo", "ba lo", "ba lo")
    assert (status, out) == (2, "")
    assert err == f"error: {target}: cannot be written: File too large; {target} is unchanged\n"
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_lack_of_memory_is_one_line_with_advice(error_of, small_run, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(LineTranslator, "stream", fail)
    line = "error: out of memory: give a smaller --batch-size\n"
    assert error_of("translate", "--checkpoint", small_run, "ba") == line


@pytest.mark.parametrize("flag", ["--heads", "--token", "--words"])
def test_flags_that_only_another_command_has_are_errors_that_name_it(error_of, flag):
    message = (
        f"unrecognized arguments: {flag}; {flag} is a flag of keras-transformer draw attention"
    )
    assert message in error_of("translate", "--plot", "a.png", flag, "ba")
    assert flag in attention.make_parser().format_help()


@pytest.mark.parametrize("exists", [False, True])
def test_a_signal_leaves_the_output_file_unchanged(call, small_run, tmp_path, monkeypatch, exists):
    def terminate(*_, **__):
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(LineTranslator, "stream", terminate)
    target = tmp_path / "target.txt"
    if exists:
        target.write_text("old")
    status, out, err = call("translate", "--checkpoint", small_run, "ba", "--output", target)
    kept = "unchanged" if exists else "not written"
    assert (status, out, err) == (143, "", f"terminated; {target} is {kept}\n")
    assert list(tmp_path.iterdir()) == ([target] if exists else [])


def test_a_failure_leaves_the_output_file_unchanged(error_of, small_run, tmp_path):
    source, target = tmp_path / "source.txt", tmp_path / "target.txt"
    source.write_bytes(b"ba lo\n\xff\n")
    flags = ["--quiet", "--buffer-size", 1, "--input", source, "--output", target]
    flags += ["--checkpoint", small_run]
    assert "line 2: not UTF-8" in error_of("translate", *flags)
    assert list(tmp_path.iterdir()) == [source]
    target.write_text("old")
    assert "line 2: not UTF-8" in error_of("translate", *flags)
    assert target.read_text() == "old"
    flags = ["--checkpoint", tmp_path / "none", "ba", "--output", tmp_path / "x"]
    assert "none: no run here" in error_of("translate", *flags)
    assert sorted(tmp_path.iterdir()) == [source, target]


@pytest.mark.parametrize("to_file", [False, True])
def test_the_translation_is_kept_if_its_plot_cannot_be_written(
    call, small_run, reranking, tmp_path, to_file
):
    picture, target = tmp_path / "x.png", tmp_path / "target.txt"
    flags = ["--checkpoint", small_run, "-q", "ba lo", "--plot", picture]
    flags += ["--output", target] if to_file else []
    with limited_files(1000):
        status, out, err = call("translate", *flags)
    assert status == 2
    assert err == f"error: {picture}: cannot be written: File too large\n"
    assert not picture.exists()
    written = target.read_text(encoding="utf-8") if to_file else out
    assert written == reranking.translate(["ba lo"])[0][0].text + "\n"
    assert (out == "") == to_file


def test_an_empty_translation_cannot_be_plotted(call, small_run, tmp_path):
    flags = ["--checkpoint", small_run, " ", "--plot", tmp_path / "x.png"]
    message = "error: an empty translation has no attention to plot\n"
    assert call("translate", *flags) == (2, "\n", message)
    assert list(tmp_path.iterdir()) == []


def test_translate_at_a_terminal():
    """With a server, since a process that loads a run takes seconds."""
    with (
        ScriptedServer(answering(["Ki fo."])) as server,
        Terminal("translate.py", "--quiet", "--server", server.address, cwd=HOME) as terminal,
    ):
        for keys in ("ba lo\r", "\x1b[A\r"):
            terminal.wait_for("en> ")
            terminal.type(keys)
            terminal.wait_for("\nKi fo.\r\n")
        terminal.wait_for("en> ")
        terminal.type("\x04")
        status, _, err, _ = terminal.finish()
    assert (status, err) == (0, f"translating with {server.address}; Ctrl-D quits\n\n")


def test_a_pipe_is_translated_like_a_file(call, small_run, tmp_path, monkeypatch):
    """In a new process, whose standard error is empty."""
    sentences = tmp_path / "sentences.txt"
    sentences.write_bytes("ba be\r\n\n\u2028 </s> \x01 😀\nlo".encode())
    translate = "--quiet", "--search", "greedy", "--checkpoint", small_run
    from_pipe = run_python("translate.py", *translate, input=sentences.read_bytes())
    assert (from_pipe.returncode, from_pipe.stderr) == (0, b"")
    from_file = call("translate", *translate, "--input", sentences)
    assert from_file == (0, from_pipe.stdout.decode(), "")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(sentences.read_bytes())))
    assert call("translate", *translate, "--input", "-", "--output", "-") == from_file
    output = from_pipe.stdout.decode().split("\n")
    assert len(output) == 5
    assert any(output)
    assert output[1] == output[4] == ""


def translated(call, run, *arguments):
    """Return the lines that the command prints."""
    status, out, _ = call("translate", "--checkpoint", run, *arguments)
    assert status == 0
    return out.splitlines()


def test_a_line_of_two_sentences_is_translated_sentence_by_sentence(call, small_run):
    first, second, both = translated(call, small_run, "ba lo ki.", "de fi.", "ba lo ki. de fi.")
    assert both == f"{first} {second}"
    [whole] = translated(call, small_run, "--no-split", "ba lo ki. de fi.")
    alone = translated(call, small_run, "--no-split", "ba lo ki.", "de fi.")
    assert alone == [first, second]
    assert whole


def test_corrections_can_be_switched_off(call, small_run, reranking):
    [line] = translated(call, small_run, "--no-corrections", "-q", "ba 17.")
    assert line == reranking.translate(["ba 17."])[0][0].text
    [corrected] = translated(call, small_run, "-q", "ba 17.")
    assert "17" in corrected
    assert "17" not in line


def test_scores_of_two_sentences_add_up(call, small_run):
    lines = translated(call, small_run, "--scores", "ba lo ki.", "de fi.", "ba lo ki. de fi.")
    scores = [float(line.split("\t")[0]) for line in lines]
    assert scores[2] == pytest.approx(scores[0] + scores[1], abs=2e-4)


def test_two_sentences_cannot_be_plotted(call, small_run, tmp_path):
    picture = tmp_path / "a.png"
    arguments = ("--checkpoint", small_run, "--plot", picture, "ba lo ki. de fi.")
    status, out, err = call("translate", *arguments)
    assert (status, out) == (2, "")
    assert "--plot needs one sentence, not 2" in err
    assert not picture.exists()


def test_one_warning_summarizes_the_uncertain_translations(call, small_run):
    arguments = ("--checkpoint", small_run, "ba lo", "猫 ba", "犬 ba")
    _, out, err = call("translate", *arguments)
    assert len(out.splitlines()) == 3
    [warning] = [line for line in err.splitlines() if "may be wrong" in line]
    assert re.search("[23] of 3 lines may be wrong", warning)
    assert all(char in out or char in warning for char in "猫犬")
    _, again, err = call("translate", "--quiet", *arguments)
    assert (again, "warning" in err) == (out, False)


def test_a_sentence_that_is_the_name_of_a_file_causes_a_warning(call, small_run, tmp_path):
    name, warning = str(tmp_path / "ba.txt"), "is translated as a sentence; to translate the file"
    arguments = "translate", "--checkpoint", small_run, name
    assert warning not in call(*arguments)[2]
    (tmp_path / "ba.txt").write_text("ba")
    _, out, err = call(*arguments)
    assert (f"warning: {name!r} {warning}, give --input" in err, out.count("\n")) == (True, 1)
    assert warning not in call(*arguments, "--quiet")[2]


def test_each_line_can_have_its_own_warning_in_files(call, small_run, tmp_path):
    arguments = ("--checkpoint", small_run, "--output", tmp_path / "out", "猫 ba", "犬 ba")
    assert "warning: 2 of 2 lines may be wrong" in call("translate", *arguments)[2]
    err = call("translate", "--warn-each-line", *arguments)[2]
    assert re.findall(r"warning: line (\d) may be wrong: confidence", err) == ["1", "2"]


def test_translations_that_are_cut_off_are_counted(call, small_run):
    flags = ["--checkpoint", small_run, "--search", "greedy", "--max-length", "2"]
    status, out, err = call("translate", *flags, "ba lo ki", "", "de fi")
    assert (status, out.count("\n")) == (0, 3)
    length = "at the maximum length (lines 1, 3)"
    warning = f"warning: the translation of 2 of 3 lines is cut off {length}\n"
    assert warning in err
    assert call("translate", *flags, "--quiet", "ba lo ki")[2] == ""


def test_n_best_is_the_number_of_samples(call, small_run):
    flags = "--search", "sampling", "--seed", "3", "--n-best", "5", "--scores"
    samples = translated(call, small_run, *flags, "ba lo ki", "de")
    assert [line.split("\t")[0] for line in samples] == [*"11111", *"22222"]
    scores = [float(line.split("\t")[1]) for line in samples[:5]]
    assert scores == sorted(scores, reverse=True)
    assert len({line.split("\t")[2] for line in samples}) > 2
    assert translated(call, small_run, *flags, "ba lo ki", "de") == samples


def test_a_shortlist_limits_the_subwords_of_translations(
    call, small_run, translator, tmp_path, monkeypatch
):
    """Here it has all ids but the first one of the greedy translation."""
    [[best]] = translator.translate(["ba lo ki"], SearchSettings("greedy"))
    others = np.delete(np.arange(translator.target_subwords.size), best.ids[0])
    monkeypatch.setattr(Shortlist, "ids", lambda *_: others.astype(np.int32))
    [short] = translated(call, small_run, "--search", "greedy", "--shortlist", "ba lo ki")
    assert short not in ("", best.text)
    pairs, output = tmp_path / "pairs.tsv", tmp_path / "output.txt"
    pairs.write_text("ba lo ki\tx\n", encoding="utf-8")
    flags = "--search", "greedy", "--shortlist", "--test", pairs, "--output", output
    assert call("evaluate", "--checkpoint", small_run, *flags)[0] == 0
    assert output.read_text(encoding="utf-8").splitlines() == [short]


def test_a_very_low_temperature_samples_the_greedy_translation(call, small_run):
    cold = "--search", "sampling", "--temperature", "1e-4"
    greedy = translated(call, small_run, "--search", "greedy", "ba lo ki")
    assert translated(call, small_run, *cold, "ba lo ki") == greedy
    assert translated(call, small_run, "--beam-size", "1", "--no-rerank", "ba lo ki") == greedy


def test_a_sentence_in_capitals_is_plotted_as_it_was_translated(call, small_run, tmp_path):
    picture = tmp_path / "plot.svg"
    translated(call, small_run, "--search", "greedy", "--plot", picture, "BA LO KI")
    assert "<!-- Ba lo ki -->" in picture.read_text(encoding="utf-8")


def test_a_note_names_the_translation_of_the_picture(call, small_run, tmp_path):
    """The value is missing from the network's own translation."""
    sentence, plot = "ba lo 4,711 ki", ["--plot", tmp_path / "plot.svg"]
    run = ["--checkpoint", small_run, sentence]
    _, printed, _ = call("translate", *run)
    _, own, _ = call("translate", *run, "--no-corrections")
    assert "4.711" in printed
    assert own != printed
    _, out, err = call("translate", *run, *plot)
    assert out == printed
    note = "note: the picture shows the network's own translation, without corrections: "
    assert f"{note}{own}" in err
    comments = re.findall("<!-- (.*?) -->", plot[1].read_text(encoding="utf-8"))
    assert f"→ {own.strip()}" in " ".join(comments)
    for flag in ("--no-corrections", "--quiet"):
        assert "note:" not in call("translate", *run, *plot, flag)[2]


def test_a_sample_can_be_plotted(call, small_run, tmp_path):
    flags = "--search", "sampling", "--seed", "3"
    [sample] = translated(call, small_run, *flags, "ba lo")
    plot = tmp_path / "plot.png"
    assert translated(call, small_run, *flags, "--plot", plot, "ba lo") == [sample]
    assert plot.read_bytes().startswith(b"\x89PNG")

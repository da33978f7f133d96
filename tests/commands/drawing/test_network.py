"""`draw network`: a diagram of the network, or a table of its tensors for a sentence."""

import json

import pytest
from matplotlib.image import imread

from keras_transformer.recipes import path


def draw(call, *arguments):
    return call("draw", "network", *arguments)


def test_the_diagram_of_a_run_is_drawn_with_and_without_a_sentence(call, small_run, tmp_path):
    heights = []
    for sentence in ([], ["ba be lo"]):
        file = tmp_path / "network.png"
        status, out, err = draw(call, *sentence, "--checkpoint", small_run, "--output", file)
        assert (status, out, err) == (0, "", f"wrote {file}\n")
        heights.append(imread(file).shape[0])
    assert heights[0] < heights[1], "a sentence adds its subwords"


def test_the_walk_is_printed_without_a_picture(call, small_run, translator):
    status, out, err = draw(call, "--walk", "ba be lo", "--checkpoint", small_run)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["source", "  characters  ba be lo"]
    assert len(lines[lines.index("most probable next subwords") :]) == 11
    assert "T = 1 (target ids)" in out


@pytest.mark.parametrize("flags", [["--walk"], []])
def test_a_sentence_in_capitals_is_read_as_it_is_translated(call, small_run, tmp_path, flags):
    outputs = []
    for sentence in ("BA BE LO", "Ba be lo"):
        file = tmp_path / "network.png"
        status, out, _ = draw(call, *flags, sentence, "--checkpoint", small_run, "-o", file)
        assert status == 0
        outputs.append((out, file.read_bytes()))
    assert outputs[0] == outputs[1]


def test_the_prefix_is_what_the_decoder_has_read(call, small_run, translator, tmp_path):
    file = tmp_path / "network.svg"
    arguments = "--walk", "ba be lo", "--prefix", "ki", "--checkpoint", small_run, "-o", file
    status, out, err = draw(call, *arguments)
    assert (status, err) == (0, f"wrote {file}\n")
    length = len(translator.target_subwords.encode("ki")) - 1
    assert f"T = {length} (target ids)" in out
    assert file.read_bytes().startswith(b"<?xml")


def test_the_network_of_a_recipe_is_drawn_before_training(call, tmp_path):
    file = tmp_path / "network.pdf"
    status, _, err = draw(call, "--config", "multi30k", "--output", file)
    assert (status, err) == (0, f"wrote {file}\n")
    assert file.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give --output, or --walk for a table"),
        (["ba"], "give --output, or --walk for a table"),
        (["--walk"], "--walk needs a sentence"),
        (["--prefix", "ki", "--output", "x.png"], "--prefix needs a sentence"),
        ([" ", "--walk"], "the sentence is empty"),
        (["ba", "--output", "x.docx"], "x.docx: cannot be written: the name must end in"),
        (["ba", "--output", "no/x.png"], "no does not exist"),
        (["--config", "none", "--output", "x.png"], "--config none: no such file or recipe"),
        (["ba", "--config", "multi30k", "--output", "x.png"], "which cannot read a sentence"),
        (
            ["--config", "multi30k", "--checkpoint", "d", "--output", "x.png"],
            "give --config or --checkpoint, not both",
        ),
        (["--checkpoint", "nowhere", "--output", "x.png"], "nowhere: no run here"),
        (["ba", "be", "--walk"], "unrecognized arguments: be"),
    ],
)
def test_invalid_arguments_are_errors(error_of, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in error_of("draw", "network", *arguments)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["sentence", "prefix"])
def test_texts_that_are_too_long_are_errors_and_leave_no_file(error_of, small_run, tmp_path, text):
    long, file = "ba " * 100, tmp_path / "x.png"
    given = [long] if text == "sentence" else ["ba", "--prefix", long]
    message = error_of("draw", "network", *given, "--checkpoint", small_run, "--output", file)
    assert f"the {text} is too long: it has " in message
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": {"num_heads": 7}}, "d_model 128 is not divisible by num_heads 7"),
        ({"model": {"depth": 1}}, "depth"),
        ({"model": {"d_model": 16384, "num_layers": 256}}, "the limit is 1,073,741,824"),
    ],
)
def test_invalid_settings_files_are_errors_that_name_the_file(
    error_of, tmp_path, settings, message
):
    file = tmp_path / "settings.json"
    file.write_text(json.dumps(settings))
    found = error_of("draw", "network", "--config", file, "--output", tmp_path / "x.png")
    assert found.startswith(f"error: {file}: ")
    assert message in found
    assert list(tmp_path.iterdir()) == [file]


def test_a_copy_of_a_recipe_is_a_settings_file(call, tmp_path):
    with path("multi30k") as recipe:
        settings = json.loads(recipe.read_text(encoding="utf-8"))
    settings["model"] |= {"num_layers": 1, "d_model": 8, "num_heads": 2, "dff": 8}
    file, picture = tmp_path / "settings.json", tmp_path / "x.svg"
    file.write_text(json.dumps(settings))
    assert draw(call, "--config", file, "-o", picture)[0] == 0

"""The command `draw subwords`."""

import re

import pytest

from keras_transformer.text.subwords import Subwords


@pytest.fixture(scope="module")
def subwords(small_run):
    return Subwords.load(small_run / "source.model", "en")


def test_each_line_is_a_merge_and_the_last_ones_are_the_subwords(call, small_run, subwords):
    status, out, err = call("draw", "subwords", "balo kina", "--checkpoint", small_run)
    assert (status, err) == (0, "")
    words = [part.splitlines() for part in out.rstrip("\n").split("\n\n")]
    assert len(words) == 2
    for lines, word in zip(words, ["balo", "kina"], strict=True):
        first, *merges, pieces, ids = lines
        assert first.split() == ["characters", "␣", *word]
        before = first.split()[1:]
        for line in merges:
            _, rank, state = line.split(maxsplit=2)
            [pair] = re.findall(r"\[(.*)\]", state)
            assert state.replace("[", "").replace("]", "").split() == before
            before = state.replace(f"[{pair}]", pair.replace(" ", "")).split()
            assert int(rank) > 0
        assert pieces.split() == ["subwords", *before]
        wanted = subwords.encode(word)[1:-1]
        assert ids.split() == ["ids", *map(str, wanted)]
        assert before == [label.replace("▁", "␣") for label in subwords.labels(wanted)]


def test_the_two_sides_have_different_subwords(call, tmp_path, small_run):
    """The small run's own models are equal, so here the target's is another."""
    copy = tmp_path / "run"
    copy.mkdir()
    for name in ("config.json", "source.model"):
        (copy / name).write_bytes((small_run / name).read_bytes())
    from keras_transformer.text.subword_training import train_subwords

    train_subwords(["balo kina", "balo"] * 30 + ["bdfgmaeioul"], 40, copy / "target.model")
    outputs = [
        call("draw", "subwords", "balo", "--checkpoint", copy, "--side", side)[1]
        for side in ("source", "target")
    ]
    assert outputs[0] != outputs[1]
    assert "subwords    ␣balo\n" in outputs[1]


@pytest.mark.parametrize(("kind", "begin"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_the_picture_is_written_to_a_file(call, tmp_path, small_run, kind, begin):
    path = tmp_path / f"x.{kind}"
    arguments = "subwords", "ba lo 漢", "--checkpoint", small_run, "--output", path
    status, out, err = call("draw", *arguments)
    assert (status, err) == (0, f"wrote {path}\n")
    assert out.count("characters") == 3
    assert path.read_bytes().startswith(begin)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: TEXT"),
        ([" \t"], "the text contains nothing but white space"),
        ([""], "the text contains nothing but white space"),
        (["a" * 1001], "the text has 1,001 characters; the limit is 1,000"),
        (["ba", "--output", "x.bmp"], "x.bmp: cannot be written: the name must end in"),
        (["ba", "--output", "no/x.png"], "no does not exist"),
        (["ba", "--side", "left"], "argument --side: invalid choice: 'left'"),
        (["ba", "--checkpoint", "nowhere"], "nowhere: no run here"),
    ],
)
def test_invalid_input_is_one_line(error_of, tmp_path, monkeypatch, small_run, arguments, message):
    monkeypatch.chdir(tmp_path)
    given = [] if "--checkpoint" in arguments else ["--checkpoint", small_run]
    assert message in error_of("draw", "subwords", *arguments, *given)
    assert not list(tmp_path.iterdir())

"""Text that the kinds of `draw` print: tables of wide characters, and their encoding."""

import io
import shutil

import pytest

from keras_transformer.commands.drawing import embeddings
from keras_transformer.commands.entry_point import run
from keras_transformer.inspection.embeddings.vectors import Neighbor
from tests.programs import load_script


def test_wide_words_are_aligned_in_the_table_of_neighbors():
    """Each Chinese character occupies two columns."""
    neighbors = [Neighbor(0, "東京都", 0.5), Neighbor(1, "猫", 0.25), Neighbor(2, "ab", -0.125)]
    assert embeddings.table(neighbors).splitlines() == [
        "word    cosine",
        "東京都   0.500",
        "猫       0.250",
        "ab      -0.125",
    ]


def test_short_words_are_below_their_title():
    assert embeddings.table([Neighbor(0, "a", 1)]) == "word  cosine\na      1.000"


@pytest.fixture
def wide_run(small_run, tmp_path):
    """A copy of the small run with a wide name."""
    return shutil.copytree(small_run, tmp_path / "東京")


def test_wide_names_are_aligned_in_the_table_of_runs(call, wide_run, small_run, tmp_path):
    path = tmp_path / "x.png"
    _, out, _ = call("draw", "history", wide_run, small_run, "--output", path)
    header, wide, narrow = out.splitlines()
    assert [header[:4], wide[:2], narrow[:4]] == ["run ", "東京", "run "]
    assert len(header) == len(narrow) == len(wide) + 2


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["subwords", "ba", "--checkpoint", "RUN"], "characters  ␣ b a"),
        (["embeddings", "--neighbors", "bo", "--checkpoint", "RUN"], "␣猫"),
        (["history", "RUN", "--output", "x.png"], "東京 "),
    ],
    ids=["subwords", "embeddings", "history"],
)
def test_text_is_printed_as_utf_8(wide_run, tmp_path, monkeypatch, arguments, printed):
    """As translations are, also where standard output has another encoding."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(embeddings, "table", lambda _: "␣猫")
    content = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(content, encoding="ascii"))
    given = [str(wide_run) if each == "RUN" else each for each in arguments]
    with pytest.raises(SystemExit) as end:
        run(lambda: load_script("draw").main(given))
    assert not end.value.code
    assert printed in content.getvalue().decode("utf-8")

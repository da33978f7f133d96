"""The command `draw embeddings`."""

import sys

import numpy as np
import pytest

from keras_transformer.commands.drawing.embeddings import make_parser, parse_sum
from keras_transformer.errors import UserError
from keras_transformer.inspection.embeddings import vectors
from keras_transformer.inspection.embeddings.vectors import Embeddings, Term


@pytest.fixture(scope="module")
def embeddings(small_run):
    return Embeddings.load(small_run, "source")


def rows_of(out):
    head, *rows = out.splitlines()
    assert head.split() == ["word", "cosine"]
    return [(word, float(cosine)) for word, cosine in map(str.split, rows)]


def test_neighbors_are_printed_as_a_table(call, small_run, embeddings):
    status, out, err = call(
        "draw", "embeddings", "--neighbors", "bo", "--top", "4", "--checkpoint", small_run
    )
    assert (status, err) == (0, "")
    nearest = embeddings.nearest([Term("bo")], 4)
    assert rows_of(out) == [(each.label, round(each.cosine, 3)) for each in nearest]


@pytest.mark.parametrize(
    "given", [["bo", "-", "lu", "+", "la"], ["bo - lu + la"], ["bo -", "lu + la"]]
)
def test_sums_may_be_quoted(call, small_run, embeddings, given):
    arguments = "--analogy", *given, "--checkpoint", small_run
    status, out, err = call("draw", "embeddings", *arguments)
    assert (status, err) == (0, "")
    nearest = embeddings.nearest([Term("bo"), Term("lu", -1), Term("la")], 10)
    assert rows_of(out) == [(each.label, round(each.cosine, 3)) for each in nearest]


def test_words_of_several_subwords_are_reported(call, small_run):
    arguments = "--neighbors", "lo", "--checkpoint", small_run
    status, _, err = call("draw", "embeddings", *arguments)
    assert (status, err) == (0, "lo is 2 subwords, l -o: their mean is used\n")


@pytest.mark.parametrize("method", [("pca",), ("tsne", "--seed", 3)], ids=["pca", "tsne"])
def test_the_map_and_the_export_are_written(call, tmp_path, small_run, method):
    path, folder = tmp_path / "map.png", tmp_path / "projector"
    embeddings = Embeddings.load(small_run, "target")
    status, out, err = call(
        *("draw", "embeddings", "--checkpoint", small_run, "--side", "target"),
        *("--output", path, "--method", *method, "--count", 9),
        *("--projector", folder, "--neighbors", "bo", "--top", 2),
    )
    assert status == 0
    nearest = embeddings.nearest([Term("bo")], 2)
    assert rows_of(out) == [(each.label, round(each.cosine, 3)) for each in nearest]
    assert err == f"wrote {folder}\nwrote {path}\n"
    assert path.read_bytes().startswith(b"\x89PNG")
    assert len(list(folder.iterdir())) == 3
    vectors = np.loadtxt(folder / "vectors.tsv", np.float32, delimiter="\t")
    np.testing.assert_array_equal(vectors, embeddings.vectors)


def test_a_run_with_fewer_subwords_than_the_defaults_shows_all(
    call, tmp_path, small_run, monkeypatch
):
    """The small run has fewer than 200 subwords that are frequent enough."""
    monkeypatch.setattr(vectors, "NEIGHBORS", 1000)
    path = tmp_path / "map.png"
    arguments = "--output", path, "--neighbors", "bo", "--checkpoint", small_run
    status, out, err = call("draw", "embeddings", *arguments)
    assert (status, err.splitlines()[0]) == (0, f"wrote {path}")
    all_of_them = Embeddings.load(small_run, "source").labels
    assert 3 < len(all_of_them) < 200
    assert sorted([*(word for word, _ in rows_of(out)), "bo"]) == sorted(all_of_them)


@pytest.mark.parametrize(
    ("words", "signs"),
    [(["a"], [1]), (["king", "man", "woman"], [1, -1, 1]), (["well-known", "a+b"], [1, 1])],
)
def test_sums_are_read(words, signs):
    parts = [words[0]]
    for word, sign in zip(words[1:], signs[1:], strict=True):
        parts += ["+" if sign > 0 else "-", word]
    wanted = [Term(word, sign) for word, sign in zip(words, signs, strict=True)]
    assert parse_sum(parts) == parse_sum([" ".join(parts)]) == wanted
    assert make_parser().parse_args(["--analogy", *parts]).analogy == parts


@pytest.mark.parametrize("text", ["", " ", "-", "a b", "a - - b", "a +", "+ a", "a b c", "- a + b"])
def test_invalid_sums_are_errors(text):
    with pytest.raises(UserError, match="--analogy .*such as king - man [+] woman"):
        parse_sum([text])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to do: give --output, --neighbors, --analogy or --projector"),
        (["--neighbors", "☃"], "'☃' contains characters that the vocabulary lacks"),
        (["--neighbors", ""], "'' is not a word"),
        (["--neighbors", "balo"], "the embedding of 'balo' is not trained"),
        (["--neighbors", "bo", "--top", "0"], "--top must be at least 1"),
        (["--neighbors", "bo", "--top", "99"], "training sentences: give a smaller --top"),
        (["--neighbors", "bo", "--count", "9"], "--count needs --output"),
        (["--neighbors", "bo", "--method", "pca"], "--method needs --output"),
        (["--neighbors", "bo", "--analogy", "a"], "not allowed with argument"),
        (["--analogy", "bo", "-", "bo"], "their sum is zero"),
        (["--analogy", "bo", "lu"], "--analogy bo lu: give words with + or - between them"),
        (["--analogy"], "--analogy: expected at least one argument"),
        (["--output", "x.png", "--count", "0"], "--count must be at least 1"),
        (["--output", "x.png", "--count", "2"], "a map needs at least 3 subwords, not 2"),
        (["--output", "x.png", "--count", "999"], "training sentences: give a smaller --count"),
        (["--output", "x.png", "--top", "3"], "--top needs --neighbors or --analogy"),
        (["--output", "x.png", "--seed", "3"], "--seed needs --method tsne"),
        (
            ["--output", "x.png", "--method", "tsne", "--seed", "-1"],
            "--seed must be between 0 and 4,294,967,295",
        ),
        (["--output", "x.png", "--method", "umap"], "argument --method: invalid choice: 'umap'"),
        (["--output", "x.bmp"], "x.bmp: cannot be written: the name must end in"),
        (["--output", "no/x.png"], "no does not exist"),
        (["--output", "file/x.png"], "file is not a directory"),
        (["--projector", "file/x"], "file is not a directory"),
        (["--output", "x.png", "--checkpoint", "nowhere"], "nowhere: no run here"),
    ],
)
def test_invalid_input_is_one_line(error_of, tmp_path, monkeypatch, small_run, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    given = [] if "--checkpoint" in arguments else ["--checkpoint", small_run]
    assert message in error_of("draw", "embeddings", *arguments, *given)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_t_sne_without_scikit_learn_is_an_error(error_of, tmp_path, monkeypatch, small_run):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    path = tmp_path / "x.png"
    arguments = "--output", path, "--method", "tsne", "--checkpoint", small_run
    message = 't-SNE needs scikit-learn: install the extra "examples", in a clone by pip install -e'
    assert message in error_of("draw", "embeddings", *arguments)
    assert not path.exists()

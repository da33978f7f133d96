"""What the benchmark scripts score, and what they count as a failure."""

import signal
from types import SimpleNamespace

import pytest

from keras_transformer.errors import UserError
from tests.programs import HOME, load_script


@pytest.fixture
def script(monkeypatch):
    """Return a function that loads a script, which may import the scripts beside it."""

    def script(name):
        monkeypatch.syspath_prepend((HOME / "benchmarks" / name).parent)
        return load_script(f"benchmarks/{name}")

    return script


@pytest.mark.parametrize(
    ("answers", "wrong", "memory", "status"),
    [
        ([5, 9, 12, 15, 20], 0, [100] * 5, 0),
        ([5, 9, 12, 15, 20], 1, [100] * 5, 1),
        ([5, 9, 12, 15, 20], 0, [100, 100, 101, 102, 103], 1),
        ([0] * 5, 0, [100] * 5, 1),
        ([5, 9, 9, 15, 20], 0, [100] * 5, 1),
        ([5, 9, 12, 15, 15], 0, [100] * 5, 1),
        ([0], 0, [100], 1),
        ([1], 0, [100], 0),
    ],
)
def test_a_soak_test_fails_if_clients_hang(script, answers, wrong, memory, status):
    soak = script("soak")
    rows = [soak.Row(*row) for row in zip(answers, [wrong] * len(answers), memory, strict=True)]
    assert soak.verdict(rows) == status


def install(directory, name):
    """Write the metadata of a package."""
    info = directory / f"{name.replace('-', '_')}-2.20.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.20.0\n")


@pytest.mark.parametrize(
    ("installed", "missing"),
    [([], "tensorflow"), (["tensorflow-cpu"], "tensorflow-text")],
)
def test_a_missing_package_of_another_release_is_one_line(
    script, tmp_path, monkeypatch, installed, missing
):
    for name in installed:
        install(tmp_path, name)
        (tmp_path / "tensorflow").mkdir()
    monkeypatch.setattr("sys.argv", ["serving_operations.py", str(tmp_path)])
    operations = script("serving_operations")
    monkeypatch.delattr(operations, "ProcessPoolExecutor")  # not needed before the error
    with pytest.raises(UserError, match=f"^{tmp_path}: no {missing} here$"):
        operations.main()


TAKEN = "error: toy already exists: give another --output\n"


@pytest.mark.parametrize(
    ("kind", "earlier", "is_early", "status", "stderr", "is_expected"),
    [
        ("Exporting", 0, True, 143, "terminated", True),
        ("Exporting", 0, False, 143, "terminated", True),
        ("Exporting", 0, False, 0, "", True),
        ("Exporting", 0, True, 0, "", False),
        ("Exporting", 0, True, 130, "interrupted", False),
        ("Exporting", 1, True, 2, TAKEN, False),
        ("ExportingForCTranslate2", 1, True, 2, TAKEN, True),
        ("ExportingForCTranslate2", 1, True, 2, "error: other", False),
        ("ExportingForCTranslate2", 0, True, 2, TAKEN, False),
        ("ExportingForCTranslate2", 0, True, 0, "", False),
    ],
)
def test_a_terminated_export_may_succeed_only_if_it_was_visible(
    script, tmp_path, kind, earlier, is_early, status, stderr, is_expected
):
    kill_exports = script("robustness/kill_exports")
    case = getattr(kill_exports, kind)(tmp_path, seed=0)
    child = SimpleNamespace(signal=signal.SIGTERM, earlier=["toy"] * earlier, is_early=is_early)
    finished = kill_exports.Finished(status, "", stderr, 0.0, 0)
    assert case.is_expected(child, finished) == is_expected


@pytest.mark.parametrize("is_visible", [False, True])
def test_exports_are_counted_when_the_signal_is_sent(script, tmp_path, monkeypatch, is_visible):
    kill_exports = script("robustness/kill_exports")
    monkeypatch.setattr("os.fork", lambda: 1)
    monkeypatch.setattr("os.kill", lambda *_: exports.append("after the signal"))
    monkeypatch.setattr("os.wait4", lambda *_: (1, 0, SimpleNamespace(ru_maxrss=0)))
    exports = ["of an earlier export"]
    home = tmp_path / "home"
    child = kill_exports.SignaledChild([], home, signal.SIGTERM, lambda: list(exports))
    exports += ["before the signal"] * is_visible
    child.kill()
    assert child.is_early != is_visible


def test_sentences_of_users_have_two_references(script):
    by_length = script("by_length")
    sentences = by_length.read_sentences(by_length.SENTENCES)
    assert len({by_length.plain(source) for source, _ in sentences}) == len(sentences)
    for source, references in sentences:
        assert len(references) == 2
        assert {text[-1] for text in (source, *references)} in ({"."}, {"?"}, {"!"}), source


def test_sentences_of_users_are_scored_by_length(script, tmp_path, monkeypatch, capsys):
    """A translation that equals a reference has the full score, and half of one a lower score."""
    by_length = script("by_length")
    sentences = by_length.read_sentences(by_length.SENTENCES)
    found = [
        references[1] if source.count(" ") < 9 else references[1][: len(references[1]) // 2]
        for source, references in sentences
    ]
    path = tmp_path / "found.txt"
    path.write_text("\n".join(found) + "\n", encoding="utf-8")
    monkeypatch.setattr(by_length.phrasebook, "pairs", lambda split: [("HELLO, how are you", "")])
    monkeypatch.setattr("sys.argv", ["by_length.py", "--translations", str(path)])
    by_length.main()
    rows = [line.rsplit(maxsplit=3) for line in capsys.readouterr().out.splitlines()[2:]]
    assert [row[0] for row in rows] == ["up to 5 words", "6 to 9", "10 and more", "all"]
    assert [row[2:] for row in rows[:2]] == [["100.0", "100.0"]] * 2
    assert all(float(score) < 90 for score in rows[2][2:])
    assert sum(int(row[1]) for row in rows[:3]) == int(rows[3][1]) == len(sentences)

"""The notebooks of the manual: each runs without a warning, and is committed without outputs."""

import os

import matplotlib.font_manager  # noqa: F401 (its first import reports that it makes a cache)
import nbformat
import pytest
from nbclient import NotebookClient

from tests.programs import HOME

NOTEBOOKS = sorted((HOME / "docs" / "notebooks").glob("*.ipynb"))
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
SECONDS = 600  # for a cell; only against one that never ends
MESSAGES = "WARNING", "INFO:", "oneDNN", "cuda", "absl"  # of TensorFlow


@pytest.fixture
def kernel_environment(small_run, monkeypatch):
    """The environment of a new process that imports this package and finds the small run."""
    path = os.pathsep.join([str(HOME), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path.rstrip(os.pathsep))
    monkeypatch.setenv("KERAS_TRANSFORMER_RUN", str(small_run))


def outputs_of(name, directory):
    """Run a notebook in a new process, in a directory, and return the outputs of all its cells."""
    notebook = nbformat.read(HOME / "docs" / "notebooks" / name, as_version=4)
    resources = {"metadata": {"path": str(directory)}}
    # With the variables of pytest, a kernel does not capture the messages of native code. Importing
    # TensorFlow in the tests sets others, which hide messages.
    hidden = "PYTEST_", "TF_"
    environment = {k: v for k, v in os.environ.items() if not k.startswith(hidden)}
    client = NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources=resources)
    client.execute(env=environment)
    return [each for cell in notebook.cells for each in cell.get("outputs", [])]


def printed(outputs, stream="stdout"):
    return "".join(each.text for each in outputs if each.get("name") == stream)


def displayed(outputs, kind):
    return [each.data[kind] for each in outputs if kind in each.get("data", {})]


def check_no_messages(outputs):
    assert printed(outputs, "stderr") == ""
    assert [word for word in MESSAGES if word in printed(outputs)] == []


@pytest.mark.usefixtures("kernel_environment")
def test_the_notebook_about_a_trained_network_shows_pictures_and_a_summary(tmp_path):
    outputs = outputs_of("from_bpe_to_heat_maps.ipynb", tmp_path)
    check_no_messages(outputs)
    # the positional encoding, and the heat maps of three kinds of attention
    assert len(displayed(outputs, "image/png")) == 4
    assert "True" in displayed(outputs, "text/plain")  # the embedding, computed in two ways
    assert any("Layer (type)" in text for text in displayed(outputs, "text/plain"))


@pytest.mark.usefixtures("kernel_environment")
def test_the_notebook_about_training_exports_a_translator(tmp_path):
    outputs = outputs_of("train_on_your_own_pairs.ipynb", tmp_path)
    check_no_messages(outputs)
    assert "Paul is flying to Vienna tomorrow.\n" in printed(outputs)
    [translation] = displayed(outputs, "text/html")
    assert "Paul fliegt morgen nach Wien." in translation
    assert printed(outputs).endswith("\nPaul fliegt morgen nach Wien.\n")  # by the export


def test_there_are_two_notebooks():
    assert [path.stem for path in NOTEBOOKS] == ["from_bpe_to_heat_maps", "train_on_your_own_pairs"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_without_outputs_and_metadata(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata == METADATA
    for cell in notebook.cells:
        assert cell.metadata == {}
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
    assert path.read_text(encoding="utf-8") == nbformat.writes(notebook) + "\n"

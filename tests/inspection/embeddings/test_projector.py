"""Exports for the Embedding Projector, which TensorBoard itself reads here."""

import csv
import dataclasses
import io

import numpy as np
import pytest
from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
from tensorboard.plugins import base_plugin
from tensorboard.plugins.projector.projector_plugin import ProjectorPlugin
from werkzeug.test import Client
from werkzeug.wrappers import Request

from keras_transformer.errors import UserError
from keras_transformer.inspection.embeddings.projector import (
    check_directory,
    export_projector,
    metadata_tsv,
    vectors_tsv,
)
from keras_transformer.inspection.embeddings.vectors import Embeddings
from tests.limits import limited_files


@pytest.fixture(scope="module")
def embeddings(small_run):
    return Embeddings.load(small_run, "source")


def read(text):
    return list(csv.reader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def test_the_files_contain_the_embeddings_exactly(embeddings, tmp_path):
    export_projector(embeddings, tmp_path / "a" / "b")
    names = ["metadata.tsv", "projector_config.pbtxt", "vectors.tsv"]
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == names
    vectors = np.loadtxt(tmp_path / "a" / "b" / "vectors.tsv", np.float32, delimiter="\t", ndmin=2)
    np.testing.assert_array_equal(vectors, embeddings.vectors)
    header, *rows = read((tmp_path / "a" / "b" / "metadata.tsv").read_text("utf-8"))
    assert header == ["subword", "kind", "occurrences"]
    columns = embeddings.labels, embeddings.kinds, map(str, embeddings.occurrences)
    assert rows == [list(row) for row in zip(*columns, strict=True)]


def test_tabs_and_line_breaks_in_labels_do_not_split_lines(embeddings):
    changed = dataclasses.replace(embeddings)
    changed.__dict__["labels"] = ["a\tb", "a\nb", "c\r\u2028d", *embeddings.labels[3:]]
    text = metadata_tsv(changed)
    assert text.count("\n") == len(embeddings) + 1
    assert len(text.splitlines()) == len(embeddings) + 1
    rows = read(text)
    assert [row[0] for row in rows[1:4]] == ["a b", "a b", "c  d"]
    assert {len(row) for row in rows} == {3}


def test_tensorboard_loads_the_export(embeddings, tmp_path):
    """`tensorboard --logdir DIR` uses this plugin."""
    export_projector(embeddings, tmp_path, "source embeddings")
    multiplexer = plugin_event_multiplexer.EventMultiplexer()
    multiplexer.AddRunsFromDirectory(str(tmp_path))
    multiplexer.Reload()
    provider = data_provider.MultiplexerDataProvider(multiplexer, str(tmp_path))
    context = base_plugin.TBContext(
        logdir=str(tmp_path), multiplexer=multiplexer, data_provider=provider
    )
    routes = ProjectorPlugin(context).get_plugin_apps()

    def get(route, **query):
        @Request.application
        def respond(request):
            return lambda environ, start: routes[route](environ, start)

        answer = Client(respond).get(route, query_string=query)
        assert answer.status_code == 200, answer.data
        return answer

    [run] = get("/runs").json
    [tensor] = get("/info", run=run).json["embeddings"]
    assert tensor["tensorName"] == "source embeddings"
    assert tensor["tensorShape"] == list(embeddings.vectors.shape)
    name = {"run": run, "name": tensor["tensorName"]}
    content = get("/tensor", **name).data
    loaded = np.frombuffer(content, np.float32).reshape(embeddings.vectors.shape)
    np.testing.assert_array_equal(loaded, embeddings.vectors)
    assert get("/metadata", **name).data.decode("utf-8") == metadata_tsv(embeddings)


def test_an_earlier_export_is_replaced_atomically(embeddings, tmp_path):
    (tmp_path / "vectors.tsv").write_text("old")
    with limited_files(100), pytest.raises(UserError, match="vectors.tsv: cannot be written"):
        export_projector(embeddings, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["vectors.tsv"]
    assert (tmp_path / "vectors.tsv").read_text() == "old"
    export_projector(embeddings, tmp_path)
    assert (tmp_path / "vectors.tsv").read_text() == vectors_tsv(embeddings)


def test_replaced_files_of_an_export_keep_their_permissions_and_links(embeddings, tmp_path):
    path, folder = tmp_path / "elsewhere.tsv", tmp_path / "projector"
    folder.mkdir()
    path.write_text("old")
    path.chmod(0o600)
    (folder / "vectors.tsv").symlink_to(path)
    export_projector(embeddings, folder)
    assert (folder / "vectors.tsv").is_symlink()
    assert path.read_text() == vectors_tsv(embeddings)
    assert path.stat().st_mode & 0o777 == 0o600


def test_directories_that_cannot_be_created_are_errors(tmp_path):
    (tmp_path / "file").write_text("")
    check_directory(tmp_path / "new" / "directory")
    for path in (tmp_path / "file", tmp_path / "file" / "directory"):
        with pytest.raises(UserError, match="cannot be written: .*file is not a directory"):
            check_directory(path)

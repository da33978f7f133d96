"""The export command: what it writes, what it proves, what it leaves behind."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.protobuf import saved_model_pb2
from tensorflow_serving.apis import prediction_log_pb2
from tensorflow_serving.config import model_server_config_pb2

from keras_transformer.commands import export as command
from keras_transformer.commands.command_line import run
from keras_transformer.errors import CheckError, UserError
from keras_transformer.export import samples
from keras_transformer.export import saved_model as export_module
from keras_transformer.export.saved_model import Options, export
from keras_transformer.export.server_files import docker_command, write_configuration
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.subwords import Subwords, train_subwords
from keras_transformer.translation.compiled import buckets_up_to
from keras_transformer.translation.translator import Translator
from tests.programs import HOME

# Registered in Python's TensorFlow, but run by Python or by a test.
NOT_IN_A_SERVER = {"PyFunc", "PyFuncStateless", "EagerPyFunc", "NumpyFunction"}
# Of tensorflow-text's //tensorflow_text:ops_lib, which TensorFlow Serving links
# (tensorflow_serving/model_servers/BUILD, SUPPORTED_TENSORFLOW_OPS), those for SentencePiece.
TEXT_OPS = {
    "SentencepieceOp",
    "SentencepieceTokenizeOp",
    "SentencepieceTokenizeWithOffsetsOp",
    "SentencepieceDetokenizeOp",
    "SentencepieceIdToStringOp",
    "SentencepieceVocabSizeOp",
}


def ops_of(directory):
    """The operations of all graphs and functions of a SavedModel."""
    content = (directory / "saved_model.pb").read_bytes()
    graph = saved_model_pb2.SavedModel.FromString(content).meta_graphs[0].graph_def
    functions = [function.node_def for function in graph.library.function]
    return {node.op for nodes in [graph.node, *functions] for node in nodes}


def must_compile(directory):
    content = (directory / "saved_model.pb").read_bytes()
    library = saved_model_pb2.SavedModel.FromString(content).meta_graphs[0].graph_def.library
    return any(function.attr["_XlaMustCompile"].b for function in library.function)


@pytest.fixture(scope="session")
def core_ops():
    """The operations of TensorFlow alone, as a process without tensorflow-text knows them."""
    program = (
        "import ctypes, tensorflow as tf; from tensorflow.python.framework import c_api_util;"
        "from tensorflow.python.client import pywrap_tf_session as s;"
        "from tensorflow.core.framework import op_def_pb2;"
        "ops = op_def_pb2.OpList(); ops.ParseFromString(s.TF_GetBuffer(s.TF_GetAllOpList()));"
        "print(*(op.name for op in ops.op))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    names = set(done.stdout.decode().split())
    assert "MatMul" in names
    assert not names & TEXT_OPS
    return names - NOT_IN_A_SERVER


def test_ops_are_those_of_a_stock_server(exported, exported_ids, exported_xla, core_ops):
    assert ops_of(exported_ids.directory) <= core_ops
    for report in (exported, exported_xla):
        found = ops_of(report.directory)
        assert found <= core_ops | TEXT_OPS
        assert found & TEXT_OPS


def test_only_the_export_for_xla_must_be_compiled(exported, exported_ids, exported_xla):
    assert must_compile(exported_xla.directory)
    assert not must_compile(exported.directory)
    assert not must_compile(exported_ids.directory)


def test_report(exported):
    assert exported.directory.name == "1"
    files = [path for path in exported.directory.rglob("*") if path.is_file()]
    assert exported.size == sum(len(path.read_bytes()) for path in files)
    assert exported.load_seconds > 0
    assert exported.compared == 2 * (1 + 3 + 64 + 5)


def warmup(directory):
    path = directory / "assets.extra/tf_serving_warmup_requests"
    for record in tf.data.TFRecordDataset(str(path)):
        log = prediction_log_pb2.PredictionLog.FromString(record.numpy())
        assert log.WhichOneof("log_type") == "predict_log"
        yield log.predict_log.request


def test_warmup_requests_are_answered_and_cover_every_bucket(exported, loaded, translator):
    lengths = {}
    for request in warmup(exported.directory):
        assert request.model_spec.name == "toy"
        name = request.model_spec.signature_name
        inputs = {key: tf.make_ndarray(value) for key, value in request.inputs.items()}
        loaded.signatures[name](**{key: tf.constant(value) for key, value in inputs.items()})
        if name == "serving_default":
            [*_, text] = inputs["source"]
            ids = translator.source_subwords.encode(text.decode())
            lengths.setdefault(len(inputs["source"]), []).append(len(ids))
    buckets = [length for length, _ in buckets_up_to(41, 41)]
    assert np.searchsorted(buckets, lengths[1]).tolist() == list(range(len(buckets)))
    assert max(lengths) > 8
    assert {request.model_spec.signature_name for request in warmup(exported.directory)} == set(
        loaded.signatures
    )


def test_configuration(exported):
    home = exported.directory.parent
    config = model_server_config_pb2.ModelServerConfig()
    text_format.Parse((home / "models.config").read_text(), config)
    [model] = config.model_config_list.config
    assert (model.name, model.base_path) == ("toy", "/models/toy")
    assert "max_batch_size { value: 64 }" in (home / "batching_parameters.txt").read_text()


def test_readme_beside_the_versions(exported, translator):
    home = exported.directory.parent
    text = (home / "README.txt").read_text(encoding="utf-8")
    assert "import tensorflow_text" in text
    program = textwrap.dedent("".join(re.findall(r"^(?:    .*)?\n", text, re.MULTILINE)))
    program = program.replace("pip install tensorflow-text\n", "").replace("...", "ba lo ki")
    assert python(program, cwd=home) == translator.translate(["ba lo ki"])[0][0].text + "\n"


def test_configuration_that_was_changed_stays(tmp_path):
    (tmp_path / "batching_parameters.txt").write_text("mine")
    write_configuration(tmp_path, "toy")
    assert (tmp_path / "batching_parameters.txt").read_text() == "mine"
    assert (tmp_path / "models.config").is_file()


def test_docker_command(tmp_path):
    (tmp_path / "it's").mkdir()
    plain, xla = (docker_command(tmp_path / "it's", "toy", xla) for xla in (False, True))
    assert "-e MODEL_NAME=toy" in plain
    assert f"-v '{tmp_path}/it'\\''s:/models/toy'" in plain
    assert "xla" not in plain
    assert "--enable_batching --batching_parameters_file=/models/toy/batching" in plain
    assert xla.endswith("tensorflow/serving --xla_cpu_compilation_enabled")
    assert "batching" not in xla


@pytest.mark.parametrize("name", ["1", "a b", "ü", "-x"])
def test_names_that_cannot_be_in_an_address(tmp_path, small_run, name):
    with pytest.raises(UserError, match="can be the name of a model"):
        export(small_run, tmp_path / name, Options())


@pytest.mark.parametrize("length", [0, 42])
def test_max_length_is_checked(tmp_path, small_run, length):
    with pytest.raises(UserError, match="--max-length must be from 1 to 41"):
        export(small_run, tmp_path / "toy", Options(SearchSettings(max_length=length)))


def test_no_run(tmp_path):
    with pytest.raises(UserError, match="no run here"):
        export(tmp_path / "nothing", tmp_path / "toy", Options())


def test_options_hold(tmp_path, small_run, translator):
    """The second version, greedy, ids alone, and short."""
    (tmp_path / "toy/1").mkdir(parents=True)
    options = Options(SearchSettings(beam_size=1, length_penalty=1.0, max_length=3), ids_only=True)
    report = export(small_run, tmp_path / "toy", options)
    assert report.directory == tmp_path / "toy/2"
    signatures = tf.saved_model.load(str(report.directory)).signatures
    assert set(signatures) == {"ids", "serving_default"}
    source = translator.source_subwords.encode("ba lo ki")
    found = signatures["ids"](source_ids=tf.constant([source]))
    subwords = translator.source_subwords, translator.target_subwords
    short = Translator(translator.model, *subwords, 41, 4)
    [[wanted]] = short.translate(["ba lo ki"], SearchSettings(beam_size=1, length_penalty=1.0))
    assert tuple(i for i in found["target_ids"].numpy()[0] if i) == wanted.ids[1:]
    assert found["target_ids"].shape == (1, 3)
    assert float(found["score"][0]) == pytest.approx(wanted.score, abs=1e-4)


@pytest.mark.parametrize("error", [OSError("disk full"), tf.errors.DataLossError(None, None, "x")])
def test_a_full_disk_leaves_nothing(tmp_path, small_run, monkeypatch, error):
    def save_half(module, path, signatures):
        with open(os.path.join(path, "saved_model.pb"), "wb") as file:
            file.write(b"half")
        raise error

    monkeypatch.setattr(tf.saved_model, "save", save_half)
    with pytest.raises(UserError, match="cannot be written"):
        export(small_run, tmp_path / "toy", Options(ids_only=True))
    assert not list((tmp_path / "toy").iterdir())


def test_an_export_that_differs_is_deleted(tmp_path, small_run, monkeypatch):
    def another(directory, questions):
        counts = [len(inputs["source_ids"]) for _, inputs in questions]
        answers = [{"target_ids": [[5, 41]] * n, "score": [-100.0] * n} for n in counts]
        return {"load_seconds": 1, "answers": answers}

    monkeypatch.setattr(export_module, "ask", another)
    with pytest.raises(CheckError, match="the export differs from its run"):
        export(small_run, tmp_path / "toy", Options(ids_only=True))
    assert not list((tmp_path / "toy").iterdir())


def test_an_export_that_cannot_be_loaded_is_deleted(tmp_path, small_run, monkeypatch):
    save = tf.saved_model.save

    def save_broken(module, path, signatures):
        save(module, path, signatures=signatures)
        with open(os.path.join(path, "saved_model.pb"), "r+b") as file:
            file.truncate(100)

    monkeypatch.setattr(tf.saved_model, "save", save_broken)
    with pytest.raises(CheckError, match="cannot be loaded"):
        export(small_run, tmp_path / "toy", Options(ids_only=True))
    assert not list((tmp_path / "toy").iterdir())


def test_a_killed_export_leaves_no_version(tmp_path, small_run):
    command = [sys.executable, "export.py", "--ids-only", "--checkpoint", str(small_run)]
    output = tmp_path / "toy"
    process = subprocess.Popen([*command, "--output", str(output)], cwd=HOME)
    while process.poll() is None and not list(output.glob(".part-*/saved_model.pb")):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert [path.name[:6] for path in output.iterdir()] == [".part-"]


@pytest.fixture
def run_script(capsys):
    """Runs the command in this process: (status, standard output, standard error)."""

    def run_script(*arguments):
        with pytest.raises(SystemExit) as end:
            run(lambda: command.main([str(argument) for argument in arguments]))
        captured = capsys.readouterr()
        return end.value.code, captured.out, captured.err

    return run_script


def python(program, **options):
    """What a program prints, in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, **options)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def body_of(out):
    """The body of the request that the printed curl command sends, as a shell reads it."""
    command = out[out.index("curl ") : out.index("\n\nTranslate in Python")]
    script = f'curl() {{ printf "%s\\0" "$@"; }}\n{command}'
    done = subprocess.run(["sh", "-c", script], capture_output=True, check=True)
    url, flag, body, _ = done.stdout.decode().split("\0")
    assert (url, flag) == ("http://localhost:8501/v1/models/toy:predict", "-d")
    return json.loads(body)


def test_export_py_ids_only(run_script, small_run, tmp_path, translator):
    output = tmp_path / "serving/toy"
    status, out, err = run_script("--checkpoint", small_run, "--output", output, "--ids-only")
    assert status == 0
    assert f"{output}/1: " in out
    assert "72 translations are the same as those of" in out
    assert "docker run" in out
    assert (output / "1/saved_model.pb").is_file()
    example = (small_run / "examples.txt").read_text(encoding="utf-8").split("\n")[0]
    assert f'Request the translation of "{example}", given as subword ids:' in out
    ids = [translator.source_subwords.encode(example)]
    inputs = {"source_ids": ids}
    assert body_of(out) == {"signature_name": "serving_default", "inputs": inputs}
    program = out.split("without a server:\n\n")[1]
    assert "tensorflow_text" not in program
    [[wanted]] = translator.translate([example])
    assert [i for i in json.loads(python(program)) if i] == list(wanted.ids[1:])
    assert err.splitlines() == [
        f"loading {small_run}",
        f"tracing the search, and writing it to {output}",
        "checking its translations in a new process",
    ]


def test_the_program_in_the_manual_runs(exported, translator, tmp_path):
    page = (HOME / "docs" / "serving.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [program] = (program for program in programs if "saved_model.load" in program)
    assert "keras_transformer" not in program
    (tmp_path / "serving").mkdir()
    (tmp_path / "serving/en-de").symlink_to(exported.directory.parent)
    [[wanted]] = translator.translate(["When does your sister get up?"])
    assert python(program, cwd=tmp_path) == wanted.text + "\n"


def test_without_tensorflow_text_an_export_cannot_be_loaded(exported):
    """As docs/serving.md says; which operation is missed first is another for each export."""
    program = f"import tensorflow as tf; tf.saved_model.load({str(exported.directory)!r})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert "Op type not registered 'Sentencepiece" in done.stderr.decode()


def test_what_export_py_prints_runs(exported, capsys, small_run, translator):
    example = (small_run / "examples.txt").read_text(encoding="utf-8").split("\n")[0]
    arguments = SimpleNamespace(output=exported.directory.parent, xla=False, ids_only=False)
    command.print_instructions(exported, arguments)
    out = capsys.readouterr().out
    assert body_of(out)["inputs"] == {"source": [example]}
    [[wanted]] = translator.translate([example])
    assert python(out.split("without a server:\n\n")[1]) == wanted.text + "\n"


def test_a_run_without_examples_shows_a_made_up_one(small_run, tmp_path, translator):
    run = Run.open(shutil.copytree(small_run, tmp_path / "run"))
    subwords = translator.source_subwords
    (tmp_path / "run" / "examples.txt").unlink()
    assert samples.example(run, subwords) == samples.sentences(subwords, 1)[0]
    run.save_examples(["Ü b c", "d"])
    assert samples.example(run, subwords) == "Ü b c"


def test_bytes_are_no_words(tmp_path, thousand):
    path = tmp_path / "some.model"
    path.write_bytes(thousand)
    subwords = Subwords.load(path, "en")
    made_up = " ".join(samples.sentences(subwords, 64))
    assert set(made_up) <= set("abcdefgh ")


def test_a_language_without_spaces_is_made_up_of_no_bytes(tmp_path):
    draw = random.Random(0)
    lines = ["".join(draw.choices("天地玄黄宇宙洪荒", k=9)) for _ in range(2000)]
    train_subwords(lines, 1000, tmp_path / "some.model")
    subwords = Subwords.load(tmp_path / "some.model", "zh")
    assert "<0x" not in "".join(samples.sentences(subwords, 64))


def test_export_py_ends_with_1_where_the_export_differs(
    run_script, small_run, tmp_path, monkeypatch
):
    def differ(*_):
        raise CheckError("the export differs from its run")

    monkeypatch.setattr(export_module, "compare", differ)
    status, _, err = run_script(
        "--checkpoint", small_run, "--output", tmp_path / "toy", "--ids-only"
    )
    assert status == 1
    assert err.splitlines()[3:] == ["error: the export differs from its run"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--beam-size", "0"], "--beam-size must be at least 1"),
        (["--length-penalty", "nan"], "--length-penalty must be"),
        (["--checkpoint", "no/such/run"], "no run here"),
    ],
)
def test_mistakes_are_told_in_one_line(run_script, tmp_path, flags, message):
    status, out, err = run_script("--output", tmp_path / "toy", *flags)
    assert status == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_made_up_sentences(translator):
    subwords = translator.source_subwords
    texts = samples.sentences(subwords, 64)
    assert texts == samples.sentences(subwords, 64)
    assert len(set(texts)) > 30
    assert all(3 <= len(subwords.encode(text)) <= 41 for text in texts)
    assert len(subwords.encode(samples.sentence_of(subwords, 20))) in range(13, 21)

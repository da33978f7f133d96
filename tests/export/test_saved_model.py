"""The export as a SavedModel: its files, its checks, its errors, and the export command."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.protobuf import saved_model_pb2
from tensorflow_serving.apis import prediction_log_pb2
from tensorflow_serving.config import model_server_config_pb2

from keras_transformer.commands import export as command
from keras_transformer.commands.entry_point import run
from keras_transformer.commands.exporting import savedmodel
from keras_transformer.errors import CheckError, UserError
from keras_transformer.export import samples
from keras_transformer.export import saved_model as export_module
from keras_transformer.export.saved_model import Options, export_saved_model, model_name
from keras_transformer.export.server_files import docker_command, write_configuration
from keras_transformer.export.signatures import IDS
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.subword_training import train_subwords
from keras_transformer.text.subwords import Subwords
from keras_transformer.translation.translator import Translator
from keras_transformer.translation.xla_search import buckets_up_to
from tests.export.conftest import export_unchecked
from tests.programs import HOME


def must_compile(directory):
    """Return whether a SavedModel contains a function that XLA must compile."""
    content = (directory / "saved_model.pb").read_bytes()
    library = saved_model_pb2.SavedModel.FromString(content).meta_graphs[0].graph_def.library
    return any(function.attr["_XlaMustCompile"].b for function in library.function)


def test_only_an_export_for_xla_must_be_compiled(exported, exported_ids, exported_xla):
    assert must_compile(exported_xla.directory)
    assert not must_compile(exported.directory)
    assert not must_compile(exported_ids.directory)


def test_the_report_has_the_size_and_the_number_of_comparisons(exported):
    assert exported.directory.name == "1"
    files = [path for path in exported.directory.rglob("*") if path.is_file()]
    assert exported.size == sum(len(path.read_bytes()) for path in files)
    assert exported.load_seconds > 0
    assert exported.compared == 2 * (1 + 3 + 64 + 5)


def warmup(directory):
    """Yield the warm-up requests of a version."""
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


def test_the_configuration_names_the_model_and_limits_batches(exported):
    home = exported.directory.parent
    config = model_server_config_pb2.ModelServerConfig()
    text_format.Parse((home / "models.config").read_text(), config)
    [model] = config.model_config_list.config
    assert (model.name, model.base_path) == ("toy", "/models/toy")
    assert "max_batch_size { value: 64 }" in (home / "batching_parameters.txt").read_text()


def test_the_program_in_the_readme_beside_the_versions_runs(
    exported, translator, monkeypatch, capsys
):
    home = exported.directory.parent
    text = (home / "README.txt").read_text(encoding="utf-8")
    assert "import tensorflow_text" in text
    program = textwrap.dedent("".join(re.findall(r"^(?:    .*)?\n", text, re.MULTILINE)))
    program = program.replace("pip install tensorflow-text\n", "")
    [source] = re.search(r"constant\(\['(.*)'\]\)", program).groups()
    monkeypatch.chdir(home)
    assert output_of(program, capsys) == translator.translate([source])[0][0].text + "\n"


def test_the_readme_beside_an_export_of_ids_needs_no_tensorflow_text(tmp_path):
    write_configuration(tmp_path, "toy", 7, {"source_ids": [[40, 3, 41]]})
    text = (tmp_path / "README.txt").read_text(encoding="utf-8")
    assert "import tensorflow_text" not in text
    assert "source_ids=tf.constant([[40, 3, 41]])" in text
    assert "load('7')" in text


def test_the_readme_is_that_of_the_newest_version(tmp_path):
    write_configuration(tmp_path, "toy", 1, {"source_ids": [[40, 3, 41]]})
    write_configuration(tmp_path, "toy", 2, {"source": ["ba"]})
    text = (tmp_path / "README.txt").read_text(encoding="utf-8")
    assert "load('2')" in text
    assert "source_ids" not in text


def test_an_edited_configuration_is_not_overwritten(tmp_path):
    (tmp_path / "batching_parameters.txt").write_text("mine")
    write_configuration(tmp_path, "toy", 1, {"source": ["ba"]})
    assert (tmp_path / "batching_parameters.txt").read_text() == "mine"
    assert (tmp_path / "models.config").is_file()


def test_the_docker_command_quotes_paths_and_depends_on_xla(tmp_path):
    (tmp_path / "it's").mkdir()
    plain, xla = (docker_command(tmp_path / "it's", "toy", xla) for xla in (False, True))
    assert "-e MODEL_NAME=toy" in plain
    assert f"-v '{tmp_path}/it'\\''s:/models/toy'" in plain
    assert "xla" not in plain
    assert "--enable_batching --batching_parameters_file=/models/toy/batching" in plain
    assert xla.endswith("tensorflow/serving:2.20.0 --xla_cpu_compilation_enabled")
    assert "batching" not in xla


def test_the_docker_command_mounts_a_path_with_a_colon(tmp_path):
    command = docker_command(tmp_path / "a:b" / "toy", "toy", xla=False)
    assert f"--mount 'type=bind,source={tmp_path}/a:b/toy,target=/models/toy'" in command
    assert "-v " not in command


def test_a_directory_that_tensorflow_takes_for_a_pattern_is_rejected(tmp_path, small_run):
    with pytest.raises(UserError, match=r"cannot read files in a directory with \[1\]"):
        export_saved_model(small_run, tmp_path / "a[1]" / "toy", Options())


@pytest.mark.parametrize("name", ["1", "a b", "ü", "-x"])
def test_names_that_cannot_be_part_of_a_url_are_rejected(tmp_path, small_run, name):
    with pytest.raises(UserError, match="cannot be the name of a model"):
        export_saved_model(small_run, tmp_path / name, Options())


def test_a_linked_directory_gives_its_own_name_to_the_model(tmp_path):
    (tmp_path / "1").mkdir()
    (tmp_path / "en-de").symlink_to(tmp_path / "1")
    assert model_name(tmp_path / "en-de") == "en-de"


def test_a_max_length_above_that_of_the_network_is_rejected(tmp_path, small_run):
    with pytest.raises(UserError, match="max_length is 42; the network generates at most 41 "):
        export_saved_model(small_run, tmp_path / "toy", Options(SearchSettings(max_length=42)))


def test_a_missing_run_is_rejected(tmp_path):
    with pytest.raises(UserError, match="no run here"):
        export_saved_model(tmp_path / "nothing", tmp_path / "toy", Options())


def test_search_settings_are_fixed_in_the_export(tmp_path, small_run, translator):
    """A second version, of ids only, by greedy search for at most 3 ids."""
    (tmp_path / "toy/1").mkdir(parents=True)
    options = Options(SearchSettings(beam_size=1, length_penalty=1.0, max_length=3), ids_only=True)
    report = export_unchecked(small_run, tmp_path / "toy", options)
    assert report.directory == tmp_path / "toy/2"
    signatures = tf.saved_model.load(str(report.directory)).signatures
    assert set(signatures) == {"ids", "serving_default"}
    source = translator.source_subwords.encode("ba lo ki")
    found = signatures["ids"](source_ids=tf.constant([source]))
    short = Translator(translator.model, translator.encoding._replace(max_target_length=4))
    [[wanted]] = short.translate(["ba lo ki"], SearchSettings(beam_size=1, length_penalty=1.0))
    assert tuple(i for i in found["target_ids"].numpy()[0] if i) == wanted.ids[1:]
    assert found["target_ids"].shape == (1, 3)
    assert float(found["score"][0]) == pytest.approx(wanted.score, abs=1e-4)


def test_without_search_settings_an_export_has_those_of_its_run(tmp_path, small_run, translator):
    run = Run.open(shutil.copytree(small_run, tmp_path / "run"))
    run.save_decoding({"length_penalty": 0.0})
    report = export_unchecked(run.directory, tmp_path / "toy", Options(ids_only=True))
    source = tf.constant([translator.source_subwords.encode("ba lo ki")])
    found = tf.saved_model.load(str(report.directory)).signatures["ids"](source_ids=source)
    scores = scores_of(translator, source, found["target_ids"], length_penalty=0.0)
    np.testing.assert_allclose(found["score"], scores, atol=1e-3)


def test_an_export_that_samples_draws_different_translations(exported_sampling, translator):
    """Each is a translation of which the network computes the score that the export returns."""
    assert exported_sampling.compared == 0
    source = tf.constant([translator.source_subwords.encode("ba lo ki")] * 32)
    signatures = tf.saved_model.load(str(exported_sampling.directory)).signatures
    found = signatures["serving_default"](source_ids=source)
    assert len(set(map(tuple, found["target_ids"].numpy()))) > 16
    scores = scores_of(translator, source, found["target_ids"])
    np.testing.assert_allclose(found["score"], scores, atol=1e-3)


def scores_of(translator, source, target, length_penalty=1.5):
    """Return the scores of target ids by teacher forcing."""
    prefix = tf.pad(
        target[:, :-1], [[0, 0], [1, 0]], constant_values=translator.target_subwords.start
    )
    logits = translator.model((source, prefix), training=False).numpy()
    logits[..., translator.target_subwords.suppressed_ids()] = -np.inf
    log_probabilities = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    chosen = np.take_along_axis(log_probabilities, target.numpy()[..., np.newaxis], axis=-1)
    is_written = target.numpy() != 0
    penalties = ((5 + is_written.sum(axis=1)) / 6) ** length_penalty
    return np.where(is_written, chosen[..., 0], 0).sum(axis=1) / penalties


def test_a_sampled_translation_must_have_a_finite_score(translator, monkeypatch):
    def answers_without_scores(directory, questions):
        counts = [len(inputs["source_ids"]) for _, inputs in questions]
        answers = [{"target_ids": [[5, 41]] * n, "score": [float("nan")] * n} for n in counts]
        return {"load_seconds": 1, "answers": answers}

    monkeypatch.setattr(export_module, "ask", answers_without_scores)
    options = Options(SearchSettings(strategy="sampling"), ids_only=True)
    with pytest.raises(CheckError, match="returned the score nan"):
        export_module.compare("unused", translator, options)


@pytest.fixture
def saved_once(exported_ids, monkeypatch):
    """Let an export of ids copy one that was saved before, because tracing takes seconds."""

    def copy(module, path, signatures):
        ignored = shutil.ignore_patterns("assets.extra")
        shutil.copytree(exported_ids.directory, path, dirs_exist_ok=True, ignore=ignored)

    monkeypatch.setattr(tf.saved_model, "save", copy)


@pytest.mark.parametrize(
    "error", [OSError("disk full"), tf.errors.DataLossError(None, None, "disk full")]
)
def test_a_write_error_leaves_no_files(tmp_path, small_run, monkeypatch, error):
    def save_half(module, path, signatures):
        assert os.path.basename(path).startswith("."), "no version of a killed export is visible"
        with open(os.path.join(path, "saved_model.pb"), "wb") as file:
            file.write(b"half")
        raise error

    monkeypatch.setattr(tf.saved_model, "save", save_half)
    with pytest.raises(UserError, match="toy: cannot be written: disk full"):
        export_saved_model(small_run, tmp_path / "toy", Options(ids_only=True))
    assert not list((tmp_path / "toy").iterdir())


@pytest.mark.usefixtures("saved_once")
@pytest.mark.parametrize("error", [OSError("no process"), tf.errors.InternalError(None, None, "x")])
def test_an_error_of_the_comparison_is_not_reported_as_one_of_writing(
    tmp_path, small_run, monkeypatch, error
):
    def fail(*_):
        raise error

    monkeypatch.setattr(export_module, "compare", fail)
    with pytest.raises(type(error)):
        export_saved_model(small_run, tmp_path / "toy", Options(ids_only=True))
    assert not list((tmp_path / "toy").iterdir())


def test_an_export_that_the_newest_server_cannot_run_is_deleted(tmp_path, small_run, monkeypatch):
    save = tf.saved_model.save

    def save_with_python(module, path, signatures):
        call = tf.function(lambda source_ids: tf.numpy_function(abs, [source_ids], tf.int32))
        new = {"serving_default": call.get_concrete_function(IDS)}
        save(tf.Module(), path, signatures=new)

    monkeypatch.setattr(tf.saved_model, "save", save_with_python)
    with pytest.raises(CheckError, match="TensorFlow Serving 2.20.0 cannot run .*PyFunc"):
        export_saved_model(small_run, tmp_path / "toy", Options(ids_only=True))
    assert not list((tmp_path / "toy").iterdir())


def test_an_output_with_other_files_is_rejected_and_not_changed(run_script, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home/letter.txt").write_text("Dear")
    status, out, err = run_script("--checkpoint", "none", "--output", tmp_path / "home")
    assert (status, out) == (2, "")
    message = "not empty, but contains no version of a model: give another --output"
    assert err == f"error: {tmp_path / 'home'}: {message}\n"
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["letter.txt"]


@pytest.mark.usefixtures("saved_once")
def test_an_export_that_differs_is_deleted(tmp_path, small_run, monkeypatch):
    def other_answers(directory, questions):
        counts = [len(inputs["source_ids"]) for _, inputs in questions]
        answers = [{"target_ids": [[5, 41]] * n, "score": [-100.0] * n} for n in counts]
        return {"load_seconds": 1, "answers": answers}

    monkeypatch.setattr(export_module, "ask", other_answers)
    with pytest.raises(CheckError, match="the export differs from its run"):
        export_saved_model(small_run, tmp_path / "toy", Options(ids_only=True))
    assert not list((tmp_path / "toy").iterdir())


@pytest.mark.usefixtures("saved_once")
def test_an_export_that_cannot_be_loaded_is_deleted(tmp_path, small_run, monkeypatch):
    save = tf.saved_model.save

    def save_broken(module, path, signatures):
        save(module, path, signatures=signatures)
        with open(os.path.join(path, "saved_model.pb"), "r+b") as file:
            file.truncate(100)

    monkeypatch.setattr(tf.saved_model, "save", save_broken)
    with pytest.raises(CheckError, match="cannot be loaded"):
        export_saved_model(small_run, tmp_path / "toy", Options(ids_only=True))
    assert not list((tmp_path / "toy").iterdir())


@pytest.mark.usefixtures("saved_once")
def test_an_export_that_the_other_process_cannot_load_is_reported_in_one_line(
    run_script, small_run, tmp_path, monkeypatch
):
    save = tf.saved_model.save

    def save_without_weights(module, path, signatures):
        save(module, path, signatures=signatures)
        shutil.rmtree(os.path.join(path, "variables"))

    monkeypatch.setattr(tf.saved_model, "save", save_without_weights)
    flags = "--checkpoint", small_run, "--output", tmp_path / "toy", "--ids-only"
    status, out, err = run_script(*flags)
    assert (status, out) == (1, "")
    [line] = err.splitlines()[3:]
    assert line.startswith("error: the export cannot be loaded or called: ")
    assert "variables" in line
    assert "Traceback" not in line
    assert not list((tmp_path / "toy").iterdir())


@pytest.mark.usefixtures("saved_once")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_an_interrupted_export_leaves_no_files(
    run_script, small_run, tmp_path, monkeypatch, number, status
):
    handler = signal.getsignal(number)
    monkeypatch.setattr(export_module, "compare", lambda *_: signal.raise_signal(number))
    arguments = "--checkpoint", small_run, "--output", tmp_path / "toy", "--ids-only"
    assert run_script(*arguments)[0] == status
    assert not list((tmp_path / "toy").iterdir())
    assert signal.getsignal(number) == handler


@pytest.fixture
def run_script(capsys):
    """Run the command in this process: (exit status, standard output, standard error)."""

    def run_script(*arguments):
        with pytest.raises(SystemExit) as end:
            run(lambda: command.main([str(argument) for argument in arguments]))
        captured = capsys.readouterr()
        return end.value.code, captured.out, captured.err

    return run_script


def python(program, **options):
    """Return the output of a Python program."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, **options)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def output_of(program, capsys):
    """Return what a Python program prints, run in this process."""
    exec(program, {})
    return capsys.readouterr().out


def body_of(out):
    """Return the body of the request that the printed curl command sends."""
    command = out[out.index("curl ") : out.index("\n\nTranslate in Python")]
    script = f'curl() {{ printf "%s\\0" "$@"; }}\n{command}'
    done = subprocess.run(["sh", "-c", script], capture_output=True, check=True)
    url, flag, body, _ = done.stdout.decode().split("\0")
    assert (url, flag) == ("http://localhost:8501/v1/models/toy:predict", "-d")
    return json.loads(body)


@pytest.mark.usefixtures("saved_once")
def test_an_export_of_ids_needs_no_tensorflow_text(
    run_script, small_run, tmp_path, translator, exported
):
    """docs/serving.md quotes the error of loading another export without tensorflow_text. The
    operation that it names differs between exports.
    """
    output = tmp_path / "serving/toy"
    status, out, err = run_script("--checkpoint", small_run, "--output", output, "--ids-only")
    assert status == 0
    assert f"{output}/1: " in out
    assert "the scores of 73 translations equal those of" in out
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
    program += f"""
try:
    tf.saved_model.load({str(exported.directory)!r})
except Exception as error:
    print(error)
"""
    ids, message = python(program).split("\n", 1)
    assert [i for i in json.loads(ids) if i] == list(wanted.ids[1:])
    assert "Op type not registered 'Sentencepiece" in message
    assert err.splitlines() == [
        f"loading {small_run}",
        f"tracing the search and writing it to {output}",
        "checking its translations in a new process",
    ]


def test_the_program_in_the_manual_runs(exported, translator, tmp_path, monkeypatch, capsys):
    page = (HOME / "docs" / "serving.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [program] = (program for program in programs if "saved_model.load" in program)
    assert "keras_transformer" not in program
    (tmp_path / "serving").mkdir()
    (tmp_path / "serving/en-de").symlink_to(exported.directory.parent)
    [sentence] = re.findall(r'tf.constant\(\["(.+?)"\]\)', program)
    [[wanted]] = translator.translate([sentence])
    assert "import tensorflow_text" in program
    monkeypatch.chdir(tmp_path)
    assert output_of(program, capsys) == wanted.text + "\n"


def test_the_commands_that_export_py_prints_run(exported, capsys, small_run, translator):
    example = (small_run / "examples.txt").read_text(encoding="utf-8").split("\n")[0]
    arguments = SimpleNamespace(output=exported.directory.parent, xla=False, ids_only=False)
    savedmodel.print_instructions(exported, arguments)
    out = capsys.readouterr().out
    assert body_of(out)["inputs"] == {"source": [example]}
    [[wanted]] = translator.translate([example])
    program = out.split("without a server:\n\n")[1]
    assert "import tensorflow_text" in program
    assert output_of(program, capsys) == wanted.text + "\n"


def test_a_run_without_examples_has_a_generated_one(small_run, tmp_path, translator):
    run = Run.open(shutil.copytree(small_run, tmp_path / "run"))
    subwords = translator.source_subwords
    (tmp_path / "run" / "examples.txt").unlink()
    assert samples.example(run, subwords) == samples.sentences(subwords, 1)[0]
    run.save_examples(["Ü b c", "d"])
    assert samples.example(run, subwords) == "Ü b c"


def test_generated_sentences_contain_no_bytes(tmp_path, thousand):
    path = tmp_path / "some.model"
    path.write_bytes(thousand)
    subwords = Subwords.load(path, "en")
    generated = " ".join(samples.sentences(subwords, 64))
    assert set(generated) <= set("abcdefgh ")


def test_generated_sentences_of_a_language_without_spaces_contain_no_bytes(tmp_path):
    draw = random.Random(0)
    lines = ["".join(draw.choices("天地玄黄宇宙洪荒", k=9)) for _ in range(2000)]
    train_subwords(lines, 1000, tmp_path / "some.model")
    subwords = Subwords.load(tmp_path / "some.model", "zh")
    assert "<0x" not in "".join(samples.sentences(subwords, 64))


@pytest.mark.usefixtures("saved_once")
def test_export_py_exits_with_1_if_the_export_differs(run_script, small_run, tmp_path, monkeypatch):
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
def test_invalid_arguments_are_reported_in_one_line(run_script, tmp_path, flags, message):
    status, out, err = run_script("--output", tmp_path / "toy", *flags)
    assert status == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_a_beam_wider_than_the_vocabulary_is_rejected(run_script, small_run, tmp_path):
    """Of 42 ids, a translation cannot begin with padding, the unknown subword, start and end."""
    arguments = "--checkpoint", small_run, "--output", tmp_path / "toy", "--beam-size", "39"
    status, out, err = run_script(*arguments)
    assert (status, out) == (2, "")
    message = "error: --beam-size must be at most 38 for this vocabulary, not 39"
    assert err.splitlines()[-1] == message
    assert not list((tmp_path / "toy").iterdir())


def test_generated_sentences_are_reproducible_and_varied(translator):
    subwords = translator.source_subwords
    texts = samples.sentences(subwords, 64)
    assert texts == samples.sentences(subwords, 64)
    assert len(set(texts)) > 30
    assert all(3 <= len(subwords.encode(text)) <= 41 for text in texts)
    assert len(subwords.encode(samples.sentence_of(subwords, 20))) in range(13, 21)


def test_the_readme_of_an_export_for_xla_names_the_flag_of_the_server(exported, exported_xla):
    flag = "--xla_cpu_compilation_enabled"
    readmes = [each.directory.parent / "README.txt" for each in (exported, exported_xla)]
    assert [flag in path.read_text(encoding="utf-8") for path in readmes] == [False, True]

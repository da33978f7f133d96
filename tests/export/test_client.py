"""The REST client, translate.py --server, and the gRPC example, against fake servers."""

import contextlib
import json
import socket
import sys
import time
import urllib.request
from concurrent import futures
from types import SimpleNamespace

import grpc
import numpy as np
import pytest
import tensorflow as tf
from tensorflow_serving.apis import predict_pb2, prediction_service_pb2_grpc

from keras_transformer.client import ServedTranslator
from keras_transformer.commands import translate
from keras_transformer.errors import UserError
from keras_transformer.inspection.attention.plots import plot_translation
from keras_transformer.translation.translation import Translation
from tests.export.rest_server import RestServer
from tests.export.test_signatures import SENTENCES, texts, translated
from tests.programs import load_script, run_python


@pytest.fixture
def server(loaded):
    with RestServer(loaded.signatures) as server:
        yield server


def post(server, body):
    request = urllib.request.Request(f"{server.address}:predict", json.dumps(body).encode())
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())


@pytest.mark.parametrize(
    "body",
    [
        {"instances": SENTENCES[:2]},
        {"instances": [{"source": text} for text in SENTENCES[:2]]},
        {"signature_name": "serving_default", "instances": SENTENCES[:2]},
        {"inputs": SENTENCES[:2]},
        {"inputs": {"source": SENTENCES[:2]}},
    ],
)
def test_rest_bodies_may_have_rows_or_columns(server, translator, body):
    answer = post(server, body)
    rows = answer.get("predictions")
    found = [row["translation"] for row in rows] if rows else answer["outputs"]["translation"]
    assert found == translated(translator, SENTENCES[:2])


def test_ids_and_attention_can_be_requested_in_rows(server, translator):
    """Rows require that no output is ragged."""
    source = translator.source_subwords.encode(SENTENCES[0])
    answer = post(server, {"signature_name": "ids", "instances": [source, source]})
    assert [len(row["target_ids"]) for row in answer["predictions"]] == [41, 41]
    pairs = [{"source": "ba", "target": "lo"}, {"source": "ba lo ki", "target": "ki"}]
    answer = post(server, {"signature_name": "attention", "instances": pairs})
    assert np.shape([row["cross_attention"] for row in answer["predictions"]])[:3] == (2, 1, 2)


def test_translations_equal_those_of_the_run(server, translator):
    sentences = [*SENTENCES[:7], "", "\ud800", "漢 \x00"]
    found = ServedTranslator(server.address).translate(sentences, batch_size=4)
    wanted = translator.translate(sentences)
    assert [best.text for [best] in found] == [best.text for best, *_ in wanted]
    scores = [best.score for best, *_ in wanted]
    assert [best.score for [best] in found] == pytest.approx(scores, abs=1e-3)
    assert [len(body["inputs"]["source"]) for body in server.bodies] == [4, 4, 2]


def test_attention_equals_that_of_the_run(server, translator):
    translation = Translation("lo ki ba", 0, tuple(translator.target_subwords.encode("lo ki ba")))
    found = ServedTranslator(server.address).attention("ba lo ki", translation)
    wanted = translator.attention("ba lo ki", translation)
    assert found[:2] == wanted[:2]
    for kind in ("encoder", "decoder", "cross"):
        [layer], [wanted_layer] = getattr(found[2], kind), getattr(wanted[2], kind)
        np.testing.assert_allclose(layer, wanted_layer, atol=1e-5)


def test_padding_of_merged_requests_is_removed_from_attention(loaded, translator):
    """A server that merges requests pads its answers to the longest of them."""

    def merged(source, target):
        both = tf.concat([source, ["ba lo ki ba lo"]], 0), tf.concat([target, ["ki " * 9]], 0)
        answer = loaded.signatures["attention"](source=both[0], target=both[1])
        return {name: tensor[:1] for name, tensor in answer.items()}

    merged.structured_input_signature = loaded.signatures["attention"].structured_input_signature
    translation = Translation("lo", 0, tuple(translator.target_subwords.encode("lo")))
    with RestServer({"attention": merged}) as server:
        found = ServedTranslator(server.address).attention("ba", translation)
    wanted = translator.attention("ba", translation)
    assert found[:2] == wanted[:2]
    for kind in ("encoder", "decoder", "cross"):
        np.testing.assert_allclose(getattr(found[2], kind), getattr(wanted[2], kind), atol=1e-5)


def test_requests_to_a_busy_server_are_retried(loaded):
    with RestServer(loaded.signatures, busy=3) as server:
        [[best]] = ServedTranslator(server.address, backoff=0).translate(SENTENCES[:1])
        assert best.text
        assert len(server.bodies) == 4


def test_retries_of_a_busy_server_are_limited(loaded):
    with RestServer(loaded.signatures, busy=100) as server:
        client = ServedTranslator(server.address, backoff=0)
        with pytest.raises(UserError, match="still busy after 6 requests"):
            client.translate(["a"])
        assert len(server.bodies) == 6


@pytest.mark.parametrize("host", ["a..b", "localhost:99999", "localhost:x", "[::1", "*", "\ud800"])
def test_impossible_hosts_raise_errors(host):
    address = f"http://{host}/v1/models/toy"
    with pytest.raises(UserError) as raised:
        ServedTranslator(address).translate(["a"])
    assert str(raised.value).startswith(f"{address}: ")
    assert str(raised.value).removeprefix(address).isprintable()


def test_missing_models_and_servers_raise_errors(server, loaded):
    other = server.address.replace("toy", "other")
    with pytest.raises(UserError, match="Servable not found"):
        ServedTranslator(other).translate(["a"])
    with RestServer(loaded.signatures) as stopped:
        pass
    with pytest.raises(UserError, match="no server answers there"):
        ServedTranslator(stopped.address).translate(["a"])


def test_a_model_without_the_outputs_of_a_translator_is_rejected(loaded):
    def other(source):
        return {"label": tf.zeros(len(source))}

    other.structured_input_signature = loaded.signatures[
        "serving_default"
    ].structured_input_signature
    with (
        RestServer({"serving_default": other}) as server,
        pytest.raises(UserError, match="no output translation and score"),
    ):
        ServedTranslator(server.address).translate(["a"])


@pytest.mark.parametrize(
    "address",
    [
        "localhost:8501",
        "http://localhost:8501",
        "http://localhost:8501/v1/models/",
        "http://localhost:8501/v1/models/en de",
        "http://local\nhost:8501/v1/models/en-de",
    ],
)
def test_invalid_addresses_are_rejected(address):
    with pytest.raises(UserError, match="which has the form http://HOST:8501/v1/models/NAME"):
        ServedTranslator(address)


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        ("", ""),
        ("/", ""),
        (":predict", ""),
        ("/versions/3", "/versions/3"),
        ("/labels/stable", "/labels/stable"),
        ("/labels/stable:predict", "/labels/stable"),
    ],
)
def test_valid_addresses_are_accepted(end, kept):
    address = "https://a.example/behind/v1/models/en-de"
    assert ServedTranslator(address + end).address == address + kept


def test_translate_py_translates_a_file_on_a_server(
    server, translator, monkeypatch, capsys, tmp_path
):
    source = tmp_path / "source.txt"
    source.write_text("\n".join(["", *SENTENCES[:5]]), encoding="utf-8")
    flags = ["--server", server.address, "--input", str(source), "--batch-size", "2"]
    monkeypatch.setattr(sys.stdout, "reconfigure", lambda **_: None, raising=False)
    assert translate.main(flags) == 0
    wanted = ["", *translated(translator, SENTENCES[:5])]
    assert capsys.readouterr().out == "".join(f"{text}\n" for text in wanted)
    assert len(server.bodies) == 3


def test_translate_py_plots_the_attention_of_a_server(server, monkeypatch, capsys, tmp_path):
    picture = tmp_path / "heads.png"
    flags = ["--server", server.address, "--plot", str(picture), SENTENCES[0]]
    monkeypatch.setattr(sys.stdout, "reconfigure", lambda **_: None, raising=False)
    assert translate.main(flags) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().err == f"wrote {picture}\n"


def test_a_missing_layer_is_reported_after_the_translation(
    server, translator, monkeypatch, capsys, tmp_path
):
    """The number of layers is unknown until the server returns attention weights."""
    picture = ["--plot", str(tmp_path / "heads.png"), "--layer", "2"]
    monkeypatch.setattr(sys.stdout, "reconfigure", lambda **_: None, raising=False)
    with pytest.raises(UserError, match="no decoder layer 2: the decoder has 1"):
        translate.main(["--server", server.address, *picture, SENTENCES[0]])
    assert capsys.readouterr().out == f"{translated(translator, SENTENCES[:1])[0]}\n"


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_plots_of_a_server_equal_those_of_the_run(server, translator, kind):
    """The server encodes the text of the translation, which must yield the run's subwords."""
    translation = Translation("lo ki ba", 0, tuple(translator.target_subwords.encode("lo ki ba")))
    figures = [
        plot_translation(each, "ba lo ki", translation, kind)
        for each in (ServedTranslator(server.address), translator)
    ]
    served, own = ([axes for axes in f.axes if axes.get_title()] for f in figures)
    for panel, wanted in zip(served, own, strict=True):
        for axis in ("xaxis", "yaxis"):
            found, labels = (
                [label.get_text() for label in getattr(each, axis).get_ticklabels()]
                for each in (panel, wanted)
            )
            assert found == labels
        found, values = (each.images[0].get_array() for each in (panel, wanted))
        np.testing.assert_array_equal(found.mask, values.mask)
        np.testing.assert_allclose(found.filled(0), values.filled(0), atol=1e-5)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--checkpoint", "x"], "not both"),
        (["--beam-size", "2"], "--beam-size cannot be .* fixed at export, by flags of"),
        (["--n-best", "2"], "--n-best cannot be"),
        (["--length-penalty", "1"], "--length-penalty cannot be"),
        (["--search", "sampling", "--seed", "3"], "--search, --seed cannot be"),
        (["--xla"], "give it to keras-transformer export"),
    ],
)
def test_search_flags_are_rejected_for_a_server(monkeypatch, flags, message):
    address = "http://localhost:1/v1/models/toy"
    with pytest.raises(UserError, match=message):
        translate.main(["--server", address, *flags, "a"])


class PredictionService(prediction_service_pb2_grpc.PredictionServiceServicer):
    """A fake server with the gRPC interface of TensorFlow Serving."""

    def __init__(self, signatures):
        self.signatures = signatures

    def Predict(self, request, context):  # noqa: N802 (name given by the interface)
        assert request.model_spec.name == "toy"
        name = request.model_spec.signature_name or "serving_default"
        inputs = {key: tf.constant(tf.make_ndarray(v)) for key, v in request.inputs.items()}
        answer = predict_pb2.PredictResponse()
        for key, tensor in self.signatures[name](**inputs).items():
            answer.outputs[key].CopyFrom(tf.make_tensor_proto(tensor))
        return answer


@contextlib.contextmanager
def grpc_server(service):
    """Run a service in a context, and yield its address HOST:PORT."""
    server = grpc.server(futures.ThreadPoolExecutor(1))
    prediction_service_pb2_grpc.add_PredictionServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None)


def grpc_process(*arguments):
    """Run the example in a process: (exit status, standard output, standard error)."""
    done = run_python("examples/grpc_client.py", *arguments, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def grpc_example(monkeypatch, capsys):
    """Run the example in this process, without the seconds of importing TensorFlow again."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["grpc_client.py", *arguments])
        with pytest.raises(SystemExit) as end:
            sys.exit(load_script("examples/grpc_client").main())
        return end.value.code, *capsys.readouterr()

    return run


def test_the_grpc_example_translates(grpc_example, loaded, translator):
    with grpc_server(PredictionService(loaded.signatures)) as address:
        found = grpc_example(address, "toy", *SENTENCES[:3])
    wanted = translated(translator, SENTENCES[:3])
    assert found == (0, "".join(f"{text}\n" for text in wanted), "")


@pytest.mark.parametrize(
    "arguments", [[], ["localhost:8500", "toy"], ["a", "b", "c", "--timeout=0"]]
)
def test_the_grpc_example_prints_its_usage(grpc_example, arguments):
    status, out, err = grpc_example(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("usage: grpc_client.py ")
    assert "grpc_client.py: error: " in err


def test_the_grpc_example_reports_a_missing_server():
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))  # bound, but not listening
        address = f"127.0.0.1:{reserved.getsockname()[1]}"
        found = grpc_process(address, "toy", "a")
    status, out, err = found
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"error: {address}: no server answers there, or it is busy: ")


class FaultyService(prediction_service_pb2_grpc.PredictionServiceServicer):
    """A service that fails in a way that depends on the name of the model."""

    def Predict(self, request, context):  # noqa: N802 (name given by the interface)
        if request.model_spec.name == "slow":
            time.sleep(2)
        if request.model_spec.name == "missing":
            context.abort(grpc.StatusCode.NOT_FOUND, "Servable not found\nfor request")
        if request.model_spec.name == "full":
            context.abort(grpc.StatusCode.UNAVAILABLE, "The batch scheduling queue\nis full")
        return predict_pb2.PredictResponse()


@pytest.mark.parametrize(
    ("model", "flags", "message"),
    [
        ("slow", ["--timeout", "0.5"], "no answer within 0.5 seconds"),
        ("missing", [], "Servable not found for request"),
        ("full", [], "no server answers there, or it is busy: The batch scheduling queue is full"),
        ("other", [], "a model without translations: was it made by export.py?"),
    ],
)
def test_the_grpc_example_reports_errors_of_a_server(grpc_example, model, flags, message):
    with grpc_server(FaultyService()) as address:
        found = grpc_example(address, model, "a", *flags)
    assert found == (2, "", f"error: {address}: {message}\n")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (grpc.StatusCode.UNAVAILABLE, "no server answers there, or it is busy: no details"),
        (grpc.StatusCode.INTERNAL, "INTERNAL"),
    ],
)
def test_the_grpc_example_reports_an_error_without_details(code, message):
    error = SimpleNamespace(code=lambda: code, details=lambda: None)
    assert load_script("examples/grpc_client").reason(error, 1) == message


def test_the_fake_server_returns_the_outputs_of_the_graph(server, loaded):
    """The tests above depend on this."""
    found = post(server, {"inputs": ["ba lo"]})["outputs"]["translation"]
    wanted = loaded.signatures["serving_default"](source=tf.constant(["ba lo"]))
    assert found == texts(wanted["translation"])

"""The page for a server, in headless Chromium, against a server with TensorFlow Serving's API."""

import threading

import numpy as np
import pytest

# Intended: without tensorflow-text, there is no SavedModel to serve.
pytest.importorskip("tensorflow_text")

from keras_transformer.export.graph_subwords import GraphSubwords
from keras_transformer.export.html.live_page import export_live_html
from keras_transformer.export.signatures import SavedSearch, TextTranslator
from keras_transformer.export.weights import Variables
from keras_transformer.inspection.attention.weights import read_attention
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from tests.export.rest_server import RestServer
from tests.page.driving import cells, table, translation, type_text

TEXT = "ne fi lu na"


class Signature:
    """A signature that is called with named inputs, like those of a loaded SavedModel."""

    def __init__(self, function):
        self.function = function.get_concrete_function()
        specs, _ = self.function.structured_input_signature
        self.structured_input_signature = (), {spec.name: spec for spec in specs}

    def __call__(self, **inputs):
        _, specs = self.structured_input_signature
        return self.function(*(inputs[name] for name in specs))


@pytest.fixture(scope="module")
def signatures(translator):
    """The signatures of the SavedModel of the run, which need not be saved."""
    weights = Variables(translator)
    search = SavedSearch(translator, weights, SearchSettings(), xla=False)
    source = GraphSubwords(translator.source_subwords, translator.max_source_length)
    target = GraphSubwords(translator.target_subwords, translator.max_target_length)
    module = TextTranslator(translator, search, search, source, target)
    return {name: Signature(function) for name, function in module.signatures().items()}


@pytest.fixture
def live(browser, page_run, tmp_path):
    """A function that opens the page for a server."""
    pages = []

    def live(address):
        path = tmp_path / "live.html"
        export_live_html(address, path, Run.open(page_run))
        page = browser.new_page()
        pages.append(page)
        page.goto(path.as_uri())
        return page

    yield live
    for page in pages:
        page.close()


def test_translations_and_attention_come_from_the_server(live, signatures, translator):
    [[best]] = translator.translate([TEXT])
    [wanted] = read_attention(translator, TEXT, best)
    with RestServer(signatures, cors=True) as server:
        page = live(server.address)
        requests = []
        page.on("request", lambda request: requests.append(request.url))
        type_text(page, TEXT)
        assert translation(page) == best.text.split()
        _, _, found = table(page, "attention")
    words = wanted.with_words().with_mean_head().weights[0]
    np.testing.assert_allclose(cells(found), words, atol=0.006)
    assert set(requests) == {f"{server.address}:predict"}


def test_views_that_need_the_network_say_so(live, signatures):
    with RestServer(signatures, cors=True) as server:
        page = live(server.address)
        page.wait_for_selector(".notes *")
        tabs = page.get_by_role("tab")
        assert tabs.count() == 5
        for number in range(1, 5):
            tabs.nth(number).click()
            panel = page.locator("[role=tabpanel]:visible")
            assert "needs the inside of the network" in panel.inner_text()


@pytest.mark.parametrize("is_running", [True, False])
def test_a_server_that_cannot_be_asked_is_explained(live, signatures, is_running):
    """It does not allow requests from pages, or it does not run."""
    with RestServer(signatures) as server:
        page = live(server.address) if is_running else None
        if is_running:
            page.locator(".notes [role=alert]").wait_for()
    if not is_running:
        page = live(server.address)
        page.locator(".notes [role=alert]").wait_for()
    notice = page.locator(".notes [role=alert]").inner_text()
    assert f"No answer from http://127.0.0.1:{server.server_port}" in notice
    assert "--enable_cors_support" in notice


def test_the_error_of_a_server_is_shown(live, signatures):
    with RestServer(signatures, cors=True) as server:
        page = live(server.address.replace("toy", "other"))
        page.locator(".notes [role=alert]").wait_for()
        assert "Servable not found" in page.locator(".notes [role=alert]").inner_text()


class Held:
    """A signature that answers as soon as it is released."""

    def __init__(self, signature):
        self.signature = signature
        self.structured_input_signature = signature.structured_input_signature
        self.released = threading.Event()
        self.released.set()

    def __call__(self, **inputs):
        self.released.wait(60)
        return self.signature(**inputs)


def test_the_page_says_that_a_slow_server_is_translating(live, signatures):
    held = Held(signatures["serving_default"])
    with RestServer(signatures | {"serving_default": held}, cors=True) as server:
        page = live(server.address)
        page.wait_for_selector(".target .word")
        held.released.clear()
        page.fill("#source", "ku lo")
        page.get_by_text("Translating…").wait_for()
        held.released.set()
        page.get_by_text("Translating…").wait_for(state="detached")

"""A page in headless Chromium, and the translator in Python that computes with its weights."""

import shutil
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlparse

import pytest

from keras_transformer.export.html.document import SOURCES
from keras_transformer.export.html.local_page import export_html
from keras_transformer.export.html.network_weights import assign
from keras_transformer.export.html.reading import read_page
from keras_transformer.export.html.style import style_sheet
from keras_transformer.training import trainer
from keras_transformer.training.session import train
from keras_transformer.training.validation import Validator
from keras_transformer.translation.translator import Translator
from tests.conftest import SMALL, pairs_of_two_languages, write_pairs
from tests.training.toy_training import NoSamples

SETTINGS = SMALL | {
    "num_layers": 2,
    "d_model": 32,
    "batch_size": 6,
    "peak_learning_rate": 0.005,
    "patience": 0,
    "epochs": 20,
    "warmup_steps": 100,
    "vocab_size": 60,
    "source_lang": "en",
    "target_lang": "de",
}
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}


def word_by_word(count):
    """Pairs of sentences that have the same number of words."""
    return [
        (source, " ".join(reversed(target.split())))
        for source, target in pairs_of_two_languages(count)
    ]


@pytest.fixture(scope="session")
def page_run(browser, tmp_path_factory):
    """A run that has learned to translate the words of a toy language one by one.

    The best weights are those of the lowest loss. It is not trained if the tests are skipped
    because there is no browser.
    """
    home = tmp_path_factory.mktemp("page")
    pairs = write_pairs(home / "pairs.tsv", word_by_word(800))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Validator, "sample_bleu", lambda _: 0.0)
        patch.setattr(trainer, "Samples", NoSamples)
        assert train(SETTINGS | {"train": (pairs,)}, home / "toy").finished
    return home / "toy"


@pytest.fixture(scope="session")
def page_file(page_run, tmp_path_factory):
    """The page of the run."""
    return export_html(page_run, tmp_path_factory.mktemp("page") / "page.html").path


@pytest.fixture(scope="session")
def translator(page_run, page_file):
    """The translator of the run with the weights of its page."""
    translator = Translator.load(page_run)
    assign(translator.model, read_page(page_file)[2])
    return translator


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium. It is not installed with Playwright, which would download it."""
    if not (path := shutil.which("chromium") or shutil.which("chromium-browser")):
        # Intended: Chromium is not a Python package, and users of the package do not need it.
        pytest.skip("needs Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@pytest.fixture
def part(browser):
    """A function that shows a part of the interface, see parts.mjs, in a page without a network."""
    page = browser.new_page(viewport=DESKTOP)
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))

    def answer(route):
        path = urlparse(route.request.url).path
        if path == "/":
            body = f"<!doctype html><style>{style_sheet(SOURCES)}</style><body></body>"
            route.fulfill(body=body, content_type="text/html; charset=utf-8")
        else:
            folder = Path(__file__).parent if path == "/parts.mjs" else SOURCES
            route.fulfill(path=folder / path[1:], content_type="text/javascript; charset=utf-8")

    def part(name, **given):
        script = 'async (given) => (await import("/parts.mjs")).show(...given)'
        page.evaluate(script, [name, given])
        return page

    page.route("http://page.test/**", answer)
    page.goto("http://page.test/")
    yield part
    page.close()
    assert problems == []


@pytest.fixture
def opened(browser, page_file):
    """A function that opens the page, offline, in a context in which nothing may go wrong."""

    @contextmanager
    def opened(fragment="", path=page_file, offline=True, **options):
        context = browser.new_context(offline=offline, viewport=DESKTOP, **options)
        page = context.new_page()
        problems = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text))
        page.goto(f"{path.as_uri()}{fragment and '#'}{fragment}")
        yield page
        context.close()
        assert problems == []

    return opened

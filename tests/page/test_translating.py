"""What is typed is translated, in headless Chromium."""

import itertools
from urllib.parse import parse_qs, quote, urlparse

import numpy as np
import pytest

from keras_transformer.inspection.attention.words import multiplied, words_of
from keras_transformer.search.settings import SearchSettings
from tests.page.conftest import PHONE, word_by_word
from tests.page.driving import percent, probabilities, texts, translation, type_text

SENTENCES = [source for source, _ in word_by_word(12)]
GREEDY = SearchSettings(beam_size=1)
LONG = " ".join(itertools.islice(itertools.cycle(SENTENCES), 20))


def shown(text):
    return text.split() or []


def address(page):
    """The values in the fragment of the page's address, once it has been written."""
    page.wait_for_timeout(500)
    return {key: value[0] for key, value in parse_qs(urlparse(page.url).fragment).items()}


def test_the_page_opens_with_a_translated_example_and_without_requests(opened, translator):
    with opened() as page:
        requests = []
        page.on("request", lambda request: requests.append(request.url))
        page.reload()
        page.wait_for_selector(".target .word")
        example = page.input_value("#source")
        [[best]] = translator.translate([example])
        assert translation(page) == shown(best.text)
        assert example in texts(page, ".example")
        outside = [url for url in requests if not url.startswith(("file:", "blob:", "data:"))]
        assert outside == []


def test_the_policy_forbids_requests(browser, page_file):
    page = browser.new_page()
    page.goto(page_file.as_uri())
    blocked = page.evaluate("""async () => {
        const blocked = [];
        addEventListener("securitypolicyviolation", (event) => {
            blocked.push(event.violatedDirective);
        });
        await fetch("http://127.0.0.1:9/").catch(() => {});
        document.body.append(Object.assign(new Image(), { src: "http://127.0.0.1:9/" }));
        await new Promise((resolve) => setTimeout(resolve, 200));
        return blocked;
    }""")
    assert sorted(blocked) == ["connect-src", "img-src"]
    page.close()


def test_translations_and_probabilities_are_those_of_the_translator(opened, translator):
    with opened() as page:
        for text in SENTENCES:
            type_text(page, text)
            [[best]] = translator.translate([text])
            assert translation(page) == shown(best.text)
            found = probabilities(translator, text, best.ids)
            labels = translator.target_subwords.labels(best.ids)
            products = multiplied([1.0, *found], words_of(labels).numbers)[1:-1]
            shares = list(map(percent, texts(page, ".target .probability")))
            np.testing.assert_allclose(shares, products, atol=0.006)


def test_words_stand_above_their_subwords(opened, translator):
    with opened() as page:
        type_text(page, "ma bado")
        labels = translator.source_subwords.labels(translator.source_ids("ma bado"))[1:-1]
        assert texts(page, ".glosses .word-text") == ["ma", "bado"]
        pieces = [label.removeprefix("▁") for label in labels if label != "▁"]
        assert [text for text in texts(page, ".glosses .piece") if text] == pieces


def test_the_search_can_be_changed(opened, translator):
    with opened(f"beam=1&text={quote(SENTENCES[8])}") as page:
        page.wait_for_selector(".target .word")
        [[best]] = translator.translate([SENTENCES[8]], GREEDY)
        assert translation(page) == shown(best.text)


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "<b>ma</b> &amp; ge", "\"'>ka"])
def test_text_is_data(opened, translator, text):
    with opened() as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        type_text(page, text)
        assert page.input_value("#source") == text
        assert page.locator("main b, main script").count() == 0
        labels = translator.source_subwords.labels(translator.source_ids(text))[1:-1]
        words = [word.removeprefix("▁") for word in words_of(labels).labels]
        assert texts(page, ".glosses .word-text") == words


def test_the_state_is_in_the_address_and_can_be_linked(opened):
    with opened() as page:
        type_text(page, "ku lo")
        page.get_by_role("tab", name="Attention").click()
        page.get_by_role("radio", name="Encoder").check()
        assert address(page)["text"] == "ku lo"
        assert address(page)["kind"] == "encoder"
        link = urlparse(page.url).fragment
    with opened(link) as page:
        page.wait_for_selector(".target .word")
        assert page.input_value("#source") == "ku lo"
        assert page.get_by_role("radio", name="Encoder").is_checked()


def test_the_back_button_returns_to_the_previous_example(opened):
    with opened() as page:
        page.wait_for_selector(".target .word")
        first = page.input_value("#source")
        page.locator(".example").last.click()
        second = page.input_value("#source")
        assert first != second
        page.go_back()
        page.wait_for_function(
            "text => document.querySelector('#source').value === text", arg=first
        )


def test_each_sentence_is_translated_and_can_be_chosen(opened, translator):
    with opened() as page:
        type_text(page, "Ma ge. Ka fe.")
        wanted = [best.text for best, *_ in translator.translate(["Ma ge.", "Ka fe."])]
        # The caret is after the second sentence.
        assert translation(page) == shown(wanted[1])
        page.locator(".target .other").press("Enter")
        assert translation(page) == shown(wanted[0])
        assert page.evaluate("document.activeElement.className") == "word"


@pytest.mark.parametrize("text", ["", "  ", "\u3000\n", "▁"])
def test_white_space_has_no_translation(opened, text):
    with opened() as page:
        page.wait_for_selector(".target .word")
        type_text(page, text)
        assert translation(page) == []
        assert "Type a sentence" in page.locator("[role=tabpanel]:visible").inner_text()


def test_a_truncated_sentence_is_announced(opened):
    with opened() as page:
        type_text(page, LONG)
        assert "only the first 39 subwords" in page.locator(".notes").inner_text()


def test_unknown_characters_are_announced(opened, translator):
    text = "ku 😀 lo 😀"
    assert "<unk>" in translator.source_subwords.labels(translator.source_ids(text))
    notice = "The network does not know some of these characters."
    with opened() as page:
        type_text(page, text)
        assert notice in texts(page, ".notes .notice")
        type_text(page, "ku lo")
        assert notice not in texts(page, ".notes .notice")


def test_a_long_sentence_fits_on_a_phone(opened):
    with opened() as page:
        page.set_viewport_size(PHONE)
        type_text(page, LONG)
        width, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width <= inner
        # The view is drawn after the translation.
        page.wait_for_function("() => document.querySelectorAll('.lines-words button').length > 41")
        boxes = page.locator(".lines-words button").evaluate_all(
            "all => all.map((each) => each.getBoundingClientRect().height)"
        )
        assert min(boxes) >= 24


MARKS = """() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "CanvasText";
    const ink = getComputedStyle(probe).color;
    return [...document.querySelectorAll(".target .word")].map((word) => {
        const mark = getComputedStyle(word.querySelector(".word-text"), "::before");
        const doubt = Number(word.style.getPropertyValue("--doubt"));
        return [5 * doubt, parseFloat(mark.height), mark.backgroundColor === ink];
    });
}"""


def test_improbable_words_have_bars_in_forced_colors(opened):
    with opened("text=ne+fi+lu", forced_colors="active") as page:
        page.wait_for_selector(".target .word")
        found = page.evaluate(MARKS)
        assert len(found) > 1
        for wanted, height, is_visible in found:
            assert is_visible
            assert height == pytest.approx(wanted, abs=0.1)


def test_the_focus_follows_the_back_button_to_the_previous_view(opened):
    with opened() as page:
        page.wait_for_selector(".target .word")
        page.get_by_role("tab", name="Steps").click()
        page.go_back()
        page.wait_for_selector('#tab-attention[aria-selected="true"]')
        assert page.evaluate("document.activeElement.id") == "tab-attention"


def test_the_tab_key_returns_to_the_chosen_word(opened):
    with opened("text=ne+fi+lu") as page:
        page.wait_for_selector(".target .word")
        word = page.locator(".target .word").nth(1)
        key = word.get_attribute("data-key")
        word.press("Enter")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.dataset.key") == key

"""The view of the attention, in headless Chromium, against the network in Python."""

import numpy as np
import pytest

from keras_transformer.inspection.attention.weights import read_attention
from keras_transformer.translation.attention_kinds import SIDES
from tests.page.driving import cells, percent, table, texts

TEXT = "ne fi lu na li"


def bare(labels):
    return [label.removeprefix("▁") for label in labels]


@pytest.mark.parametrize("kind", SIDES)
@pytest.mark.parametrize("units", ["words", "subwords"])
def test_all_weights_equal_those_of_the_network(opened, translator, kind, units):
    [[best]] = translator.translate([TEXT])
    with opened(f"kind={kind}&units={units}&text={TEXT.replace(' ', '+')}") as page:
        page.wait_for_selector("#view-attention .heads button")
        for wanted in read_attention(translator, TEXT, best, (kind,), "all"):
            wanted = wanted.with_words() if units == "words" else wanted
            buttons = page.locator("#view-attention .heads-layer").nth(wanted.layer - 1)
            for head in range(len(wanted.weights) + 1):  # the mean, then the heads
                buttons.locator("button").nth(head).click()
                columns, rows, found = table(page, "attention")
                one = wanted.with_heads(head or "mean")
                assert bare(rows) == bare(one.rows)
                assert bare(columns) == bare(one.columns)
                np.testing.assert_allclose(cells(found), one.weights[0], atol=0.006)


def test_pointing_at_a_word_shows_its_weights_alone(opened, translator):
    [[best]] = translator.translate([TEXT])
    [wanted] = read_attention(translator, TEXT, best)
    weights = wanted.with_words().with_mean_head().weights[0]
    with opened(f"text={TEXT.replace(' ', '+')}") as page:
        page.locator(".lines-r button").nth(1).hover()
        shown = page.locator(".lines-c .lines-weight")
        for text, weight in zip(shown.all_inner_texts(), weights[1], strict=True):
            assert (percent(text) if text else 0) == pytest.approx(weight, abs=0.011)
        assert 0 < page.locator(".lines-drawing path:not(.off)").count() <= len(weights[1])


def test_the_keyboard_chooses_a_word(opened):
    with opened(f"text={TEXT.replace(' ', '+')}") as page:
        page.locator(".lines-c button").first.focus()
        page.keyboard.press("Control+End")  # belongs to the browser
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.locator(".lines-c button[aria-pressed=true]").inner_text() == "ne"
        assert texts(page, ".lines .readout")[0].startswith("“\u2068ne\u2069” is attended to by")
        page.keyboard.press("Escape")
        assert page.locator(".lines-c button[aria-pressed=true]").count() == 0

"""The view of the heads, in headless Chromium, against the network in Python."""

from contextlib import contextmanager

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.inspection.attention.weights import read_attention
from keras_transformer.inspection.attention.words import words_of
from tests.page.driving import percent, texts

TEXT = "ne fi lu na li"
KINDS = {"e": "encoder", "d": "decoder", "c": "cross-attention"}
VIEW = f"view=heads&text={TEXT.replace(' ', '+')}"


def sublayer(model, key):
    """The attention sublayer of a head such as "c2.1", and the number of the head, from 0."""
    layer, head = map(int, key[1:].split("."))
    layers = model.encoder.enc_layers if key[0] == "e" else model.decoder.dec_layers
    part = "cross_attention" if key[0] == "c" else "self_attention"
    return getattr(layers[layer - 1], part).mha, head - 1


@contextmanager
def without(model, *keys):
    """Switch heads off: the output projection multiplies their outputs by 0."""
    kernels = [
        (mha.dense.kernel, mha.dense.kernel.numpy())
        for mha, _ in (sublayer(model, key) for key in keys)
    ]
    for key in keys:
        mha, head = sublayer(model, key)
        kernel = mha.dense.kernel.numpy()
        depth = len(kernel) // mha.num_heads
        kernel[head * depth : (head + 1) * depth] = 0
        mha.dense.kernel.assign(kernel)
    yield
    for kernel, value in reversed(kernels):
        kernel.assign(value)


def keys_of(model):
    """All heads, in the order of the switches."""
    layers = {"e": model.encoder.enc_layers}
    return [
        f"{kind}{layer}.{head}"
        for kind in KINDS
        for layer in range(1, len(layers.get(kind, model.decoder.dec_layers)) + 1)
        for head in range(1, sublayer(model, "e1.1")[0].num_heads + 1)
    ]


def forced_logs(translator, source, target):
    """The log probability of each id of a target after the start token."""
    inputs = tf.constant([source]), tf.constant([target[:-1]])
    logits = translator.model(inputs, training=False)[0].numpy().astype(np.float64)
    logits[:, translator.target_subwords.suppressed_ids()] = -np.inf  # as in a search
    logs = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    return logs[np.arange(len(target) - 1), target[1:]]


@pytest.fixture
def pair(translator):
    """The ids of the text and of its translation."""
    [[best, *_]] = translator.translate([TEXT])
    return list(translator.source_ids(TEXT)), list(best.ids)


def table_of(details):
    """Open a table, and return the labels of its columns and rows, and its cells."""
    details.locator("summary").click()
    rows = details.locator("table").evaluate(
        "table => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return rows[0][1:], [row[0] for row in rows[1:]], [row[1:] for row in rows[1:]]


def number(text):
    return float(text.replace("\N{MINUS SIGN}", "-"))


def per_word(translator, target, logs):
    """Sums of the log probabilities of the subwords of each word after the start token."""
    numbers = words_of(translator.target_subwords.labels(target)).numbers[1:]
    return np.bincount(numbers, logs)[1:]


def wait_for_losses(page):
    page.wait_for_selector(".view-heads .switch")
    page.locator(".view-heads .switch", has_text="…").first.wait_for(state="detached")


def test_each_switch_shows_the_loss_without_its_head(opened, translator, pair):
    whole = forced_logs(translator, *pair).sum()
    with opened(VIEW) as page:
        wait_for_losses(page)
        for key in keys_of(translator.model):
            kind, (layer, head) = KINDS[key[0]], key[1:].split(".")
            switch = page.get_by_role("switch", name=f"{kind}, layer {layer}, head {head}, loss")
            assert switch.get_attribute("data-key") == key
            with without(translator.model, key):
                loss = whole - forced_logs(translator, *pair).sum()
            shown = number(switch.inner_text().split()[-1])
            assert shown == pytest.approx(loss, abs=0.006 if abs(loss) < 9.99 else 0.06)


def test_switching_heads_off_translates_without_them(opened, translator, pair):
    before = forced_logs(translator, *pair)
    off = ["c2.1", "e1.2"]
    with opened(VIEW) as page:
        for key in off:
            page.locator(f'[data-key="{key}"]').click()
        page.wait_for_selector('[data-key="all-on"]')
        page.wait_for_selector("text=Without 2 heads")
        with without(translator.model, *off):
            [[best, *_]] = translator.translate([TEXT])
            after = forced_logs(translator, *pair)
        assert texts(page, ".changed .version")[0].split() == best.text.split()
        rows = page.locator(".view-heads .words tbody tr").all()
        pairs = zip(
            rows,
            per_word(translator, pair[1], before),
            per_word(translator, pair[1], after),
            strict=True,
        )
        for row, first, second in pairs:
            *_, with_all, without_some, loss = row.locator("td").all_inner_texts()
            assert percent(with_all) == pytest.approx(np.exp(first), abs=0.0051)
            assert percent(without_some) == pytest.approx(np.exp(second), abs=0.0051)
            assert number(loss) == pytest.approx(first - second, abs=0.006)
        total = texts(page, ".view-heads .words tfoot td")[-1]
        assert number(total) == pytest.approx(before.sum() - after.sum(), abs=0.006)


def test_a_link_switches_heads_off_and_a_button_switches_them_on(opened):
    with opened(f"{VIEW}&off=c1.2,d2.1,x9.9") as page:
        page.wait_for_selector('[data-key="all-on"]')
        off = page.locator(".view-heads [aria-checked=false]")
        assert off.evaluate_all("all => all.map((each) => each.dataset.key)") == ["d2.1", "c1.2"]
        page.get_by_role("button", name="Switch all heads on").click()
        assert off.count() == 0
        page.go_back()
        page.wait_for_selector('[data-key="all-on"]')
        assert off.count() == 2


def test_the_keyboard_switches_a_layer(opened):
    with opened(VIEW) as page:
        wait_for_losses(page)
        page.locator('[data-key="c1.1"]').focus()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        layer = page.get_by_role("button", name="Cross-attention, layer 1: all on")
        layer.wait_for()
        off = page.locator(".view-heads [aria-checked=false]")
        keys = off.evaluate_all("all => all.map((each) => each.dataset.key)")
        assert keys == ["c1.1", "c1.2"]
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Cross-attention, layer 1: all off").wait_for()
        assert off.count() == 0


def without_tokens(labels):
    return [label.removeprefix("▁") for label in labels if label not in ("<start>", "<end>")]


def test_attention_is_next_to_what_each_word_loses_without_a_source_word(opened, translator, pair):
    source, target = pair
    words = words_of(translator.source_subwords.labels(source))
    before = per_word(translator, target, forced_logs(translator, *pair))
    losses = []
    for left_out in range(1, len(words.labels) - 1):
        rest = [i for i, word in zip(source, words.numbers, strict=True) if word != left_out]
        losses.append(before - per_word(translator, target, forced_logs(translator, rest, target)))
    losses = np.array(losses).T[:-1]  # the last row is the end token's
    [[best, *_]] = translator.translate([TEXT])
    *_, weights = read_attention(translator, TEXT, best, ("cross",), "all")
    weights = weights.with_words().with_mean_head()
    with opened(VIEW) as page:
        page.wait_for_selector(".view-heads .pair .cell", state="attached")
        tables = page.locator(".view-heads .pair details")
        columns, rows, shares = table_of(tables.nth(0))
        assert (rows, columns) == (without_tokens(weights.rows), without_tokens(weights.columns))
        shares = np.array([[percent(cell) for cell in row] for row in shares])
        np.testing.assert_allclose(shares, weights.weights[0][:-1, 1:-1], atol=0.006)
        columns, rows, shown = table_of(tables.nth(1))
        assert (rows, columns) == (without_tokens(weights.rows), without_tokens(weights.columns))
        shown = np.array([[number(cell) for cell in row] for row in shown])
        np.testing.assert_allclose(shown, losses, atol=0.006)
        agreement, correlation = texts(page, ".view-heads .agreement p")
    attention = weights.weights[0][:-1, 1:-1]
    agreeing = (attention.argmax(1) == losses.argmax(1)).sum()
    assert agreement.startswith(f"{agreeing} of {len(losses)} translated words")
    wanted = np.corrcoef(attention.ravel(), losses.ravel())[0, 1]
    found = number(correlation.removeprefix("Correlation of all cells: ").split(". ")[0])
    assert found == pytest.approx(wanted, abs=0.006)


def test_the_head_next_to_occlusion_is_the_chosen_one_of_the_attention(opened):
    with opened(VIEW) as page:
        page.wait_for_selector(".view-heads .pair .cell", state="attached")
        page.locator(".occlusion .choice").nth(1).get_by_label("2", exact=True).check()
        page.locator("#tab-attention").click()
        pressed = page.locator('#view-attention .heads [aria-pressed="true"]')
        pressed.wait_for()
        assert pressed.get_attribute("aria-label") == "Layer 2, head 2"


def test_pointing_at_a_cell_shows_its_values_in_both_pictures(opened):
    with opened(VIEW) as page:
        page.wait_for_selector(".view-heads .pair .cell", state="attached")
        page.locator('[data-key="occlusion-map"] .cell').nth(1).hover()
        cursors = page.locator(".view-heads .cursor")
        places = cursors.evaluate_all(
            "all => all.map((each) => [each.getAttribute('x'), each.getAttribute('y')])"
        )
        assert places[0] == places[1] != [None, None]
        pointed = texts(page, ".occlusion > .readout")[0]
        page.locator('[data-key="attention-map"]').focus()
        page.keyboard.press("ArrowLeft")
        assert texts(page, ".occlusion > .readout")[0] != pointed
        page.keyboard.press("ArrowRight")
        assert texts(page, ".occlusion > .readout")[0] == pointed


def test_the_focus_stays_at_the_edge_of_the_heads(opened):
    with opened(VIEW) as page:
        wait_for_losses(page)
        for key, arrow in [("e1.2", "ArrowUp"), ("c2.1", "ArrowDown")]:
            page.locator(f'[data-key="{key}"]').focus()
            page.keyboard.press(arrow)
            assert page.evaluate("document.activeElement.dataset.key") == key

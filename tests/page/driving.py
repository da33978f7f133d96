"""What the tests of the views do in the page, and read from it; and numbers from Python."""

import numpy as np
import tensorflow as tf


def type_text(page, text):
    """Type a text, and wait until the page has translated it."""
    page.wait_for_selector(".target .word")  # of the text with which the page opens
    # The subwords of another text differ. Something else may draw the same text again meanwhile.
    page.evaluate("""() => {
        const glosses = document.querySelector(".glosses");
        const before = glosses.textContent;
        window.drawn = new Promise((resolve, reject) => {
            const look = () => glosses.textContent !== before && resolve();
            new MutationObserver(look).observe(glosses, { childList: true });
            setTimeout(() => reject(document.querySelector(".notes").textContent), 30000);
        });
    }""")
    page.fill("#source", text)
    page.evaluate("() => window.drawn")


def texts(page, selector):
    """Return the text of each element."""
    return page.eval_on_selector_all(selector, "all => all.map((each) => each.textContent)")


def translation(page):
    """Return the words of the translation of the chosen sentence."""
    return texts(page, ".target .word .word-text")


def table(page, view):
    """Return the first table of a view as (labels of columns, labels of rows, cells)."""
    details = page.locator(f"#view-{view} details.table").first
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    rows = details.locator("table").evaluate(
        "table => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return rows[0][1:], [row[0] for row in rows[1:]], [row[1:] for row in rows[1:]]


def percent(text):
    """Return the number in a percentage of the page."""
    return float(text.lstrip("<").rstrip("%")) / 100


def log_probabilities(translator, text, prefix):
    """Return the log probabilities (T, V) of the ids after each id of a prefix, as in a search.

    A search does not generate some ids, which therefore have no probability.
    """
    inputs = tf.constant([translator.source_ids(text)]), tf.constant([list(prefix)])
    logits = translator.model(inputs, training=False)[0].numpy().astype(np.float64)
    logits[:, translator.target_subwords.suppressed_ids()] = -np.inf
    return logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)


def probabilities(translator, text, ids):
    """Return the probability of each id of a translation after the start token."""
    logs = log_probabilities(translator, text, ids[:-1])
    return np.exp(logs[np.arange(len(ids) - 1), ids[1:]])


def cells(rows):
    """Return the weights of a table; NaN where one is masked."""
    return np.array(
        [[np.nan if text == "masked" else percent(text) for text in row] for row in rows]
    )

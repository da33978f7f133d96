"""The view of decoding, in headless Chromium, against the network in Python."""

import numpy as np
import pytest

from tests.page.driving import log_probabilities, percent, probabilities, texts

TEXT = "ne fi lu na li"
LINK = f"view=steps&text={TEXT.replace(' ', '+')}"
BARS = ".view-steps button.bar"


def bars(page):
    """Return {id: probability} of the bars."""
    found = page.eval_on_selector_all(
        BARS, "all => all.map((each) => [each.dataset.key, each.getAttribute('aria-label')])"
    )
    return {int(key.removeprefix("choice")): percent(name.split(", ")[1]) for key, name in found}


def go_to(page, step):
    page.locator(f"[data-key=step{step}]").click()
    page.locator(f"[data-key=step{step}][aria-current=step]").wait_for()


def test_each_step_shows_the_most_probable_subwords(opened, translator):
    [[best]] = translator.translate([TEXT])
    logs = log_probabilities(translator, TEXT, best.ids[:-1])
    with opened(LINK) as page:
        page.wait_for_selector(BARS)
        for step, row in enumerate(logs, start=1):
            go_to(page, step)
            found = bars(page)
            wanted = np.argsort(-row)[:5]
            assert set(map(int, wanted)) <= set(found)
            for i, share in found.items():
                assert share == pytest.approx(np.exp(row[i]), abs=0.006)


def test_another_choice_continues_the_translation(opened, translator):
    [[best]] = translator.translate([TEXT])
    with opened(LINK) as page:
        page.wait_for_selector(BARS)
        go_to(page, 2)
        other = next(i for i in bars(page) if i != best.ids[2])
        page.locator(f"[data-key=choice{other}]").click()
        page.locator(".view-steps .verdict.changed").wait_for()
        row = log_probabilities(translator, TEXT, [*best.ids[:2], other])[1]
        assert bars(page)[other] == pytest.approx(np.exp(row[other]), abs=0.006)
        page.locator("[data-key=back]").press("Enter")
        page.locator(".view-steps .verdict.network").wait_for()
        step = page.evaluate("document.activeElement.dataset.key")
        assert step.startswith("step"), "the button disappeared"


def test_a_typed_translation_has_the_probability_of_the_network(opened, translator):
    own = "NE FI LI"
    ids = translator.target_subwords.encode(own)
    total = np.log(probabilities(translator, TEXT, ids)).sum()
    with opened(LINK) as page:
        page.wait_for_selector(BARS)
        page.get_by_role("radio", name="Your own").check()
        page.get_by_label("Your translation").fill(own)
        page.wait_for_function(
            "text => document.querySelector('.view-steps .verdict').textContent.includes(text)",
            arg=f"{total:.2f}".replace("-", "−"),
        )
        words = [text.split(",")[0] for text in texts(page, ".view-steps .strip-text")]
        assert words[: len(own.split())] == own.split()

"""The view of beam search, in headless Chromium, against the search in Python."""

import numpy as np
import pytest

from keras_transformer.search.settings import SearchSettings
from tests.page.driving import log_probabilities, percent, table, texts

TEXT = "ne fi lu na li"
LINK = f"view=beam&text={TEXT.replace(' ', '+')}"
BEAM = ".view-beam .node"


def number(text):
    """Return a number of the page, which has a true minus sign."""
    return float(text.lstrip("= ").replace("−", "-"))


@pytest.mark.parametrize(("beam_size", "penalty"), [(4, 1.5), (2, 0.0), (5, 0.6)])
def test_the_best_hypothesis_is_that_of_the_search(opened, translator, beam_size, penalty):
    settings = SearchSettings(beam_size=beam_size, length_penalty=penalty)
    [[best]] = translator.translate([TEXT], settings)
    with opened(f"{LINK}&beam={beam_size}&penalty={penalty}") as page:
        page.wait_for_selector(".view-beam .found tbody tr")
        first = page.locator(".view-beam .found tbody tr").first.locator("td, th").all_inner_texts()
        assert first[1] == best.text
        assert int(first[2]) == len(best.ids) - 1
        assert number(first[-1]) == pytest.approx(best.score, abs=0.006)


def test_the_candidates_have_the_probabilities_of_the_network(opened, translator):
    with opened(LINK) as page:
        page.wait_for_selector(BEAM)
        columns, _, rows = table(page, "beam")
        probability = columns.index("Probability")
        logs = log_probabilities(translator, TEXT, [translator.target_subwords.start])[0]
        wanted = np.sort(np.exp(logs))[::-1][:8]
        found = [percent(row[probability]) for row in rows[:8]]
        np.testing.assert_allclose(found, wanted, atol=0.006)


def test_the_winning_path_is_the_translation(opened, translator):
    [[best]] = translator.translate([TEXT])
    with opened(LINK) as page:
        page.wait_for_selector(f"{BEAM}.winner")
        assert page.locator(f"{BEAM}.winner").count() == len(best.ids)


def test_dropped_candidates_can_be_shown(opened):
    with opened(LINK) as page:
        page.wait_for_selector(BEAM)
        assert page.locator(f"{BEAM}.dropped").count() == 0
        page.get_by_label("Show dropped candidates").check()
        page.locator(f"{BEAM}.dropped").first.wait_for()


def test_the_keyboard_moves_along_the_tree(opened):
    with opened(LINK) as page:
        page.wait_for_selector(BEAM)
        page.locator('[data-key="node0"]').focus()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.dataset.key").startswith("node1.")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("document.activeElement.dataset.key") == "node0"


def test_choosing_another_hypothesis_marks_its_path(opened):
    with opened(LINK) as page:
        page.locator('[data-key="found2"]').click()
        page.wait_for_selector('[data-key="found2"][aria-pressed=true]')
        [text] = texts(page, '[data-key="found2"]')
        assert text in page.locator(".view-beam .beam-picture .readout").inner_text()

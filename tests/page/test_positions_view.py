"""The view of positions, in headless Chromium, against the encoding in Python."""

import numpy as np

from keras_transformer.inspection.embedded_sentence import embedded_sentence
from keras_transformer.inspection.projection import principal_components
from keras_transformer.model.positions import positional_encoding
from tests.page.conftest import SETTINGS

TEXT = "ne fi lu na li"
LINK = f"view=positions&text={TEXT.replace(' ', '+')}"
TIPS = """all => all.map((ring) => {
    const tip = ring.querySelector(".tip");
    const dimensions = ring.querySelector(".dimensions").textContent;
    return [dimensions, Number(tip.getAttribute("cx")), Number(tip.getAttribute("cy"))];
})"""


def test_the_hands_have_the_angles_of_the_encoding(opened):
    table = positional_encoding(50, SETTINGS["d_model"])[0]
    with opened(f"{LINK}&position=5") as page:
        page.wait_for_selector(".view-positions .rings li")
        page.wait_for_timeout(500)  # the hands have moved to their places
        for dimensions, x, y in page.eval_on_selector_all(".view-positions .rings li", TIPS):
            even, odd = map(int, dimensions.replace(" ", "").split(","))
            radius = np.hypot(x, y)
            np.testing.assert_allclose([-y / radius, x / radius], table[5, [even, odd]], atol=0.01)


def test_the_components_are_those_of_the_embeddings(opened, translator):
    embedded = embedded_sentence(translator, TEXT)
    projection = principal_components(np.concatenate([embedded.before, embedded.after]))
    wanted = np.hstack([projection.project(embedded.before), projection.project(embedded.after)])
    with opened(LINK) as page:
        page.wait_for_selector(".view-positions .movements .arrow")
        details = page.locator(".view-positions details.table").nth(1)
        details.locator("summary").click()
        rows = details.locator("table").evaluate(
            "table => [...table.rows].slice(1).map((row) => "
            "[...row.cells].slice(1).map((cell) => cell.textContent))"
        )
        found = [[float(text.replace("−", "-")) for text in row] for row in rows]
        np.testing.assert_allclose(np.array(found)[:, -4:], wanted, atol=0.06)


COLORS = "each => [getComputedStyle(each).backgroundColor, getComputedStyle(each).color]"


def test_the_chosen_subword_keeps_its_colors_under_the_pointer(opened):
    with opened(LINK) as page:
        page.locator('[data-key="position2"]').click()
        chosen = page.locator('[data-key="position2"][aria-pressed="true"]')
        chosen.hover()
        under_pointer = chosen.evaluate(COLORS)
        page.mouse.move(0, 0)
        assert chosen.evaluate(COLORS) == under_pointer

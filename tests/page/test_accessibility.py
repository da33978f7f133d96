"""The page against the rules of axe-core, in each view, in light and dark, wide and narrow."""

from pathlib import Path

import pytest

from tests.page.conftest import DESKTOP, PHONE

# The worker may fill the view later than it appears.
HEADINGS_FILLED = """() => [...document.querySelectorAll("[role=tabpanel]:not([hidden]) h3")]
    .every((each) => each.textContent)"""
AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
# Intended: axe-core is not a Python package. `npm install` installs it.
pytestmark = pytest.mark.skipif(not AXE.is_file(), reason="needs axe-core")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(opened, size, scheme):
    with opened("text=ne+fi+lu", color_scheme=scheme) as page:
        page.set_viewport_size(size)
        page.wait_for_selector(".target .word")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        tabs = page.get_by_role("tab")
        assert tabs.count() == 5
        for number in range(5):
            tabs.nth(number).click()
            page.wait_for_load_state("networkidle")
            page.locator("[role=tabpanel]:visible .about").wait_for()
            page.wait_for_function(HEADINGS_FILLED)
            page.eval_on_selector_all("details", "all => all.forEach((each) => (each.open = true))")
            found = page.evaluate("axe.run(document)")
            assert [
                (tabs.nth(number).inner_text(), each["id"], each["nodes"][0]["html"])
                for each in found["violations"]
            ] == []

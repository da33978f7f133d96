"""Pictures fit the width of the page, also after it changes, and their labels stay in sight."""

import pytest

from tests.page.driving import type_text

TEXT = "ne fi lu na li"
SCROLLS = """() => {
    const area = document.querySelector('[data-key="occlusion-map"]');
    return area && area.scrollWidth > area.clientWidth + 50;
}"""
# Scrolls to the right and, in the frame in which the other map follows, back.
BACK_AND_FORTH = """async (area) => {
    const frame = () => new Promise(requestAnimationFrame);
    area.scrollTo({ left: 50 });
    await frame();
    area.scrollTo({ left: 0 });
    await frame();
    await frame();
    return area.scrollLeft;
}"""
NARROW = {"width": 360, "height": 800}
PICTURES = {
    "beam": ".view-beam .edges",
    "positions": ".view-positions .movements svg",
    "heads": '[data-key="attention-map"] svg[role="img"]',
}
IS_WIDE = """([picture, width]) => {
    const found = document.querySelector(picture);
    return found && Math.abs(found.getBoundingClientRect().width - width) < 1;
}"""


def width_of(page, picture):
    """The width of a picture in pixels."""
    page.locator(picture).wait_for()
    return page.locator(picture).bounding_box()["width"]


@pytest.mark.parametrize(("view", "picture"), PICTURES.items())
def test_a_picture_is_drawn_again_for_another_width(opened, view, picture):
    with opened(f"view={view}&text={f'{TEXT} {TEXT}'}") as page:
        desktop, wide = page.viewport_size, width_of(page, picture)
        page.set_viewport_size(NARROW)
        page.reload()
        assert width_of(page, picture) < wide
        page.set_viewport_size(desktop)
        page.wait_for_function(IS_WIDE, arg=[picture, wide])


def test_the_labels_of_the_rows_stay_in_sight(opened):
    with opened("view=heads") as page:
        page.set_viewport_size(NARROW)
        type_text(page, " ".join([TEXT] * 6))
        page.wait_for_function(SCROLLS)
        area = page.locator('[data-key="occlusion-map"]')
        labels = area.locator(".row-labels")
        before = labels.bounding_box()
        area.evaluate("area => area.scrollTo({ left: 50 })")
        assert area.evaluate("area => area.scrollLeft") == 50
        assert labels.bounding_box() == before
        # A cell that the arrow keys reach is not behind the labels.
        area.focus()
        page.keyboard.press("ArrowRight")
        cursor = area.locator(".cursor").bounding_box()
        assert cursor["x"] >= before["x"] + before["width"] - 1


def test_the_map_that_follows_does_not_take_a_scroll_back(opened):
    with opened("view=heads") as page:
        page.set_viewport_size(NARROW)
        type_text(page, " ".join([TEXT] * 6))
        page.wait_for_function(SCROLLS)
        assert page.locator('[data-key="occlusion-map"]').evaluate(BACK_AND_FORTH) == 0

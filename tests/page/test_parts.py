"""Parts of the page by themselves, in headless Chromium, without a network."""

import pytest

from tests.page.conftest import PHONE
from tests.page.driving import texts

ARABIC = {
    "source": ["▁أنا", "▁حز", "ين"],
    "target": ["▁أنا", "▁حز", "ين"],
    "translation": "أنا حزين",
}
ENGLISH = {
    "source": ["▁I", "▁am", "▁sad"],
    "target": ["▁I", "▁am", "▁sad"],
    "translation": "I am sad",
}
CHINESE = {"source": ["▁", "我", "不吃", "▁a"], "target": ["▁我", "不", "吃肉", "▁a"]}
# Parts, and the element in each that contains text of a translation.
TEXTS = {
    "panel": ".glosses .word",
    "strip": ".strip-word",
    "effect": ".version",
    "beam": ".prefix",
    "found": "tbody button",
}


def places(page, selector):
    """The left edges of elements in pixels."""
    found = page.eval_on_selector_all(
        selector, "all => all.map((each) => each.getBoundingClientRect().x)"
    )
    assert found
    return found


def direction(page, selector):
    return page.locator(selector).first.evaluate("each => getComputedStyle(each).direction")


def focus(page):
    return page.evaluate("document.activeElement.dataset.key")


def given(part, sentence):
    """What a part is made of, given a sentence and its translation."""
    return {"sentences": [sentence]} if part == "panel" else sentence


@pytest.mark.parametrize(("name", "selector"), TEXTS.items())
def test_text_has_the_direction_of_its_script(part, name, selector):
    assert direction(part(name, **given(name, ARABIC)), selector) == "rtl"
    assert direction(part(name, **given(name, ENGLISH)), selector) == "ltr"


def test_a_typed_translation_has_the_direction_of_its_script(part):
    page = part("own")
    page.eval_on_selector("textarea", "area => { area.value = 'أنا حزين'; }")
    assert direction(page, "textarea") == "rtl"


@pytest.mark.parametrize(
    ("name", "selector"),
    [("panel", ".glosses .word"), ("panel", ".target .word"), ("strip", ".strip-word")],
)
def test_the_words_of_arabic_run_from_right_to_left(part, name, selector):
    right_to_left = places(part(name, **given(name, ARABIC)), selector)
    assert right_to_left == sorted(right_to_left, reverse=True)
    left_to_right = places(part(name, **given(name, ENGLISH)), selector)
    assert left_to_right == sorted(left_to_right)


@pytest.mark.parametrize(
    ("sentence", "to_the_next"), [(ENGLISH, "ArrowRight"), (ARABIC, "ArrowLeft")]
)
def test_arrow_keys_follow_the_direction(part, sentence, to_the_next):
    page = part("strip", **sentence)
    page.locator('[data-key="step1"]').focus()
    page.keyboard.press(to_the_next)
    assert focus(page) == "step2"


def test_arrow_keys_lead_to_the_other_column_and_back_to_the_same_word(part):
    page = part("lines", rows=["eins", "zwei"], columns=["one", "two", "three"])
    page.locator('[data-key="c0"]').focus()
    keys = ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft", "End", "ArrowUp"]
    visited = []
    for key in keys:
        page.keyboard.press(key)
        visited.append(focus(page))
    assert visited == ["c1", "r0", "r1", "c1", "c1", "c2", "c1"]


@pytest.mark.parametrize("value", [0, 0.62, 1.05, 1.5, 2.99, 3])
def test_the_length_penalty_that_is_used_is_shown(part, value):
    page = part("penalty", value=value)
    assert texts(page, "output") == [str(value)]
    assert float(page.locator("input").input_value()) == value


def test_a_slider_shows_a_value_between_its_steps(part):
    page = part("slider", value=0.625, min=0, max=3, step=0.25)
    assert texts(page, "output") == ["0.625"]
    page.locator("input").focus()
    page.keyboard.press("ArrowRight")
    assert texts(page, "output") == [page.locator("input").input_value()]


NO_WORDS = {"source": ["▁I"], "target": [], "translation": ""}  # only the start and the end token
NO_TARGET = {"source": ["▁I"], "target": None, "translation": ""}  # as from a server
NOTHING = {"source": None, "target": None, "translation": ""}


@pytest.mark.parametrize(
    ("sentence", "notice"),
    [
        (ENGLISH, ""),
        (NO_WORDS, ""),
        (NO_TARGET, "The translation of this sentence is empty."),
        (NOTHING, "Type a sentence above."),
    ],
)
def test_an_empty_translation_is_not_taken_for_an_empty_sentence(part, sentence, notice):
    page = part("frame", **sentence)
    assert page.locator(".notice").inner_text() == notice


@pytest.mark.parametrize(
    ("sentence", "shown"), [(NO_WORDS, "(empty)"), (NO_TARGET, "(empty)"), (NOTHING, "")]
)
def test_an_empty_translation_is_called_empty(part, sentence, shown):
    assert texts(part("panel", sentences=[sentence]), ".target .sentence") == [shown]


def test_empty_translations_have_buttons_with_text(part):
    page = part("panel", sentences=[ENGLISH, NO_WORDS])
    assert texts(page, ".target .other") == ["(empty)"]
    assert texts(part("found", translation=""), "tbody button") == ["(empty)"]
    assert texts(part("effect", **NO_WORDS), ".version") == ["(empty)"]


def test_an_empty_translation_has_heat_maps_without_rows(part):
    page = part("occlusion", **ENGLISH)
    assert page.locator(".occlusion rect.cell").count() == 2 * 3 * 3
    page = part("occlusion", **NO_WORDS)
    assert page.locator(".occlusion rect.cell").count() == 0
    assert texts(page, ".agreement strong") == ["0 of 0"]


def test_words_of_a_language_without_spaces_are_subwords(part):
    sentence = CHINESE | {"translation": "我不吃肉 a", "unspaced": {"source": True, "target": True}}
    page = part("panel", sentences=[sentence])
    assert texts(page, ".glosses .word-text") == ["我", "不吃", "a"]
    assert texts(page, ".target .word-text") == ["我", "不", "吃肉", "a"]
    # Each has the probability of its subword.
    assert texts(page, ".target .probability") == ["50%", "50%", "50%", "50%"]
    page = part("effect", **sentence)
    assert texts(page, ".version") == ["我不吃肉 a"]
    assert texts(part("strip", **sentence), ".strip-word .chips") == [
        "我",
        "不",
        "吃肉",
        "a",
        "<end>",
    ]


def test_the_words_of_other_languages_keep_their_spaces(part):
    page = part("effect", **ENGLISH)
    assert texts(page, ".version") == ["I am sad"]


def test_a_number_before_arabic_does_not_make_it_run_from_left_to_right(part):
    sentence = {"source": ["▁2", "▁كتب"], "target": ["▁2", "▁كتب"], "translation": "2 كتب"}
    page = part("panel", sentences=[sentence])
    assert direction(page, ".target .word") == "rtl"
    words = places(page, ".target .word")
    assert words == sorted(words, reverse=True)


def test_hidden_probabilities_do_not_widen_a_narrow_page(part):
    words = {"source": ["▁a"], "target": ["▁a"] * 60, "translation": " ".join("a" * 60)}
    page = part("panel", sentences=[words])
    for width in range(340, 361, 2):
        page.set_viewport_size(PHONE | {"width": width})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_bytes_of_a_hypothesis_are_combined_to_characters(part):
    page = part("beam", target=["▁我", "<0xE9>", "<0xBE>", "<0x98>"])
    assert texts(page, ".beam-picture .prefix") == ["我龘"]
    assert texts(page, ".node .label")[-1] == "byte 98"
    page = part("beam", target=["▁我", "<0xE9>", "<0xBE>"])
    assert texts(page, ".beam-picture .prefix") == ["我"]

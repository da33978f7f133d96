"""docs/walkthrough.md: figures in its text. Its examples are tested by test_sessions.py."""

import re

import numpy as np

from tests.programs import HOME

PAGE = (HOME / "docs/walkthrough.md").read_text(encoding="utf-8")


def test_the_table_of_parameters_adds_up():
    rows = re.findall(r"^\| (.+) \| ([\d,]+) \| (.*?) ?\|$", PAGE, re.MULTILINE)
    numbers = {part: int(number.replace(",", "")) for part, number, _ in rows}
    for part, _, formula in rows:
        if formula:
            expression = formula.replace(",", "").replace("·", "*").replace("²", "**2")
            assert numbers[part] == eval(expression), part
    assert len(rows) == 6
    assert numbers.pop("total") == sum(numbers.values())


def test_the_figures_in_the_text_follow_from_their_formulas():
    assert f"{np.exp(2) / (np.exp(2) + 1):.4f}" == "0.8808" in PAGE
    smoothed = 0.1 * 3 / 4 * 10 + np.log(1 + 3 * np.exp(-10))
    assert f"{smoothed:.4f}" == "0.7501" in PAGE
    assert f"{1 / np.sqrt(512 * 4000):.3g}" == "0.000699" in PAGE

"""The paired bootstrap, against sacrebleu's own command line."""

import re
import subprocess
import sys

import pytest

from keras_transformer.translation.significance import compare, format_comparison

REFERENCES = [f"the {a} {b} sees a {c} ." for a in "xyz" for b in "pqrs" for c in "uvw"]
ONE = [line.replace("p", "q") for line in REFERENCES]
TWO = [line.replace("sees a", "sees the").replace("x", "y") for line in REFERENCES]


@pytest.mark.parametrize(
    ("options", "flags"),
    [({}, []), ({"tokenize": "none", "lowercase": True}, ["--tokenize", "none", "--lowercase"])],
)
def test_comparisons_equal_those_of_the_command_line_of_sacrebleu(tmp_path, options, flags):
    """The table has three decimals for the references, and four for p-values."""
    lines = {"references": REFERENCES, "baseline": TWO, "translations": ONE}
    for name, text in lines.items():
        (tmp_path / name).write_text("\n".join(text) + "\n", encoding="utf-8")
    # Its JSON format fails for chrF in sacrebleu 2.6: the means are NumPy numbers.
    command = [sys.executable, "-m", "sacrebleu", "references", "--paired-bs", "--format", "text"]
    command += ["--input", "baseline", "translations", "--metrics", "bleu", "chrf", "--width", "4"]
    done = subprocess.run(
        [*command, *flags], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    baseline = re.findall(r"([\d.]+) \(([\d.]+) ± ([\d.]+)\)", done.stdout)
    p_values = re.findall(r"\(p = ([\d.]+)\)", done.stdout)
    assert (len(baseline), len(p_values)) == (4, 2)
    others, wanted = baseline[:2], baseline[2:]
    found = compare(ONE, TWO, REFERENCES, **options)
    for each, row, other, p_value in zip(found.values(), wanted, others, p_values, strict=True):
        assert _shown(each.score, each.mean, each.half_width) == row
        assert _shown(each.baseline, each.baseline_mean, each.baseline_half_width) == other
        assert f"{each.p_value:.4f}" == p_value
        assert "|bs:1000|seed:12345|" in each.signature
        text = format_comparison("Metric", each)
        difference = f"{each.score - each.baseline:+.2f}"
        assert f"Metric: {difference} compared with the baseline's {each.baseline:.2f}" in text
        assert f"p = {each.p_value:.3f};" in text


def _shown(*numbers):
    return tuple(f"{number:.4f}" for number in numbers)


def test_equal_translations_do_not_differ():
    for each in compare(ONE, list(ONE), REFERENCES).values():
        assert each.p_value == 1
        assert each.score == each.baseline
        assert (each.mean, each.half_width) == (each.baseline_mean, each.baseline_half_width)


def test_equal_scores_of_unequal_texts_do_not_differ():
    upper = [line.upper() for line in ONE]
    for each in compare(ONE, upper, REFERENCES, lowercase=True).values():
        assert (each.score, each.p_value) == (each.baseline, 1)
    found = compare(["Haus .", "b c d e f"], ["Haus.", "b c d e f"], ["Haus.", "b c d e f"])
    assert found["bleu"].score == found["bleu"].baseline
    assert found["bleu"].p_value == 1


def test_a_clear_difference_is_not_due_to_chance():
    bad = ["".join(reversed(line)) for line in REFERENCES]
    for each in compare(REFERENCES, bad, REFERENCES).values():
        assert each.score == pytest.approx(100)
        assert each.p_value < 0.01

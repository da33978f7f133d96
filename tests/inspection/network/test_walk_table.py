import numpy as np
import pytest

from keras_transformer.inspection.network.reading import prefix_reading, source_reading
from keras_transformer.inspection.network.walk import walk
from keras_transformer.inspection.network.walk_table import WIDTH, number, table
from keras_transformer.pictures.style import JOINERS, printable
from keras_transformer.text.columns import columns
from tests.joiners import JOINED


def lines_for(translator, sentence, prefix):
    source, target = source_reading(translator, sentence), prefix_reading(translator, prefix)
    stages = walk(translator.model, source.ids, target.ids)
    return table(stages, translator.model, source, target), stages, source, target


def row(lines, name, note):
    [found] = [line for line in lines if f" {name} " in line and line.endswith(f"  {note}")]
    return found


def test_the_table_begins_with_the_text_and_the_ids(translator):
    lines, _, source, target = lines_for(translator, "ba  lo", "ki")
    assert lines[:3] == ["source", "  characters  ba  lo", "  normalized  ▁ba▁lo"]
    assert lines[3].split() == ["subwords", *source.labels()]
    assert lines[4].split() == ["ids", *map(str, source.ids)]
    start = lines.index("target prefix")
    assert lines[start + 3].split() == ["subwords", *target.labels()]


@pytest.mark.parametrize("prefix", ["", "ki lo"])
def test_each_step_has_a_row_with_its_letters_and_its_shape(translator, prefix):
    lines, stages, _, _ = lines_for(translator, "ba be lo", prefix)
    start = next(i for i, line in enumerate(lines) if line.split()[:2] == ["part", "letters"])
    rows = [line.split() for line in lines[start + 1 :] if line.startswith("  ")]
    steps = [step for stage in stages for step in stage.steps]
    assert len(rows) >= len(steps) > 20  # the most probable subwords follow
    for cells, step in zip(rows, steps, strict=False):
        assert step.part.endswith(cells[0])
        assert cells[1] == "×".join(step.letters)
        assert cells[2] == "×".join(map(str, step.values.shape))
    for stage in stages:
        assert stage.name in lines


def test_the_numbers_are_those_of_the_position_that_is_named(translator):
    lines, stages, source, target = lines_for(translator, "ba be lo", "ki lo")
    steps = {(step.part, step.tensor): step.values for stage in stages for step in stage.steps}
    explained = " ".join(lines)
    assert f"that of {source.labels()[1]}, in the decoder" in explained
    assert f"that of {target.labels()[-1]}. Of attention" in explained
    queries = steps["decoder.dec_layers[0].self_attention.mha", "queries"][0, 0, -1, :3]
    decoder = lines[lines.index("decoder.dec_layers[0]") :]
    shown = [float(cell) for cell in row(decoder, "self_attention.mha", "queries").split()[3:6]]
    np.testing.assert_allclose(shown, queries, atol=5.1e-4)
    embedded = steps["encoder.embedding.embedding", "output"][0, 1, :3]
    encoder = lines[: lines.index("decoder.embedding")]
    shown = [float(cell) for cell in row(encoder, "embedding", "one-hot × table").split()[3:6]]
    np.testing.assert_allclose(shown, embedded, atol=5.1e-4)
    one_hot = row(encoder, "encoder.embedding", "a 1 at the id").split()
    assert one_hot[3:7] == ["1.000", "at", "id", str(source.ids[1])]


def test_the_largest_attention_weight_is_shown_with_its_subword(translator):
    lines, stages, source, _ = lines_for(translator, "ba be lo", "ki")
    [weights] = [
        step.values
        for stage in stages
        for step in stage.steps
        if step.part.endswith("cross_attention.mha") and step.tensor == "weights"
    ]
    largest = int(np.argmax(weights[0, 0, -1]))
    cells = row(lines, "cross_attention.mha", "attention weights").split()
    assert cells[3:5] == [f"{weights[0, 0, -1, largest]:.3f}", "on"]
    assert source.labels()[largest].startswith(cells[5])


def test_the_ten_most_probable_subwords_are_listed_with_bars(translator):
    lines, stages, _, target = lines_for(translator, "ba be lo", "")
    probabilities = stages[-1].steps[-1].values[0, -1]
    best = np.argsort(-probabilities)[:10]
    listed = [line.split() for line in lines[lines.index("most probable next subwords") + 1 :]]
    assert [int(cells[1]) for cells in listed] == best.tolist()
    assert [cells[0] for cells in listed] == target.subwords.labels(best)
    for cells, i in zip(listed, best, strict=True):
        assert float(cells[2]) == pytest.approx(probabilities[i], abs=5.1e-5)
        assert len(cells[3] if cells[3:] else "") == round(probabilities[i] * 40)


@pytest.mark.parametrize(
    "sentence", ["ba", "ba " * 12, "漢字 かな", "ü\x07$x$\u0301\udcff", " ".join(JOINED)]
)
def test_the_table_fits_a_terminal(translator, sentence):
    lines, *_ = lines_for(translator, sentence, sentence)
    assert max(map(columns, lines)) <= WIDTH
    assert all(
        character.isprintable() or character in JOINERS for line in lines for character in line
    )


def test_joiners_are_shown_and_occupy_no_column(translator):
    text = " ".join(JOINED)
    lines, *_ = lines_for(translator, text, "")
    assert lines[1] == f"  characters  {text}"
    assert [columns(word) for word in JOINED] == [7, 2, 6]


def test_control_characters_are_not_printed():
    assert printable("a\tb\x1b[0m") == "a b\ufffd[0m"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, " 0.000"),
        (-0.0464, "-0.046"),
        (9.9996, " 10.00"),
        (-12.345, "-12.35"),
        (123.45, " 123.5"),
    ],
)
def test_numbers_have_as_many_digits_as_fit(value, text):
    assert number(value) == text

"""examples/visual_question_answering.py: its pictures, questions, network and drawing."""

import itertools
import logging
import random
import re
from collections import Counter, defaultdict

import keras
import numpy as np
import pytest
import tensorflow_datasets as tfds
from matplotlib.image import imread

from keras_transformer.errors import UserError
from tests.programs import load_script

vqa = load_script("examples/visual_question_answering")
RGB = {(255, 0, 0): "red", (0, 0, 255): "blue", (0, 128, 0): "green", (255, 255, 0): "yellow"}
CELL = 16


# TensorFlow warns that the functions of data sets are traced nevertheless.
pytestmark = [
    pytest.mark.usefixtures("eager"),
    pytest.mark.filterwarnings("ignore:Even though the .*run_functions_eagerly"),
]


def things_in(picture):
    """Find the things in a picture by color and outline: (row, column, color, shape)."""
    for row, column in itertools.product(range(3), range(3)):
        cell = picture[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
        drawn = (cell != 235).any(-1)
        if drawn.any():
            [color] = {tuple(pixel.tolist()) for pixel in cell[drawn]}
            yield row, column, RGB[color], shape_of(drawn)


def shape_of(drawn):
    """Name the shape of the pixels that are set."""
    rows, columns = (np.flatnonzero(drawn.any(axis)) for axis in (1, 0))
    box = drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if box.all():
        return "square"
    if box.mean() > 0.6:
        return "circle"
    return "diamond" if (box == box[::-1]).all() else "triangle"


def is_called(thing, name):
    return set(re.sub("s$", "", name).split()) <= {*thing[2:], "thing"}


def holds(one, relation, other):
    down, right = one[0] - other[0], one[1] - other[1]
    return {"above": -down, "below": down, "left of": -right, "right of": right}[relation] > 0


def solve(question, things):
    """Answer a question by trying all things; fail if there is not exactly one answer."""
    if match := re.fullmatch(r"How many (.+) are there\?", question):
        return str(sum(is_called(thing, match[1]) for thing in things))
    if match := re.fullmatch(r"Is there a (.+)\?", question):
        return "yes" if any(is_called(thing, match[1]) for thing in things) else "no"
    pattern = r"What (color|shape) is the (.+?)(?: (left of|right of|above|below) the (.+))?\?"
    asked, name, relation, other = re.fullmatch(pattern, question).groups()
    found = [thing for thing in things if is_called(thing, name)]
    if relation:
        [anchor] = (thing for thing in things if is_called(thing, other))
        found = [thing for thing in found if holds(thing, relation, anchor)]
    [thing] = found
    return thing[2 if asked == "color" else 3]


@pytest.fixture(scope="module")
def data():
    return vqa.make_data(1500, "validation", 0)


def test_a_solver_that_reads_the_pixels_finds_every_answer(data):
    for picture, questions, answers in zip(
        data.pictures[:200], data.questions, data.answers, strict=False
    ):
        things = list(things_in(picture))
        assert 2 <= len(things) <= 6
        assert [solve(question, things) for question in questions] == answers.tolist()


def test_all_questions_about_a_scene_have_one_answer():
    """Fails if a question is ambiguous, also one that was not chosen."""
    draw, kinds = random.Random(1), set()
    for _ in range(50):
        cells = draw.sample(range(9), draw.randint(2, 9))
        scene = [
            vqa.Thing(*divmod(cell, 3), draw.choice(list(RGB.values())), draw.choice([*vqa.SHAPES]))
            for cell in cells
        ]
        for kind, question, answer in vqa.questions_about(scene):
            assert solve(question, [tuple(thing) for thing in scene]) == answer, question
            kinds.add(kind)
    assert kinds == set(vqa.KINDS)


def test_a_relation_is_needed_to_answer_a_question_about_one(data):
    """Without it, more than one thing would fit, and they would not all give the same answer."""
    for (n, q), question in np.ndenumerate(data.questions):
        if data.kinds[n, q].startswith("relation"):
            asked, name = re.match(
                "What (color|shape) is the (.+?) (?:left|right|above|below) ", question
            ).groups()
            fitting = [t for t in things_in(data.pictures[n]) if is_called(t, name)]
            assert len({thing[2 if asked == "color" else 3] for thing in fitting}) > 1


def test_guessing_answers_less_than_half_of_the_questions(data):
    """The best guess is the most frequent answer to a sentence, even if counted in the test."""
    answers, right = defaultdict(Counter), Counter()
    for kind, question, answer in zip(
        data.kinds.flat, data.questions.flat, data.answers.flat, strict=True
    ):
        answers[kind, question][answer] += 1
    for (kind, _), counts in answers.items():
        right[kind] += counts.most_common(1)[0][1]
    shares = {kind: right[kind] / (data.kinds == kind).sum() for kind in right}
    assert right.total() / data.kinds.size < 0.5
    assert shares.pop("yes/no") < 0.65
    assert max(shares.values()) < 0.5
    assert all((data.kinds == kind).sum() > 100 for kind in vqa.KINDS)


def test_training_and_test_data_have_no_picture_and_no_new_sentence_in_common(data):
    train = vqa.make_data(1500, "train", 0)
    new = set(data.questions[data.kinds == "relation in a new sentence"])
    assert len(new) >= 4
    assert new.isdisjoint(train.questions.flat)
    assert {p.tobytes() for p in train.pictures}.isdisjoint(p.tobytes() for p in data.pictures)


def network(length=5):
    keras.utils.set_random_seed(0)
    return vqa.VisualQuestionAnswering(vqa.small_cnn(), 9, length, 7)


def inputs(length=5):
    draw = np.random.default_rng(0)
    pictures = draw.integers(0, 256, (2, 48, 48, 3), np.uint8)
    ids = draw.integers(1, 9, (2, 3, length))
    ids[0, 1, 3:] = 0
    return pictures, ids


def test_the_attention_of_each_word_to_the_parts_of_the_picture_sums_to_1():
    answers, attention = network()(inputs(), return_attention=True)
    assert answers.shape == (2, 3, 7)
    np.testing.assert_allclose(np.sum(answers, -1), 1, rtol=1e-5)
    assert len(attention) == 3
    for weights in attention:
        assert weights.shape == (2, 3, 4, 5, 3, 3)
        np.testing.assert_allclose(np.sum(weights, (-2, -1)), 1, rtol=1e-5)


def test_questions_do_not_influence_each_other_and_padding_does_not_matter():
    model, (pictures, ids) = network(8), inputs()
    expected = model((pictures, ids))
    changed = ids.copy()
    changed[:, 0] = 4
    np.testing.assert_allclose(model((pictures, changed))[:, 1:], expected[:, 1:], atol=1e-5)
    padded = np.pad(ids, [(0, 0), (0, 0), (0, 3)])
    np.testing.assert_allclose(model((pictures, padded)), expected, atol=1e-5)


def test_the_answer_depends_on_the_place_of_the_parts_and_on_the_order_of_the_words():
    """The positions make the difference: attention alone ignores the order."""
    model, (_, ids) = network(), inputs()
    picture = np.full((1, 48, 48, 3), 235, np.uint8)
    picture[:, 16:24, 16:24] = 0
    first = model((picture, ids[1:]))
    for axis in (1, 2):
        moved = model((np.roll(picture, CELL, axis), ids[1:]))
        assert np.abs(first - moved).max() > 1e-4
    assert np.abs(first - model((picture, ids[1:, :, ::-1]))).max() > 1e-4


def test_the_drawn_weights_are_those_of_the_network(data):
    few = vqa.Data(*(each[:8] for each in data))
    words = ["", *"abcdefgh"]
    draw = np.random.default_rng(0)
    ids = draw.integers(1, 9, (8, 4, 5))
    ids[:, :, 3:] = 0
    model = network()
    figure = vqa.draw(model, (few.pictures, ids), few, few.answers, words)
    _, attention = model((few.pictures, ids), return_attention=True)
    panels = iter([axes for axes in figure.axes if axes.images])
    texts = [text.get_text() for text in figure.texts]
    for kind in sorted(set(few.kinds.flat))[-4:]:
        n, q = min(zip(*np.nonzero(few.kinds == kind), strict=True))
        assert any(few.questions[n, q] in text and few.answers[n, q] in text for text in texts)
        for layer in (0, 2):
            drawn = next(panels).images[0].get_array()
            np.testing.assert_array_equal(drawn, few.pictures[n] / 255)
            for word in range(3):
                panel = next(panels)
                assert panel.get_title() == words[ids[n, q, word]]
                expected = sum(attention[layer][n, q, head, word] for head in range(4)) / 4
                np.testing.assert_allclose(panel.images[1].get_array(), expected, atol=1e-6)
    assert not list(panels)


def test_the_table_lists_the_share_of_correct_answers(capsys):
    kinds, answers = np.array([["a", "b"], ["a", "a"]]), np.array([["1", "2"], ["3", "4"]])
    data = vqa.Data(None, kinds, None, answers)
    vqa.print_accuracy(data, {"one": answers, "two": np.array([["1", "1"], ["1", "4"]])})
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line]
    assert rows == [
        ["question", "one", "two"],
        ["a", "100.0%", "66.7%"],
        ["b", "100.0%", "0.0%"],
        ["all", "100.0%", "50.0%"],
    ]


SMALL = ("--pictures", "6", "--test-pictures", "4", "--epochs", "1")


def test_a_short_run_prints_a_table_and_draws_a_picture(tmp_path, capsys):
    vqa.main([*SMALL, "--output", str(tmp_path / "x.png")])
    assert imread(tmp_path / "x.png").ndim == 3
    out = capsys.readouterr().out
    assert re.search(r"question +blind network +network\n", out)
    assert re.search(r"\nall +\d+\.\d% +\d+\.\d%\n", out)


def test_a_run_on_data_with_the_features_of_clevr(tmp_path, capsys):
    with tfds.testing.mock_data(num_examples=6):
        vqa.main([*SMALL, "--tfds", "clevr", "--output", str(tmp_path / "x.png")])
    assert (tmp_path / "x.png").exists()
    assert re.search(r"\nall +\d+\.\d% +\d+\.\d%\n", capsys.readouterr().out)


def test_clevr_has_several_questions_about_a_picture():
    with tfds.testing.mock_data(num_examples=6):
        [one, *_] = tfds.as_numpy(tfds.load("clevr", split="train"))
        data = vqa.load_data(3, "train", "clevr")
    assert data.pictures.shape == (3, 96, 96, 3)
    asked = [text.decode() for text in one["question_answer"]["question"]]
    assert data.questions[0].tolist() == (asked * 5)[:5]
    answers = [text.decode() for text in one["question_answer"]["answer"]]
    assert data.answers[0].tolist() == (answers * 5)[:5]


def test_without_the_weights_of_vgg16_there_is_a_warning(monkeypatch, caplog):
    vgg16 = keras.applications.VGG16

    def offline(weights="imagenet", **options):
        if weights:
            raise Exception("URL fetch failure\nmore")
        return vgg16(weights=None, **options)

    monkeypatch.setattr(keras.applications, "VGG16", offline)
    features = vqa.vgg16_features(inputs()[0])
    assert features.shape == (2, 6, 6, 256)
    assert [
        record.getMessage() for record in caplog.records if record.levelno == logging.WARNING
    ] == ["VGG16 has random weights: URL fetch failure"]
    assert vqa.VisualQuestionAnswering(keras.layers.Conv2D(48, 1), 9, 5, 7)(
        (features, inputs()[1])
    ).shape == (2, 3, 7)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", "x.bmp"], "x.bmp: cannot be written: the name must end in"),
        (["--epochs", "0"], "--epochs must be at least 1"),
        (["--seed", "-1"], "--seed must be between 0 and"),
        (["--pictures", "many"], "invalid int value: 'many'"),
        (["--tfds", "no_such_dataset"], "tfds:no_such_dataset: Dataset no_such_dataset not found."),
        (
            ["--tfds", "imdb_reviews"],
            "tfds:imdb_reviews has no pictures with questions and answers",
        ),
        (["--backbone", "resnet"], "invalid choice: 'resnet'"),
    ],
)
def test_invalid_arguments_are_reported_in_one_line(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with tfds.testing.mock_data(num_examples=2), pytest.raises(UserError) as caught:
        vqa.main(arguments)
    assert message in str(caught.value)
    assert not list(tmp_path.iterdir())

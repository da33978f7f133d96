"""The study of dropout on digits."""

import re

import keras
import numpy as np
import pytest
import tensorflow_datasets as tfds

from keras_transformer.errors import UserError
from tests.programs import load_script

example = load_script("examples/digits_dropout")
TINY = ["--seeds", "2", "--epochs", "2", "--train-size", "30"]


def test_every_rate_is_trained_with_every_seed(tmp_path, monkeypatch, capsys):
    """The curves that are drawn, and the figures that are printed, are those of the trainings."""
    trained, drawn = {}, []

    def train(data, rate, seed, flags):
        trained[rate, seed] = np.random.default_rng([int(10 * rate), seed]).random((2, 2))
        return trained[rate, seed]

    def save(figure, path):
        drawn.append(figure)

    monkeypatch.setattr(example, "train", train)
    monkeypatch.setattr(example.saving, "save", save)
    example.main(["--rates", "0", "0.5", *TINY, "--output", str(tmp_path / "x.png")])
    assert sorted(trained) == [(0, 0), (0, 1), (0.5, 0), (0.5, 1)]
    [figure] = drawn
    for part, axes in enumerate(figure.axes):
        for line, rate in zip(axes.lines, (0, 0.5), strict=True):
            expected = (trained[rate, 0][:, part] + trained[rate, 1][:, part]) / 2
            np.testing.assert_allclose(line.get_ydata(), expected)
    printed = re.findall(r"^ *([\d.]+) +([\d.]+)%", capsys.readouterr().out, re.MULTILINE)
    for rate, mean in printed:
        last = [trained[float(rate), seed][-1, 1] for seed in (0, 1)]
        assert float(mean) == pytest.approx(100 * np.mean(last), abs=0.006)
    assert len(printed) == 2


def test_each_rate_is_compared_with_the_smallest(capsys):
    example.report([0.5, 0, 0.1], np.array([[0.9, 0.8], [0.85, 0.81], [0.85, 0.79]]))
    assert capsys.readouterr().out.splitlines()[4:] == [
        "rate 0.1 against 0: -1.00 points, better with 0 of 2 seeds",
        "rate 0.5 against 0: +2.00 points, better with 1 of 2 seeds",
    ]


@pytest.mark.usefixtures("eager")
@pytest.mark.filterwarnings("ignore:Even though the .*run_functions_eagerly")
def test_a_training_reports_the_accuracy_after_each_epoch(tmp_path, capsys):
    arguments = ["--rates", "0.5", *TINY, "--seeds", "1", "--output", str(tmp_path / "x.png")]
    example.main(arguments)
    assert re.search(r"^ 0\.5 +[\d.]+%", capsys.readouterr().out, re.MULTILINE)
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_the_initial_weights_do_not_depend_on_the_rate():
    def initial_weights(rate):
        keras.utils.set_random_seed(3)
        return example.make_network(np.zeros((1, 8, 8), np.float32), 10, rate).get_weights()

    for one, other in zip(initial_weights(0.0), initial_weights(0.4), strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_rate_is_that_of_all_sublayers():
    network = example.RowClassifier(8, 10, 0.25)
    sublayers = [
        sublayer
        for layer in network.enc_layers
        for sublayer in (layer.self_attention, layer.feed_forward)
    ]
    assert [each.residual.dropout.rate for each in sublayers] == [0.25] * 4
    images = np.ones((1, 8, 8), "float32")
    np.testing.assert_array_equal(network(images), network(images))
    differences = [np.abs(network(images, training=True) - network(images)).max() for _ in "ab"]
    assert min(differences) > 1e-3
    none = example.RowClassifier(8, 10, 0.0)
    np.testing.assert_array_equal(none(images, training=True), none(images))


def test_a_dataset_of_tfds_is_used():
    with tfds.testing.mock_data(num_examples=8):
        images, labels = example.load("mnist")
    assert images.shape == (8, 28, 28)
    assert labels.shape == (8,)
    assert images.min() >= 0
    assert images.max() <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rates", "0", "1"], "--rates must be at least 0 and less than 1"),
        (["--train-size", "1797"], "--train-size must be less than 1797"),
        (["--seeds", "0"], "--seeds must be at least 1"),
        (["--output", "x.bmp"], "x.bmp: cannot be written"),
        (["--tfds", "no_such_data"], "tfds:no_such_data"),
    ],
)
def test_invalid_arguments_are_errors(arguments, message):
    with pytest.raises(UserError, match=message):
        example.main(arguments)


def test_a_dataset_without_images_is_an_error():
    message = "tfds:imdb_reviews: no feature image"
    with tfds.testing.mock_data(num_examples=8), pytest.raises(UserError, match=message):
        example.main(["--tfds", "imdb_reviews"])

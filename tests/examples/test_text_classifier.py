"""The encoder-only network of examples/text_classifier.py."""

import re

import keras
import numpy as np
import pytest
import tensorflow as tf
import tensorflow_datasets as tfds

from keras_transformer import UserError
from tests.programs import load_script

example = load_script("examples/text_classifier")


def classifier():
    keras.utils.set_random_seed(0)
    return example.TextClassifier(1, 16, 2, 32, 12, 9, 0.0, num_classes=2)


def test_padding_does_not_change_the_class():
    model, ids = classifier(), tf.constant([[3, 4, 5], [6, 7, 0]])
    padded = tf.pad(ids, [[0, 0], [0, 4]])
    np.testing.assert_allclose(model(ids), model(padded), atol=1e-5)


def test_the_order_of_the_words_changes_the_logits():
    model = classifier()
    one, other = model(tf.constant([[3, 4, 5]])), model(tf.constant([[5, 4, 3]]))
    assert np.abs(one - other).max() > 1e-3


def test_a_text_without_words_has_finite_logits():
    assert np.isfinite(classifier()(tf.zeros((1, 4), tf.int32))).all()


def test_the_classifier_learns():
    """The class is whether id 5 occurs."""
    ids = np.random.default_rng(0).integers(1, 12, size=(512, 8))
    classes = np.any(ids == 5, axis=1).astype(int)
    model = classifier()
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(0.01), loss, metrics=["accuracy"])
    history = model.fit(ids, classes, batch_size=32, epochs=6, verbose=0).history
    assert history["accuracy"][-1] > 0.97


def test_both_classes_consist_of_the_same_words():
    *sets, names = example.word_orders(200, seed=1)
    assert names == ["forward", "backward"]
    for texts, classes in sets:
        forward, backward = texts[::2], texts[1::2]
        assert [text.split()[::-1] for text in forward] == [text.split() for text in backward]
        assert list(classes) == [0, 1] * len(forward)


def test_texts_do_not_mark_their_ends():
    """The first word of a sentence has no capital letter, and the last no period."""
    (texts, _), _, _ = example.word_orders(200, seed=1)
    assert all(text == text.lower() and not set(text) & set(".,?!") for text in texts)


def test_no_sentence_is_in_both_sets():
    (train, _), (test, _), _ = example.word_orders(300, seed=0)
    assert len(test) == 60
    assert not set(train) & set(test)
    assert len(set(train)) == len(train)


def test_a_bag_of_words_can_only_guess():
    """Each test sentence is classified rightly in one order and wrongly in the other."""
    train, test, _ = example.word_orders(300, seed=0)
    assert example.bag_of_words_accuracy(train, test) == 0.5


def test_a_bag_of_words_learns_which_words_occur():
    texts = ["a good one", "a bad one"] * 20
    assert example.bag_of_words_accuracy((texts, [1, 0] * 20), (texts, [1, 0] * 20)) == 1


def accuracies(text):
    return [float(number) for number in re.findall(r"test accuracy ([\d.]+)%", text)]


@pytest.mark.usefixtures("eager")
@pytest.mark.filterwarnings("ignore:Even though the .*run_functions_eagerly")
def test_the_program_prints_both_accuracies_and_draws(tmp_path, capsys):
    picture = tmp_path / "picture.png"
    example.main(["--sentences", "600", "--epochs", "1", "--output", str(picture)])
    encoder, bag = accuracies(capsys.readouterr().out)
    assert 0 <= encoder <= 100
    assert bag == 50
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_picture_shows_the_attention_of_the_network():
    keras.utils.set_random_seed(0)
    vectorize = keras.layers.TextVectorization(output_sequence_length=9)
    vectorize.adapt(["one two three four"])
    network = classifier()
    figure = example.draw(network, vectorize, "one three two", ["forward", "backward"])
    ids = vectorize(tf.constant(["one three two"]))[:, :3]
    _, attention = network(ids, return_attention=True)
    drawn = [axes.images[0].get_array() for axes in figure.axes if axes.images][:2]
    np.testing.assert_allclose(drawn, attention[-1][0], atol=1e-5)
    np.testing.assert_allclose(np.sum(drawn, axis=-1), 1, atol=1e-5)


@pytest.mark.usefixtures("eager")
@pytest.mark.filterwarnings("ignore:Even though the .*run_functions_eagerly")
def test_a_dataset_of_tfds(tmp_path, capsys):
    picture = tmp_path / "picture.png"
    flags = ["--tfds", "imdb_reviews", "--epochs", "1", "--output", str(picture)]
    with tfds.testing.mock_data(num_examples=20):
        example.main(flags)
    assert len(accuracies(capsys.readouterr().out)) == 2
    assert picture.is_file()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--tfds", "mnist"], "tfds:mnist: no feature text"),
        (["--tfds", "no_such_set"], "tfds:no_such_set: "),
        (["--epochs", "0"], "--epochs must be at least 1"),
        (["--seed", "-1"], "--seed must be between 0 and"),
        (["--sentences", "9"], "--sentences must be at least 10"),
        (["--output", "no_such_folder/a.png"], "no_such_folder"),
        (["--output", "a.xyz"], "xyz"),
    ],
)
def test_invalid_flags_are_reported_before_the_training(flags, message):
    with pytest.raises(UserError, match=message):
        example.main(flags)

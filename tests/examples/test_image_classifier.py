"""The encoder on patches of pictures."""

import numpy as np
import pytest
import tensorflow_datasets as tfds

from keras_transformer.errors import UserError
from tests.programs import load_script

example = load_script("examples/image_classifier")


def small(size=8, patch=2):
    return example.ImageClassifier(size, patch, 10, 2, 16, 2, 32, 0.1)


def pictures(count=3, size=8, channels=1):
    draw = np.random.default_rng(0)
    return draw.random((count, size, size, channels)).astype("float32")


@pytest.mark.parametrize("channels", [1, 3])
def test_patches_are_embedded_row_by_row(channels):
    network, images = small(), pictures(channels=channels)
    network(images)
    kernel, bias = (np.asarray(each) for each in network.embed.weights)
    for row in range(4):
        for column in range(4):
            patch = images[:, 2 * row : 2 * row + 2, 2 * column : 2 * column + 2]
            expected = np.tensordot(patch, kernel, axes=3) + bias
            found = network.flatten(network.embed(images))[:, 4 * row + column]
            np.testing.assert_allclose(found, expected, atol=1e-5)


def test_the_positions_are_the_class_token_and_the_patches():
    network = small()
    _, attention = network(pictures(), return_attention=True)
    assert [weights.shape for weights in attention] == [(3, 2, 17, 17)] * 2
    np.testing.assert_allclose(np.sum(attention, axis=-1), 1, atol=1e-5)


def test_without_the_positional_encoding_the_order_of_the_patches_does_not_matter():
    network, images = small(), pictures()
    moved = np.flip(images.reshape(3, 4, 2, 8, 1), axis=1).reshape(images.shape)
    assert np.abs(network(images) - network(moved)).max() > 1e-3
    network.positions = np.zeros_like(network.positions)
    np.testing.assert_allclose(network(images), network(moved), atol=1e-5)


@pytest.mark.parametrize(("size", "patch"), [(8, 2), (28, 4), (32, 8), (1, 1), (7, 1), (53, 53)])
def test_the_patches_are_as_small_as_49_of_them_allow(size, patch):
    assert example.patch_size(size) == patch


def test_the_attention_of_the_class_token_is_drawn():
    network, images = small(), pictures()
    _, attention = network(images, return_attention=True)
    drawn = [axes.images for axes in example.draw(network, (images, np.array([1, 2, 3]))).axes]
    matrices = [each[1].get_array() for each in drawn if len(each) == 2]
    expected = attention[-1][:, :, 0, 1:].numpy().reshape(-1, 4, 4)
    np.testing.assert_allclose(matrices, expected)


@pytest.mark.usefixtures("eager")
@pytest.mark.filterwarnings("ignore:Even though the .*run_functions_eagerly")
def test_both_networks_are_trained_and_compared(tmp_path, monkeypatch, capsys):
    (images, labels), test = example.digits(0)
    assert (len(images), len(test[0])) == (1257, 540)
    monkeypatch.setattr(example, "digits", lambda seed: ((images[:64], labels[:64]), test))
    example.main(["--epochs", "1", "--output", str(tmp_path / "x.png")])
    out = capsys.readouterr().out
    for name in ("encoder", "dense network"):
        assert f"{name}: " in out
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("eager")
@pytest.mark.filterwarnings("ignore:Even though the .*run_functions_eagerly")
def test_a_dataset_of_tfds_is_used(tmp_path):
    with tfds.testing.mock_data(num_examples=8):
        example.main(["--tfds", "cifar10", "--epochs", "1", "--output", str(tmp_path / "x.svg")])
    assert (tmp_path / "x.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tfds", "no_such_data"], "tfds:no_such_data"),
        (["--output", "x.bmp"], "x.bmp: cannot be written"),
        (["--epochs", "0"], "--epochs must be at least 1"),
        (["--seed", "-1"], "--seed must be between 0 and"),
    ],
)
def test_invalid_arguments_are_errors(arguments, message):
    with pytest.raises(UserError, match=message):
        example.main(arguments)


def test_a_dataset_without_images_is_an_error():
    message = "tfds:imdb_reviews: no feature image"
    with tfds.testing.mock_data(num_examples=8), pytest.raises(UserError, match=message):
        example.main(["--tfds", "imdb_reviews"])


def test_pictures_must_be_square(monkeypatch):
    monkeypatch.setattr(example, "load_dataset", lambda *_: None)
    monkeypatch.setattr(example, "labelled_images", lambda *_: (np.zeros((2, 8, 6, 1)), [0, 1]))
    with pytest.raises(UserError, match="tfds:wide: the pictures are not square: 8 by 6"):
        example.main(["--tfds", "wide"])

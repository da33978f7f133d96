"""Datasets of TFDS."""

import numpy as np
import pytest
import tensorflow_datasets as tfds

from keras_transformer.errors import UserError
from keras_transformer.text.datasets import (
    examples,
    labelled_images,
    load_dataset,
    open_tfds,
)
from tests.conftest import toy_pairs


class ToyTexts(tfds.core.GeneratorBasedBuilder):
    """Three texts with labels, written to disk like a downloaded dataset."""

    VERSION = tfds.core.Version("1.0.0")

    def _info(self):
        features = {"text": tfds.features.Text(), "label": tfds.features.ClassLabel(num_classes=3)}
        return self.dataset_info_from_configs(features=tfds.features.FeaturesDict(features))

    def _split_generators(self, manager):
        return {"train": self._generate_examples()}

    def _generate_examples(self):
        for i, text in enumerate(("one", "two", "three")):
            yield i, {"text": text, "label": i}


class OfflineTexts(ToyTexts):
    """A dataset whose server does not answer."""

    def _split_generators(self, manager):
        raise ConnectionError("no answer from the server")


@pytest.fixture(autouse=True)
def empty_data_directory(tmp_path, monkeypatch):
    monkeypatch.setattr(tfds.core.constants, "DATA_DIR", str(tmp_path))


def test_a_dataset_is_downloaded_on_first_use():
    found = examples(load_dataset("toy_texts"), "train")
    expected = {(b"one", 0), (b"two", 1), (b"three", 2)}
    assert {(each["text"], int(each["label"])) for each in found} == expected


def test_a_slice_of_a_split():
    assert len(list(examples(load_dataset("toy_texts"), "train[:2]"))) == 2


def test_a_missing_split_is_reported():
    with pytest.raises(UserError, match="^tfds:toy_texts: no split test; available: train$"):
        examples(load_dataset("toy_texts"), "test")


def test_a_missing_feature_is_reported_before_the_download():
    assert load_dataset("toy_texts", "label", "text").name == "toy_texts"
    message = "^tfds:offline_texts: no feature image; available: text, label$"
    with pytest.raises(UserError, match=message):
        load_dataset("offline_texts", "text", "image")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_dataset", "^tfds:no_such_dataset: .*not found"),
        ("mnist/no_such_config", "^tfds:mnist/no_such_config: "),
        ("toy_texts:9.9.9", "^tfds:toy_texts:9.9.9: .*at version 9.9.9, only: 1.0.0"),
        ("toy_texts/answer=42", "^tfds:toy_texts/answer=42: "),
        ("offline_texts", "^tfds:offline_texts could not be downloaded: no answer from the server"),
    ],
)
def test_failures_are_reported(name, message):
    with pytest.raises(UserError, match=message):
        load_dataset(name)


class ToyImages(tfds.core.GeneratorBasedBuilder):
    """Images of the same size in one split, and of two sizes in the other."""

    VERSION = tfds.core.Version("1.0.0")

    def _info(self):
        image = tfds.features.Image(shape=(None, None, 1))
        features = {"image": image, "label": tfds.features.ClassLabel(num_classes=3)}
        return self.dataset_info_from_configs(features=tfds.features.FeaturesDict(features))

    def _split_generators(self, manager):
        return {"same": self._generate_examples((4, 4)), "other": self._generate_examples((4, 5))}

    def _generate_examples(self, widths):
        for i, width in enumerate(widths):
            yield i, {"image": np.full((3, width, 1), 51 * i, np.uint8), "label": i}


def test_images_are_arrays_from_0_to_1():
    images, labels = labelled_images(load_dataset("toy_images", "image", "label"), "same")
    assert images.shape == (2, 3, 4, 1)
    np.testing.assert_allclose(images[:, 0, 0, 0], labels * 0.2, rtol=1e-6)
    assert sorted(labels) == [0, 1]


def test_images_of_several_sizes_are_reported():
    with pytest.raises(UserError, match="^tfds:toy_images: the images differ in size$"):
        labelled_images(load_dataset("toy_images"), "other")


def test_similar_names_are_suggested_for_a_dataset_that_does_not_exist():
    """The message of TFDS lists all datasets."""
    message = r"^tfds:toy_text: Dataset toy_text not found\. Did you mean toy_texts( or \w+)*\?$"
    with pytest.raises(UserError, match=message):
        load_dataset("toy_text")
    with pytest.raises(UserError, match=r"^tfds:qqqqqqqq: Dataset qqqqqqqq not found\.$"):
        load_dataset("qqqqqqqq")


# Sentence pairs


class ToyTranslate(tfds.core.GeneratorBasedBuilder):
    """A translation dataset on disk."""

    VERSION = tfds.core.Version("1.0.0")

    def _info(self):
        return self.dataset_info_from_configs(
            features=tfds.features.Translation(languages=("en", "de"))
        )

    def _split_generators(self, dl_manager):
        return {"train": self._generate_examples()}

    def _generate_examples(self):
        for i, (source, target) in enumerate(toy_pairs(50)):
            yield i, {"en": source, "de": target}


def test_pairs_have_the_order_on_disk_in_both_directions():
    pairs = open_tfds("toy_translate", "en", "de", "train")
    assert sorted(pairs) == sorted(toy_pairs(50))
    assert list(pairs) == list(pairs)
    back = open_tfds("toy_translate", "de", "en", "train")
    assert [(b, a) for a, b in back] == list(pairs)
    assert pairs.fingerprint() == open_tfds("toy_translate", "en", "de", "train").fingerprint()
    assert pairs.fingerprint() != back.fingerprint()
    assert pairs.other_split("validation") is None
    with pytest.raises(UserError, match="no split validation; available: train"):
        open_tfds("toy_translate", "en", "de", "validation")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_data_set", "tfds:no_such_data_set"),
        ("mnist", "tfds:mnist: not a translation data set"),
    ],
)
def test_other_datasets_have_no_pairs(name, message):
    with pytest.raises(UserError, match=message):
        open_tfds(name, "en", "de", "train")

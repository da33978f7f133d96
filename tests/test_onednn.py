"""The setting of oneDNN, which TensorFlow reads when it is imported."""

import os

import pytest

from keras_transformer.onednn import disable_onednn

VARIABLE = "TF_ENABLE_ONEDNN_OPTS"


def test_onednn_is_disabled(monkeypatch):
    monkeypatch.setenv(VARIABLE, "")  # restores the variable at the end
    del os.environ[VARIABLE]
    disable_onednn()
    assert os.environ[VARIABLE] == "0"


@pytest.mark.parametrize("chosen", ["0", "1"])
def test_a_choice_of_the_user_is_kept(monkeypatch, chosen):
    monkeypatch.setenv(VARIABLE, chosen)
    disable_onednn()
    assert os.environ[VARIABLE] == chosen

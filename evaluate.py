"""Evaluate a translator, like the command `keras-transformer evaluate`."""

from keras_transformer.commands.start import run

run("evaluate")

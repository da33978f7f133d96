"""Translate text, like the command `keras-transformer translate`."""

from keras_transformer.commands.start import run

run("translate")

"""Train a translator, like the command `keras-transformer train`."""

from keras_transformer.commands.start import run

run("train")

"""Export a translator, like the command `keras-transformer export`."""

from keras_transformer.commands.start import run

run("export")

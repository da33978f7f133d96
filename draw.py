"""Draw a picture of a translator, like the command `keras-transformer draw`."""

from keras_transformer.commands.start import run

run("draw")

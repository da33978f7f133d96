"""Average the checkpoints of a run, like the command `keras-transformer average`."""

from keras_transformer.commands.start import run

run("average")

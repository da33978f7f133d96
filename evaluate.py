"""Evaluate a translator, like the command `keras-transformer evaluate`."""

from keras_transformer.commands import command_line, evaluate

command_line.run(evaluate.main)

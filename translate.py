"""Translate text, like the command `keras-transformer translate`."""

from keras_transformer.commands import command_line, translate

command_line.run(translate.main)

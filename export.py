"""Export a translator, like the command `keras-transformer export`."""

from keras_transformer.commands import command_line, export

command_line.run(export.main)

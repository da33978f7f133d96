"""Train a translator, like the command `keras-transformer train`."""

from keras_transformer.commands import command_line, train

command_line.run(train.main)

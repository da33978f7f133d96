"""Average the checkpoints of a run, like the command `keras-transformer average`."""

from keras_transformer.commands import average, command_line

command_line.run(average.main)

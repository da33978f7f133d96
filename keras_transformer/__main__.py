"""The program `keras-transformer`, as `python -m keras_transformer`."""

from keras_transformer.commands.start import run_program

run_program()

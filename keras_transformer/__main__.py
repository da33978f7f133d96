"""The program `keras-transformer`, as `python -m keras_transformer`."""

from keras_transformer.commands.main import run

run()

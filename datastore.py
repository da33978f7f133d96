"""Make the datastore of nearest neighbors of a run, like `keras-transformer datastore`."""

from keras_transformer.commands.start import run

run("datastore")

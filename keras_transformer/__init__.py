"""The Transformer of the TensorFlow tutorial, in Keras 3, to train, use and look into."""

__version__ = "0.1.0"

"""The Transformer of the TensorFlow tutorial, in Keras 3: train a translator, use it, look inside."""

__version__ = "0.1.0"

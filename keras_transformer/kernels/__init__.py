"""Faster equivalents of Keras and TensorFlow built-ins."""

"""Faster equivalents of Keras and TensorFlow built-ins.

Each module names the built-in that it replaces and says why the replacement is faster. The kernels
know nothing about Transformers. `benchmarks/kernels.py` measures the gain of each kernel.
"""

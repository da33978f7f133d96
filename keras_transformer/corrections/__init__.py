"""Corrections of translations: names, numbers, dates, times, marks and symbols.

A small network garbles rare names and values, and reads marks badly. These modules replace or
remove them before the network reads a sentence, and restore them in its translation. They know
nothing about networks, and need neither NumPy nor TensorFlow, so that a client of a server can use
them.
"""

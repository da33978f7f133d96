"""Conversion of text to batches of ids and back; independent of any model."""

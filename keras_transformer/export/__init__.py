"""Exports of a run: SavedModel for TensorFlow Serving, and CTranslate2."""

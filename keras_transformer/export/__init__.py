"""Exports of a run: a SavedModel for TensorFlow Serving, and a model directory for CTranslate2."""

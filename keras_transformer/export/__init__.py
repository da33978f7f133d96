"""Exports of a run: for TensorFlow Serving, for CTranslate2, and as a page for a browser."""

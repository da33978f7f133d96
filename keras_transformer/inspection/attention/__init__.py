"""Attention weights of a translation, and pictures of them."""

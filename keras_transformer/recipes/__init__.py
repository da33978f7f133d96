"""Tuned settings."""

"""Searches for the most probable sequence, given a function that computes one step."""

"""Plots of arrays with labels; independent of any model."""

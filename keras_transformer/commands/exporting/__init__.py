"""The formats of an export, each in a module of its own."""

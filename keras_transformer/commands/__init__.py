"""The command-line programs; only this package mentions flags."""

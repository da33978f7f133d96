"""The network: it knows nothing of text, training or files."""

"""The network of the paper. It knows nothing about text, training or files."""

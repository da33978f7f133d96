"""Translation with a trained network: from a source sentence to translations."""

"""From a source sentence to translations, with a trained network."""

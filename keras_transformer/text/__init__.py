"""From text to batches of ids and back: it knows no model."""

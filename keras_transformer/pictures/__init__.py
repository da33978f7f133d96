"""Pictures, given arrays and labels: they know no model."""

"""Word alignments from cross-attention, and their errors."""

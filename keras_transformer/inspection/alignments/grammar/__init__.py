"""True word alignments of the sentences that the grammar of the built-in corpus generates."""

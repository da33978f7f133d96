"""The vectors of subwords: similar ones, sums, and maps of them."""

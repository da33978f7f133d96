"""The kinds of pictures that `keras-transformer draw` draws, each in a module of its own."""

# {kind and name of its module: description}
KINDS = {
    "attention": "the attention between a sentence and its translation",
    "masks": "the masks of a batch, and the attention weights that result from them",
    "positions": "the positional encoding, and what it does to the words of a sentence",
    "embeddings": "a map of the most frequent subwords; similar words, and their sums",
    "subwords": "the characters of a text being merged to subwords",
    "history": "the curves of training runs, and how their attention becomes aligned",
    "network": "the network as a diagram, or as a table of its tensors for a sentence",
    "calibration": "how often subwords are right, by their probability",
}

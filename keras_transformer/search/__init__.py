"""Strategies that search for probable sequences, given a function that computes one step.

A search knows nothing about models. It receives a step function, which extends k hypotheses of
each source by one position:

    step(ids (B, k), position, lineage (B, k, T), network) -> logits (B, k, V), network

`ids` are the last ids of the hypotheses. `network` is any nest of tensors, such as the encoded
sources and the model's caches. If finished sources may leave the batch, the first axis of these
tensors must be the batch. A cache may grow from step to step along an axis that is empty at first.

Caches are not reordered when one hypothesis is dropped and another is continued twice. The values
that a step caches for hypothesis j at a position stay in slot j of that position. `lineage` gives,
for each hypothesis, the slot of its ancestor at each position. The entry at `position` is the
hypothesis's own slot; the entries of later positions are -1.
"""

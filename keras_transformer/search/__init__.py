"""Searches for the most probable sequences, given a function that computes one step.

A search knows nothing about models. It receives a step function, which extends k hypotheses of
each source by one position:

    step(ids (B, k), position, lineage (B, k, T), network) -> logits (B, k, V), network

`ids` are the last ids of the hypotheses. `network` is any nest of tensors: what the model has
computed of the sources, and its caches. Its tensors begin with the batch axis. A cache may grow
from step to step along an axis that is empty at first.

Caches are not reordered when one hypothesis is dropped and another is continued twice. What a
step caches for hypothesis j at a position stays in slot j of that position. `lineage` names, for
each hypothesis, the slot of its ancestor at each position: its own at `position`, and -1 at later
positions.
"""

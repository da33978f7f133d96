"""The kinds of attention, and the sentences whose subwords attend and are attended to.

The module imports nothing, because clients of a server and parsers of flags need it.
"""

SOURCE, TARGET = "source", "target"
# {kind: (the side that attends, the side attended to)}
SIDES = {"encoder": (SOURCE, SOURCE), "decoder": (TARGET, TARGET), "cross": (TARGET, SOURCE)}
KINDS = tuple(SIDES)

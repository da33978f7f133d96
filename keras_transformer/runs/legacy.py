"""Names of variables in checkpoints that version 0.1 development builds wrote.

Sublayers did not exist then: normalization and attention belonged to the layer directly.
"""

import re

# Pairs of the current name and the earlier name of a part of the network. Names of the network's
# variables contain slashes; in names of the optimizer's variables, underscores replace the slashes.
RENAMED = (
    (r"(encoder/layer\d+/)self_attention/mha/", r"\1mha/"),
    (r"(encoder/layer\d+/)self_attention/residual/", r"\1mha_residual/"),
    (r"(decoder/layer\d+/)self_attention/mha/", r"\1mha1/"),
    (r"(decoder/layer\d+/)self_attention/residual/", r"\1mha1_residual/"),
    (r"(decoder/layer\d+/)cross_attention/mha/", r"\1mha2/"),
    (r"(decoder/layer\d+/)cross_attention/residual/", r"\1mha2_residual/"),
    (r"(layer\d+/)feed_forward/ffn/", r"\1ffn/"),
    (r"(layer\d+/)feed_forward/residual/", r"\1ffn_residual/"),
)


def legacy_name(name: str) -> str:
    """Return the name that a variable had before sublayers existed, which may be the same."""
    for present, earlier in RENAMED:
        name = re.sub(present, earlier, name)
        name = re.sub(present.replace("/", "_"), earlier.replace("/", "_"), name)
    return name

"""Swaps of kernels for built-ins, made in this process before a network or an optimizer is built.

A swap that nothing uses would show a ratio of 1 and make a kernel look useless. The swaps therefore
replace a function under every name that the package has for it, and count its calls.
"""

import functools
import sys
from collections.abc import Callable
from typing import Any

import keras
from ablation import replacements

from keras_transformer.kernels import (
    dense,
    dropout,
    layer_normalization,
    linear_cross_entropy,
    top_k,
    vocabulary_projection,
)
from keras_transformer.kernels import optimizers as kernel_optimizers
from keras_transformer.training import objective

calls: dict[str, int] = {}  # of each replacement
LAYOUTS = (
    vocabulary_projection.by_kernel,
    vocabulary_projection.by_blocks,
)


def counted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that counts its calls."""
    name = function.__qualname__
    calls[name] = 0

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        calls[name] += 1
        return function(*args, **kwargs)

    return wrapper


def replace(original: Callable[..., Any], builtin: Callable[..., Any]) -> None:
    """Replace a function or class under every name in the package's modules."""
    replacement = counted(builtin)
    modules = [
        module for name, module in sys.modules.items() if name.startswith("keras_transformer")
    ]
    for module in modules:
        names = [name for name, value in vars(module).items() if value is original]
        for name in names:
            setattr(module, name, replacement)


def replace_call(layer: type, builtin: type) -> None:
    """Replace what a layer computes by what its base class in Keras computes."""
    layer.call = counted(builtin.call)


def swap_dense() -> None:
    replace_call(dense.Dense, keras.layers.Dense)
    replace(dense.dense, replacements.dense)


def swap_shares() -> None:
    if objective.SHARES != 2:
        raise RuntimeError("training/objective.py does not compute a batch in two shares")
    objective.SHARES = 1


def swap_projection(layout: Callable[..., Any]) -> None:
    for original in LAYOUTS:
        replace(original, layout)


def swap_best_continuations(builtin: Callable[..., Any]) -> None:
    replace(top_k.best_by_probability, builtin)
    replace(top_k.best_by_logit, builtin)


# The name of each swap is what is computed in place of the kernel.
SWAPS: dict[str, Callable[[], None]] = {
    "none": lambda: None,
    "keras.layers.Dense": swap_dense,
    "keras.layers.Dropout": lambda: replace_call(dropout.Dropout, keras.layers.Dropout),
    "keras.layers.LayerNormalization": lambda: replace_call(
        layer_normalization.LayerNormalization, keras.layers.LayerNormalization
    ),
    "keras.optimizers.Adam": lambda: replace(kernel_optimizers.Adam, keras.optimizers.Adam),
    "keras.optimizers.Muon": lambda: replace(kernel_optimizers.Muon, replacements.muon),
    "Dense, CategoricalCrossentropy": lambda: replace(
        linear_cross_entropy.projected_crossentropy, replacements.projected_crossentropy
    ),
    "whole batches": swap_shares,
    "tf.math.top_k": lambda: swap_best_continuations(replacements.top_k_of_vocabulary),
    "tf.nn.log_softmax": lambda: swap_best_continuations(replacements.blocks_of_log_softmax),
    "by_kernel": lambda: swap_projection(vocabulary_projection.by_kernel),
    "by_table": lambda: swap_projection(replacements.by_table),
    "by_blocks": lambda: swap_projection(vocabulary_projection.by_blocks),
}


def check_use() -> None:
    """Check that every replacement was called.

    Raises:
        RuntimeError: one was not.
    """
    unused = [name for name, count in calls.items() if not count]
    if unused:
        raise RuntimeError(f"the program does not use {', '.join(unused)}")

"""Sinusoidal positional encoding (Vaswani et al. 2017, section 3.5)."""

import numpy as np
from numpy.typing import NDArray


def positional_encoding(position: int, d_model: int) -> NDArray[np.float32]:
    """Return the encoding of each position: sines on even dimensions, cosines on odd ones.

    The wavelengths form a geometric progression from 2 pi to almost 10000 * 2 pi.

    Args:
        position: number of positions.
        d_model: depth D of the encoding, an even number.

    Returns:
        float32 array (1, position, D).

    Raises:
        ValueError: If `d_model` is odd.

    Examples:
        >>> positional_encoding(50, 512).shape
        (1, 50, 512)
    """
    if d_model % 2:
        raise ValueError(f"d_model must be an even number, not {d_model}")
    exponents = np.arange(0, d_model, 2) / d_model
    angles = np.arange(position)[:, np.newaxis] / np.power(10000.0, exponents)  # (position, D / 2)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (position, D / 2, 2)
    return table.reshape(1, position, d_model).astype(np.float32)

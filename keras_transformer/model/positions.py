"""Sinusoidal position encodings (Vaswani et al. 2017, section 3.5)."""

import numpy as np


def positional_encoding(position, d_model):
    """Sines on the even dimensions, cosines on the odd ones, wavelengths from 2 pi to 10000 * 2 pi.

    Args:
        position: number of positions.
        d_model: depth D of the encoding, an even number.

    Returns:
        float32 array (1, position, D).
    """
    exponents = np.arange(0, d_model, 2) / d_model
    angles = np.arange(position)[:, np.newaxis] / np.power(10000.0, exponents)  # (position, D / 2)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (position, D / 2, 2)
    return table.reshape(1, position, d_model).astype(np.float32)

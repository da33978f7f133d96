/** Sinusoidal positional encoding (keras_transformer.model.positions). */

import { matrix } from "./matrices.js";

/**
 * Return the encoding of each position: sines on even dimensions, cosines on odd ones.
 *
 * Vaswani et al. (2017), section 3.5.
 *
 * @returns matrix (count, depth).
 */
export function positionalEncoding(count, depth) {
  const table = matrix(count, depth);
  for (let position = 0; position < count; position++) {
    for (let i = 0; i < depth; i += 2) {
      const angle = position / 10000 ** (i / depth);
      table.values[position * depth + i] = Math.sin(angle);
      table.values[position * depth + i + 1] = Math.cos(angle);
    }
  }
  return table;
}

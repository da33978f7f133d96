/** Embedding of ids (keras_transformer.model.embeddings). */

import { add, row, stack } from "./matrices.js";
import { positionalEncoding } from "./positions.js";

/** Embeds ids, scales the vectors by sqrt(D) and adds the positional encoding. */
export class PositionalEmbedding {
  /**
   * @param table matrix (V, D).
   * @param maximum number of positions.
   */
  constructor(table, maximum) {
    this.table = table;
    this.positions = positionalEncoding(maximum, table.columns);
  }

  /** Return the vectors (T, D) of ids at positions 0 to T - 1. */
  call(ids) {
    return add(this.scaled(ids), stack(ids.map((_, position) => row(this.positions, position))));
  }

  /** Return the vectors (k, D) of the ids of k hypotheses, all at one position. */
  step(ids, position) {
    return add(this.scaled(ids), stack(ids.map(() => row(this.positions, position))));
  }

  /** Return the vectors of ids, scaled by sqrt(D), without positions. */
  scaled(ids) {
    const factor = Math.sqrt(this.table.columns);
    return stack(ids.map((id) => row(this.table, id).map((value) => value * factor)));
  }
}

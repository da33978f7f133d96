/**
 * Masks (keras_transformer.model.masks).
 *
 * A mask is a function of a query's position that returns how many keys it may see, the first ones.
 * There is no padding, because the page translates one sentence at a time.
 */

/** The query at position i may see the positions up to its own. */
export function lookAhead(i) {
  return i + 1;
}

/** Every query may see everything. */
export function everything() {
  return Infinity;
}

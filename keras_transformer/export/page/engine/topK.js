/** The best numbers of a row (keras_transformer.kernels.top_k). */

export const NEVER = -1e9; // log probability of an id that must not be chosen

/**
 * Return the `count` places with the largest values, the largest first.
 *
 * Of equal values, the first is the best.
 *
 * @param values the row.
 * @param count number of places; fewer are returned if the row is shorter.
 */
export function topK(values, count) {
  const best = [];
  for (let i = 0; i < values.length; i++) {
    if (best.length < count || values[i] > values[best[best.length - 1]]) {
      insert(best, i, values);
      best.length = Math.min(best.length, count);
    }
  }
  return best;
}

function insert(best, i, values) {
  let place = best.length;
  while (place > 0 && values[i] > values[best[place - 1]]) {
    place--;
  }
  best.splice(place, 0, i);
}

/** Greedy search: the most probable id at each position (keras_transformer.search.greedy). */

import { predict } from "./strategy.js";
import { topK } from "./topK.js";

/**
 * Extend a hypothesis by the most probable id until it ends. The first id is not the end token: a
 * translation has at least one other id.
 *
 * @param step the step function, see strategy.js.
 * @param first the `Hypothesis` to begin with.
 * @param target {end: id of the end token, maxLength: maximum number of ids without the start}.
 * @returns the `Hypothesis`.
 */
export function greedySearch(step, first, target) {
  let hypothesis = first;
  while (hypothesis.length < target.maxLength && hypothesis.last !== target.end) {
    const { logs, states } = predict(step, [hypothesis]);
    const [best, second] = topK(logs[0], 2);
    const id = hypothesis.length === 0 && best === target.end ? second : best;
    hypothesis = hypothesis.extended(id, logs[0][id], states[0]);
  }
  return hypothesis;
}

/** Occlusion: what leaving out a word of the source does to the translation. */

import { logProbabilities } from "./forced.js";

/**
 * Return how much each word of the source matters to each id of a translation.
 *
 * A word matters if the ids become less probable without it (Zeiler and Fergus 2014, section 4.2,
 * hide parts of an image in the same way). Attention weights only say where a head looked.
 *
 * @param transformer the `Transformer`.
 * @param source ids (S), start and end included.
 * @param numbers the number of the word to which each source id belongs (S).
 * @param target ids (T), from the start token.
 * @param off the `SwitchedOff` heads.
 * @param bias the bias of the final layer, see `forced`.
 * @returns for each word but the start and end tokens, {number, changes (T - 1)}: by how much the
 *     log probability of each id, in nats, is higher with the word than without it.
 */
export function occlusion(transformer, source, numbers, target, off, bias) {
  const whole = logProbabilities(transformer, source, target, off, bias);
  const words = [...new Set(numbers.slice(1, -1))];
  return words.map((number) => {
    const rest = source.filter((_, i) => numbers[i] !== number);
    const without = logProbabilities(transformer, rest, target, off, bias);
    return { number, changes: whole.map((log, i) => log - without[i]) };
  });
}

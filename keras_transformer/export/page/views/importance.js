/** Attention and occlusion between the words of a sentence and of its translation. */

import { axesOf, between, headOf } from "../interface/attentionMap.js";
import { isToken, shown } from "../interface/labels.js";

/**
 * Return the words of both sides without the start and end tokens, which cannot be left out.
 *
 * @param result of a translation.
 * @returns {rows, columns}, each {places: of the words among those of `axesOf`, labels}.
 */
export function comparedWords({ source, target }) {
  return { rows: wordsOf(target.words.labels.slice(1)), columns: wordsOf(source.words.labels) };
}

function wordsOf(labels) {
  const places = [...labels.keys()].filter((place) => !isToken(labels[place]));
  return { places, labels: places.map((place) => shown(labels[place])) };
}

/**
 * Return what each word of the translation loses without each source word.
 *
 * @param result of a translation.
 * @param changes the `changes` of occlusion: for each source word, those of each target subword.
 * @returns nats (rows * columns): the log probability of a word is the sum of its subwords'.
 */
export function lossesOf(result, changes) {
  const { numbers } = axesOf("cross", "words", result).rows;
  const { rows, columns } = comparedWords(result);
  const losses = new Float32Array(rows.places.length * columns.places.length);
  changes.forEach((each, column) => {
    each.forEach((change, i) => {
      const row = rows.places.indexOf(numbers[i]);
      if (row >= 0) {
        losses[row * columns.places.length + column] += change;
      }
    });
  });
  return losses;
}

/**
 * Return how much each word of the translation attends to each source word.
 *
 * @param result of a translation.
 * @param weights the cross-attention of a layer between subwords: {heads, rows, columns, values}.
 * @param head its number, from 1, or "mean".
 * @returns weights (rows * columns).
 */
export function attentionOf(result, weights, head) {
  const all = headOf(between(axesOf("cross", "words", result), weights), head);
  const { rows, columns } = comparedWords(result);
  const values = rows.places.flatMap((row) =>
    columns.places.map((column) => all.values[row * all.columns + column]),
  );
  return Float32Array.from(values);
}

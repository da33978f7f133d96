/** The attention between words or subwords (keras_transformer.inspection.attention.weights). */

import { merged, wordsOf } from "../engine/words.js";
import { shown } from "./labels.js";

/**
 * Return what the rows and the columns of a kind of attention are.
 *
 * At each position the decoder reads a subword and predicts the next one. A row of decoder attention
 * or cross-attention is therefore a subword that is being written, not the one read.
 *
 * @param kind "encoder", "decoder" or "cross".
 * @param units "words" or "subwords".
 * @param result of a translation.
 * @returns {rows, columns}, each {labels, numbers: the number of the row of each subword}.
 */
export function axesOf(kind, units, { source, target }) {
  const sides = {
    source,
    written: { ...target, labels: target.labels.slice(1) },
    read: { ...target, labels: target.labels.slice(0, -1) },
  };
  const [rows, columns] = {
    encoder: ["source", "source"],
    decoder: ["written", "read"],
    cross: ["written", "source"],
  }[kind].map((side) => axis(sides[side], units));
  return { rows, columns };
}

function axis({ labels: subwords, isUnspaced }, units) {
  const grouped = wordsOf(subwords, isUnspaced);
  const { labels, numbers } =
    units === "words" ? grouped : { labels: subwords, numbers: subwords.map((_, i) => i) };
  return { labels: labels.map(shown), numbers };
}

/** Return the weights {heads, rows, columns, values} between the rows and columns of `axesOf`. */
export function between({ rows, columns }, weights) {
  return merged(weights, rows.numbers, columns.numbers);
}

/** Return the weights of one head, from 1, or their mean ("mean"), as {rows, columns, values}. */
export function headOf({ heads, rows, columns, values }, head) {
  const size = rows * columns;
  if (head !== "mean") {
    return { rows, columns, values: values.subarray((head - 1) * size, head * size) };
  }
  const mean = new Float32Array(size);
  values.forEach((value, place) => {
    mean[place % size] += value / heads;
  });
  return { rows, columns, values: mean };
}

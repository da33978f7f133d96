/**
 * Forced decoding: the network's predictions for a given translation
 * (keras_transformer.inspection.attention.forced).
 */

import { logSumExp } from "./kernels.js";
import { rowsOf } from "./matrices.js";
import { topK } from "./topK.js";

/**
 * Predict each id of a target from the source and from the ids before it.
 *
 * @param transformer the `Transformer`.
 * @param source ids (S), start and end included.
 * @param target ids (T), from the start token.
 * @param off the `SwitchedOff` heads.
 * @param bias the bias (V) of the final layer, see `NetworkSearch.biasFor`.
 * @returns logits (T - 1, V), their log probabilities as rows, and the attention weights: see
 *     `attentionOf`.
 */
export function forced(transformer, source, target, off, bias) {
  const encoded = transformer.encode(source, off);
  const { logits, attention } = transformer.call(encoded, target.slice(0, -1), off, bias);
  const logs = rowsOf(logits).map((scores) => {
    const sum = logSumExp(scores);
    return scores.map((score) => score - sum);
  });
  return { logits, logs, attention: attentionOf(encoded.attention, attention) };
}

/** Return the log probability of each id of the target after the start token. */
export function logProbabilities(transformer, source, target, off, bias) {
  const { logs } = forced(transformer, source, target, off, bias);
  return logs.map((each, i) => each[target[i + 1]]);
}

/** Return the `count` most probable ids of a row of log probabilities: {id, probability}. */
export function mostProbable(logs, count) {
  return topK(logs, count).map((id) => ({ id, probability: Math.exp(logs[id]) }));
}

/**
 * Return the attention weights as pictures show them (inspection.attention.weights.visible).
 *
 * At each position the decoder reads an id and predicts the next one. A row of decoder or cross
 * attention belongs to the id that is being written.
 *
 * @returns {encoder, decoder, cross}: for each layer {heads, rows, columns, values}, in which NaN
 *     marks a hidden position.
 */
function attentionOf(encoder, decoder) {
  return {
    encoder: encoder.map(packed),
    decoder: decoder.map((layer) => packed(layer.decoder)),
    cross: decoder.map((layer) => packed(layer.cross)),
  };
}

/** Return weights[query][head] = row of weights as one array (heads, rows, columns). */
function packed(weights) {
  const [rows, heads] = [weights.length, weights[0].length];
  const columns = weights[rows - 1][0].length;
  const values = new Float32Array(heads * rows * columns).fill(Number.NaN);
  weights.forEach((query, i) => {
    query.forEach((shares, head) => {
      values.set(shares, (head * rows + i) * columns);
    });
  });
  return { heads, rows, columns, values };
}

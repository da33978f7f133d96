/** Multi-head attention (keras_transformer.model.attention). */

import { dense, dot, softmax } from "./kernels.js";
import { columnsOf, matrix, row } from "./matrices.js";

/**
 * Compute softmax(q k^T / sqrt(K)) v for each head (Vaswani et al. 2017, equation 1).
 *
 * The heads are not separated in memory: head h has the numbers h K to (h + 1) K - 1 of each row.
 *
 * @param q matrix (query, D).
 * @param keys, values functions that return, for each query, a list of rows (D).
 * @param mask function that returns how many keys a query may see.
 * @param numHeads number of heads H.
 * @param off set of the heads, from 1, whose output is 0.
 * @returns the output (query, D), and the weights: for each query and each head a row of weights.
 */
function scaledDotProductAttention(q, keys, values, mask, numHeads, off) {
  const output = matrix(q.rows, q.columns);
  const depth = q.columns / numHeads;
  const weights = [];
  for (let i = 0; i < q.rows; i++) {
    const seen = keys(i).slice(0, mask(i));
    weights.push([]);
    for (let head = 0; head < numHeads; head++) {
      const scores = seen.map((key) => dot(row(q, i), key, head * depth, depth) / Math.sqrt(depth));
      const shares = softmax(scores);
      weights[i].push(shares);
      if (!off.has(head + 1)) {
        addWeighted(values(i), shares, head * depth, depth, row(output, i));
      }
    }
  }
  return { output, weights };
}

/** Add the weighted sum of rows to `out`, for `count` numbers from `first` on. */
function addWeighted(rows, shares, first, count, out) {
  shares.forEach((share, j) => {
    for (let i = first; i < first + count; i++) {
      out[i] += share * rows[j][i];
    }
  });
}

/** Attention in several subspaces at once (Vaswani et al. 2017, section 3.2.2). */
export class MultiHeadAttention {
  /**
   * @param weights the `Weights` of the network.
   * @param path path of the layer.
   * @param numHeads number of heads H; divides the depth D.
   */
  constructor(weights, path, numHeads) {
    this.kernel = weights.matrix(`${path}/kernel`); // (3 D, D)
    this.bias = weights.vector(`${path}/bias`);
    this.outputKernel = weights.matrix(`${path}/dense/kernel`);
    this.outputBias = weights.vector(`${path}/dense/bias`);
    this.numHeads = numHeads;
  }

  /** Return the queries, keys and values of x (n, D), each (n, D). */
  selfProjections(x) {
    return this.project(x, 0, 3);
  }

  /** Return the queries (n, D) of x (n, D). */
  query(x) {
    return this.project(x, 0, 1)[0];
  }

  /** Return the keys and the values of x (n, D), each (n, D). */
  keysAndValues(x) {
    return this.project(x, 1, 3);
  }

  /**
   * Compute attention over projected queries (n, D).
   *
   * @returns the output (n, D) and the weights of each query and head.
   */
  attend(q, keys, values, mask, off) {
    const attended = scaledDotProductAttention(q, keys, values, mask, this.numHeads, off);
    const output = dense(attended.output, this.outputKernel, this.outputBias);
    return { output, weights: attended.weights };
  }

  /** Project x by parts `first` to `last` - 1 of the kernel: 0 queries, 1 keys, 2 values. */
  project(x, first, last) {
    const depth = this.kernel.columns;
    const part = this.kernel.values.subarray(first * depth * depth, last * depth * depth);
    const kernel = matrix((last - first) * depth, depth, part);
    const all = dense(x, kernel, this.bias.subarray(first * depth, last * depth));
    const parts = Array.from({ length: last - first }, (_, i) => i);
    return parts.map((i) => columnsOf(all, i * depth, (i + 1) * depth));
  }
}

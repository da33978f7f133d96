/**
 * The operations that take most of the time (keras_transformer.kernels).
 *
 * A kernel has one row for each output, so that every product is one of two rows side by side in
 * memory. Sums are computed in double precision, which JavaScript does without extra cost.
 */

import { matrix, row } from "./matrices.js";

const EPSILON = 1e-6; // of layer normalization, as in the tutorial

/**
 * Return x kernel^T + bias.
 *
 * @param x matrix (n, in).
 * @param kernel matrix (out, in).
 * @param bias Float32Array (out), or null.
 * @returns matrix (n, out).
 */
export function dense(x, kernel, bias) {
  const y = matrix(x.rows, kernel.rows);
  let first = 0;
  for (; first + 4 <= x.rows; first += 4) {
    multiplyFourRows(x, first, kernel, y);
  }
  for (; first < x.rows; first++) {
    multiplyRow(x, first, kernel, y);
  }
  return bias ? addToRows(y, bias) : y;
}

/**
 * Multiply four rows of x by two rows of the kernel at a time.
 *
 * Each number that is read takes part in several products. For the four hypotheses of a beam, this
 * is three times as fast as one product after the other.
 */
function multiplyFourRows(x, first, kernel, y) {
  const depth = kernel.columns;
  const [weights, out] = [kernel.values, y.values];
  const [x0, x1, x2, x3] = [0, 1, 2, 3].map((i) => row(x, first + i));
  for (let o = 0; o < kernel.rows; o += 2) {
    const other = Math.min(o + 1, kernel.rows - 1); // the last row twice if their number is odd
    const [a, b] = [o * depth, other * depth];
    let [s0, s1, s2, s3, t0, t1, t2, t3] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = 0; i < depth; i++) {
      const v = weights[a + i];
      const w = weights[b + i];
      s0 += v * x0[i];
      s1 += v * x1[i];
      s2 += v * x2[i];
      s3 += v * x3[i];
      t0 += w * x0[i];
      t1 += w * x1[i];
      t2 += w * x2[i];
      t3 += w * x3[i];
    }
    writeColumn(out, first * kernel.rows + o, kernel.rows, s0, s1, s2, s3);
    writeColumn(out, first * kernel.rows + other, kernel.rows, t0, t1, t2, t3);
  }
}

function writeColumn(values, place, width, v0, v1, v2, v3) {
  values[place] = v0;
  values[place + width] = v1;
  values[place + 2 * width] = v2;
  values[place + 3 * width] = v3;
}

function multiplyRow(x, i, kernel, y) {
  const depth = kernel.columns;
  const [weights, values, out] = [kernel.values, row(x, i), row(y, i)];
  for (let o = 0, a = 0; o < kernel.rows; o++, a += depth) {
    let [s, t] = [0, 0];
    let d = 0;
    for (; d + 1 < depth; d += 2) {
      s += values[d] * weights[a + d];
      t += values[d + 1] * weights[a + d + 1];
    }
    out[o] = s + t + (d < depth ? values[d] * weights[a + d] : 0);
  }
}

function addToRows(y, bias) {
  for (let i = 0, place = 0; i < y.rows; i++) {
    for (let o = 0; o < y.columns; o++, place++) {
      y.values[place] += bias[o];
    }
  }
  return y;
}

/** Return the dot product of two rows, of `count` numbers from `first` on. */
export function dot(x, y, first = 0, count = x.length) {
  let sum = 0;
  for (let i = first; i < first + count; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

/** Replace negative values by 0. */
export function relu(x) {
  return matrix(
    x.rows,
    x.columns,
    x.values.map((value) => Math.max(value, 0)),
  );
}

/** Return the softmax of a row of scores, which may be -Infinity. */
export function softmax(scores) {
  const highest = max(scores);
  const powers = Float64Array.from(scores, (score) => Math.exp(score - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Return log(sum(exp(scores))). */
export function logSumExp(scores) {
  const highest = max(scores);
  let sum = 0;
  for (let i = 0; i < scores.length; i++) {
    sum += Math.exp(scores[i] - highest);
  }
  return highest + Math.log(sum);
}

function max(scores) {
  let highest = -Infinity;
  for (let i = 0; i < scores.length; i++) {
    highest = Math.max(highest, scores[i]);
  }
  return highest;
}

/**
 * Return the rows of x with mean 0 and variance 1, scaled by gamma and shifted by beta.
 *
 * Layer normalization (Ba et al. 2016).
 *
 * @param x matrix (n, D).
 * @param gamma, beta Float32Array (D).
 */
export function layerNormalization(x, { gamma, beta }) {
  const y = matrix(x.rows, x.columns);
  for (let i = 0; i < x.rows; i++) {
    normalizeRow(row(x, i), gamma, beta, row(y, i));
  }
  return y;
}

function normalizeRow(x, gamma, beta, out) {
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
  const scale = 1 / Math.sqrt(variance + EPSILON);
  for (let i = 0; i < x.length; i++) {
    out[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
  }
}

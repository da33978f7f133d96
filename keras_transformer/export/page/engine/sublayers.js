/**
 * The sublayers of encoder and decoder layers (keras_transformer.model.sublayers).
 *
 * `call` computes all positions; `step` computes one more position of k hypotheses side by side,
 * from the cached keys and values of the previous positions. `off` is the set of the heads, from 1,
 * that are switched off.
 */

import { MultiHeadAttention } from "./attention.js";
import { dense, layerNormalization, relu } from "./kernels.js";
import { everything } from "./masks.js";
import { add, rowsOf } from "./matrices.js";

/** Return the scale and offset of a layer normalization. */
export function normalization(weights, path) {
  return { gamma: weights.vector(`${path}/gamma`), beta: weights.vector(`${path}/beta`) };
}

/** LayerNorm(x + f(x)), as in the paper (section 3.1). */
class PostNormResidual {
  constructor(weights, path) {
    this.layernorm = normalization(weights, `${path}/layernorm`);
  }

  /** Return the input of f for x (n, D). */
  enter(x) {
    return x;
  }

  /** Return the output (n, D) for x and y = f(enter(x)). */
  leave(x, y) {
    return layerNormalization(add(x, y), this.layernorm);
  }
}

/** x + f(LayerNorm(x)) (Xiong et al. 2020, section 3). */
class PreNormResidual {
  constructor(weights, path) {
    this.layernorm = normalization(weights, `${path}/layernorm`);
  }

  /** Return the input of f for x (n, D). */
  enter(x) {
    return layerNormalization(x, this.layernorm);
  }

  /** Return the output (n, D) for x and y = f(enter(x)). */
  leave(x, y) {
    return add(x, y);
  }
}

function makeResidual(weights, path, network) {
  const Residual = network.norm_first ? PreNormResidual : PostNormResidual;
  return new Residual(weights, `${path}/residual`);
}

/** Attention of each position to the positions of the same sequence. */
export class SelfAttention {
  constructor(weights, path, network) {
    this.mha = new MultiHeadAttention(weights, `${path}/mha`, network.num_heads);
    this.residual = makeResidual(weights, path, network);
  }

  /** Return the output (T, D) for x (T, D), and the weights. */
  call(x, mask, off) {
    const [q, k, v] = this.mha.selfProjections(this.residual.enter(x));
    const [keys, values] = [rowsOf(k), rowsOf(v)];
    return this.attend(
      x,
      q,
      () => keys,
      () => values,
      mask,
      off,
    );
  }

  /**
   * Compute one more position.
   *
   * @param x matrix (k, D).
   * @param caches for each hypothesis, its keys and values so far: {keys, values}, lists of rows.
   * @returns the output (k, D), the weights, and the caches with this position.
   */
  step(x, caches, off) {
    const [q, k, v] = this.mha.selfProjections(this.residual.enter(x));
    const [newKeys, newValues] = [rowsOf(k), rowsOf(v)];
    const grown = caches.map((cache, i) => ({
      keys: [...cache.keys, newKeys[i]],
      values: [...cache.values, newValues[i]],
    }));
    const [keys, values] = [(i) => grown[i].keys, (i) => grown[i].values];
    return { ...this.attend(x, q, keys, values, everything, off), caches: grown };
  }

  attend(x, q, keys, values, mask, off) {
    const { output, weights } = this.mha.attend(q, keys, values, mask, off);
    return { output: this.residual.leave(x, output), weights };
  }
}

/** Attention of each target position to all positions of the encoded source. */
export class CrossAttention {
  constructor(weights, path, network) {
    this.mha = new MultiHeadAttention(weights, `${path}/mha`, network.num_heads);
    this.residual = makeResidual(weights, path, network);
  }

  /** Return the keys and values of the encoded source (S, D): {keys, values}, lists of rows. */
  keysAndValues(encoded) {
    const [keys, values] = this.mha.keysAndValues(encoded).map(rowsOf);
    return { keys, values };
  }

  /** Return the output (n, D) for x (n, D), all positions or one, and the weights. */
  call(x, source, off) {
    const q = this.mha.query(this.residual.enter(x));
    const [keys, values] = [() => source.keys, () => source.values];
    const { output, weights } = this.mha.attend(q, keys, values, everything, off);
    return { output: this.residual.leave(x, output), weights };
  }
}

/** The point-wise feed-forward network (Vaswani et al. 2017, section 3.3). */
export class FeedForward {
  constructor(weights, path, network) {
    this.layers = ["inner", "outer"].map((name) => ({
      kernel: weights.matrix(`${path}/ffn/${name}/kernel`),
      bias: weights.vector(`${path}/ffn/${name}/bias`),
    }));
    this.residual = makeResidual(weights, path, network);
  }

  /** Return the output (n, D) for x (n, D). */
  call(x) {
    const [inner, outer] = this.layers;
    const hidden = relu(dense(this.residual.enter(x), inner.kernel, inner.bias));
    return this.residual.leave(x, dense(hidden, outer.kernel, outer.bias));
  }
}

/** Return the function of the last layer of a stack: a normalization with pre-norm. */
export function finalNormalization(weights, path, network) {
  if (!network.norm_first) {
    return (x) => x;
  }
  const layernorm = normalization(weights, `${path}/final_layernorm`);
  return (x) => layerNormalization(x, layernorm);
}

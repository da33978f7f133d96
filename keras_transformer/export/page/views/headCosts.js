/** What each head matters to a translation, computed in the background. */

import { keyOf } from "../interface/heads.js";

/** Computes what a translation loses without each single head. */
export class HeadCosts {
  #pair = null;
  #losses = new Map();

  /**
   * @param backend the client of the view.
   * @param heads list of {kind, layer, head}.
   * @param onchange function of {key of a head: loss in nats}, called after each head. A head whose
   *     loss is not known yet is missing.
   */
  constructor(backend, heads, onchange) {
    this.backend = backend;
    this.heads = heads;
    this.onchange = onchange;
  }

  /**
   * Compute what is not known yet. There is one request at a time, so that other requests do not
   * wait for all heads.
   *
   * @param pair {source, target}: ids.
   * @param whole the log probability of the target with all heads.
   * @param isWanted function that returns whether to continue.
   */
  async update(pair, whole, isWanted) {
    this.#begin(pair);
    const missing = this.heads.filter((head) => !this.#losses.has(keyOf(head)));
    for (const head of missing) {
      if (!isWanted()) {
        return;
      }
      const without = await this.backend.logProbability({ ...pair, off: [head] });
      this.#losses.set(keyOf(head), whole - without);
      this.onchange(this.#losses);
    }
  }

  #begin(pair) {
    const text = JSON.stringify(pair);
    if (text !== this.#pair) {
      this.#pair = text;
      this.#losses.clear();
      this.onchange(this.#losses);
    }
  }

  /** Return the head that matters most, or null as long as some losses are not known. */
  most() {
    if (this.#losses.size < this.heads.length) {
      return null;
    }
    const loss = Math.max(...this.#losses.values());
    return this.heads.find((head) => this.#losses.get(keyOf(head)) === loss);
  }
}

/**
 * What the searches have in common (keras_transformer.search.strategy).
 *
 * A search knows nothing about networks. It receives a step function, which extends hypotheses by
 * one position:
 *
 *     step(ids (k), position, states (k)) -> {logits: matrix (k, V), states (k)}
 *
 * `ids` are the last ids of the hypotheses. A state is whatever the step function returned for the
 * hypothesis, or for its parent; it is never changed, so that several hypotheses can share one.
 */

import { logSumExp } from "./kernels.js";
import { row } from "./matrices.js";

/**
 * A prefix of a translation.
 *
 * `ids` begin with the start token. `logs` are the log probabilities of the other ids, and
 * `logProbability` is their sum. `state` is that of the step function before the last id is read.
 */
export class Hypothesis {
  constructor(ids, state, logs = [], logProbability = 0) {
    this.ids = ids;
    this.state = state;
    this.logs = logs;
    this.logProbability = logProbability;
  }

  /** Return the number of ids without the start token, which is also the next position. */
  get length() {
    return this.ids.length - 1;
  }

  /** Return the last id. */
  get last() {
    return this.ids[this.length];
  }

  /** Return this hypothesis with one more id. */
  extended(id, log, state) {
    const logProbability = this.logProbability + log;
    return new Hypothesis([...this.ids, id], state, [...this.logs, log], logProbability);
  }

  /** Return the log probability divided by the length penalty. */
  score(alpha) {
    return this.logProbability / lengthPenalty(this.length, alpha);
  }
}

/**
 * Return the divisor of the log probability of `length` ids, with the end token; 1 if alpha is 0.
 *
 * ((5 + length) / 6) ** alpha (Wu et al. 2016, section 7).
 */
export function lengthPenalty(length, alpha) {
  return ((5 + length) / 6) ** alpha;
}

/** Run the step function for hypotheses of the same length; return log probabilities and states. */
export function predict(step, hypotheses) {
  const ids = hypotheses.map((hypothesis) => hypothesis.last);
  const before = hypotheses.map((hypothesis) => hypothesis.state);
  const { logits, states } = step(ids, hypotheses[0].length, before);
  const logs = hypotheses.map((_, i) => {
    const scores = row(logits, i);
    const sum = logSumExp(scores);
    return scores.map((score) => score - sum);
  });
  return { logs, states };
}

/** Return a hypothesis with the ids of a prefix, which begins with the start token. */
export function following(step, prefix, state) {
  return prefix.slice(1).reduce(
    (hypothesis, id) => {
      const { logs, states } = predict(step, [hypothesis]);
      return hypothesis.extended(id, logs[0][id], states[0]);
    },
    new Hypothesis(prefix.slice(0, 1), state),
  );
}

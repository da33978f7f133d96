/** Beam search: the most probable prefixes at each position (keras_transformer.search.beam). */

import { lengthPenalty, predict } from "./strategy.js";
import { NEVER, topK } from "./topK.js";

/**
 * Keeps the `beamSize` most probable prefixes.
 *
 * A hypothesis ends when its continuation by the end token is among the `beamSize` best, but
 * not at the first position: a translation has at least one other id. The search is done when
 * `beamSize` hypotheses have ended, or when no live one can become the best any more.
 */
export class BeamSearch {
  /**
   * @param step the step function, see strategy.js.
   * @param settings {beamSize, lengthPenalty}.
   * @param target {end: id of the end token, maxLength: maximum number of ids without the start}.
   */
  constructor(step, settings, target) {
    this.step = step;
    this.beamSize = settings.beamSize;
    this.alpha = settings.lengthPenalty;
    this.target = target;
    this.live = [];
    this.finished = []; // {hypothesis, score}, the best first
    this.trace = []; // for each position, its candidates
  }

  /** Search from a first hypothesis; return all hypotheses, {hypothesis, score}, best first. */
  search(first) {
    if (first.last === this.target.end) {
      return [this.scored(first)];
    }
    this.live = [first];
    while (this.live.length && this.live[0].length < this.target.maxLength && !this.isDone()) {
      this.extend();
    }
    return [...this.finished, ...this.live.map((hypothesis) => this.scored(hypothesis))];
  }

  scored(hypothesis) {
    return { hypothesis, score: hypothesis.score(this.alpha) };
  }

  /**
   * Return whether the best result is known.
   *
   * The log probability of a live hypothesis only falls. Divided by the largest length penalty, it
   * is an upper bound on the final score.
   */
  isDone() {
    const bound = this.live[0].logProbability / lengthPenalty(this.target.maxLength, this.alpha);
    const isFull = this.finished.length === this.beamSize;
    return isFull || (this.finished.length > 0 && this.finished[0].score >= bound);
  }

  /** Extend the live hypotheses by one position. */
  extend() {
    const candidates = this.candidates();
    const ended = candidates.filter(({ fate }) => fate === "ended");
    const added = ended.map(({ hypothesis }) => this.scored(hypothesis));
    // Sorting is stable: of equal scores, that of the older hypothesis comes first.
    const all = [...this.finished, ...added].sort((one, other) => other.score - one.score);
    this.finished = all.slice(0, this.beamSize);
    const kept = candidates.filter(({ fate }) => fate === "kept");
    this.live = kept.map(({ hypothesis }) => hypothesis);
    this.trace.push(candidates);
  }

  /** Return the 2 `beamSize` best continuations, the best first, and what becomes of each. */
  candidates() {
    const { logs, states } = predict(this.step, this.live);
    let slots = 0;
    return bestContinuations(this.live, logs, 2 * this.beamSize).map(({ parent, id }, rank) => {
      const log = logs[parent][id];
      const hypothesis = this.live[parent].extended(id, log, states[parent]);
      const fate = this.fate(hypothesis, rank, slots);
      return { parent, id, log, hypothesis, fate, slot: fate === "kept" ? slots++ : null };
    });
  }

  /** Return what becomes of a candidate, given the number of those that were kept before it. */
  fate({ last, length }, rank, slots) {
    if (last === this.target.end) {
      return rank < this.beamSize && length > 1 ? "ended" : "dropped";
    }
    return slots < this.beamSize ? "kept" : "dropped";
  }
}

/** Return the `count` best {parent, id, logProbability} of all hypotheses, the best first. */
function bestContinuations(hypotheses, logs, count) {
  const all = hypotheses.flatMap(({ logProbability }, parent) => {
    const best = topK(logs[parent], count).filter((id) => logs[parent][id] > NEVER / 2);
    return best.map((id) => ({ parent, id, logProbability: logProbability + logs[parent][id] }));
  });
  return all.sort((one, other) => other.logProbability - one.logProbability).slice(0, count);
}

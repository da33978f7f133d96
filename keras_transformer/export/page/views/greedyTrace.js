/** Greedy search, described as beam search describes itself. */

import { lengthPenalty } from "../engine/strategy.js";

const CANDIDATES = 2; // of each position: twice the beam size, as in beam search

/**
 * Return what the request `beam` returns, for a translation that greedy search found.
 *
 * @param result of a translation with beam size 1.
 * @param best the most probable ids at each position: `best` of the request `forced`.
 * @param never ids that a search must not generate.
 * @param alpha the length penalty.
 */
export function greedyTrace(result, best, never, alpha) {
  const { translation: text, score, finished, target } = result;
  const steps = best.map((predictions, position) => {
    const written = writtenAt(result, position);
    const others = predictions.filter(({ id }) => id !== written.id && !never.includes(id));
    const all = [written, ...others.map((each) => ({ ...each, fate: "dropped", slot: null }))];
    const before = sumOfLogs(result.probabilities.slice(0, position));
    const candidates = all
      .slice(0, CANDIDATES)
      .map((each) => scored(each, before, position, alpha))
      // At the first position, <end> may be more probable than the subword that is written.
      .sort((one, other) => other.probability - one.probability);
    return { position, candidates };
  });
  return {
    steps,
    finished: finished ? [{ ids: target.ids, text, score, rank: 1 }] : [],
    best: target.ids,
  };
}

function writtenAt({ target, probabilities, finished }, position) {
  const isEnd = finished && position === probabilities.length - 1;
  return {
    id: target.ids[position + 1],
    label: target.labels[position + 1],
    probability: probabilities[position],
    fate: isEnd ? "ended" : "kept",
    slot: isEnd ? null : 0,
  };
}

function scored(prediction, before, position, alpha) {
  const logProbability = before + Math.log(prediction.probability);
  const score = logProbability / lengthPenalty(position + 1, alpha);
  return { ...prediction, parent: 0, logProbability, score };
}

function sumOfLogs(probabilities) {
  return probabilities.reduce((sum, each) => sum + Math.log(each), 0);
}

/** What the length penalty changes among the translations that a search has found. */

import { isolated, shownTranslation } from "../interface/labels.js";
import { decimal } from "../interface/numbers.js";

const STOPPED =
  "The search has stopped because, with this length penalty, no other hypothesis could get a " +
  "better score.";

/**
 * Return the length penalties at which another translation gets the best score.
 *
 * A score is the log probability L divided by ((5 + length) / 6)^alpha. Those of two translations
 * are equal where (their ratio of 5 + length)^alpha is their ratio of L. With a smaller alpha the
 * shorter one is better, with a larger one the longer one.
 *
 * @param found list of {logProbability, length, ...}, the one with the best score first.
 * @returns {below: {alpha, other} or null, above: the same}: below and above which alpha which
 *     translation becomes the best. Below is at least 0.
 */
export function limitsOf([best, ...others]) {
  const limits = others
    .filter(({ length }) => length !== best.length)
    .map((other) => ({ alpha: equalAt(best, other), other }))
    .filter(({ alpha }) => alpha > 0)
    .sort((one, other) => one.alpha - other.alpha);
  const isShorter = ({ other }) => other.length < best.length;
  return {
    below: limits.filter(isShorter).at(-1) ?? null,
    above: limits.find((each) => !isShorter(each)) ?? null,
  };
}

function equalAt(one, other) {
  const logs = one.logProbability / other.logProbability;
  return Math.log(logs) / Math.log((5 + one.length) / (5 + other.length));
}

/**
 * Return sentences about the effect of the length penalty.
 *
 * @param found list of {text, logProbability, length}, the one with the best score first.
 * @param largest length penalty that the reader can choose.
 * @param hasStopped whether the search stopped before it had found as many as it may.
 */
export function penaltyEffect(found, largest, hasStopped) {
  const { below, above } = found.length ? limitsOf(found) : {};
  const sentences = [
    below && `${winning(below, "below")}: ${compared(found[0], below.other, "more", "shorter")}`,
    above?.alpha < largest &&
      `${winning(above, "above")}: ${compared(found[0], above.other, "less", "longer")}`,
  ].filter(Boolean);
  const isSame = !sentences.length && !hasStopped && found.length > 1;
  return [...sentences, isSame && sameUpTo(largest), hasStopped && STOPPED]
    .filter(Boolean)
    .join(" ");
}

function winning({ alpha, other }, side) {
  const condition = `With a length penalty ${side} ${decimal(alpha)}`;
  const text = isolated(shownTranslation(other.text));
  return `${condition}, “${text}” would have the best score of these`;
}

function compared(best, other, more, longer) {
  const logs = `${decimal(other.logProbability)} against ${decimal(best.logProbability)}`;
  const lengths = `${other.length} subwords against ${best.length}`;
  return `it is ${more} probable (log probability ${logs}), but ${longer} (${lengths}).`;
}

function sameUpTo(largest) {
  return `The first of these has the best score with every length penalty from 0 to ${largest}.`;
}

/** A node of the tree of beam search in words. */

import { lengthPenalty } from "../engine/strategy.js";
import { INCOMPLETE, wordsOf } from "../engine/words.js";
import { isolated, isToken } from "../interface/labels.js";
import { decimal, percent } from "../interface/numbers.js";
import { pathTo } from "./beamTree.js";
import { legible } from "./pieces.js";

const SPACE = "▁";

/** Return the text of the hypothesis that ends with a node, without special tokens. */
export function prefixOf(node) {
  const labels = pathTo(node).map(({ label }) => label);
  const words = wordsOf(labels.filter((label) => !isToken(label))).labels;
  const text = words.join("").replaceAll(SPACE, " ").trim();
  return text.endsWith(INCOMPLETE) ? text.slice(0, text.indexOf(INCOMPLETE)) : text;
}

/**
 * Return what became of a candidate.
 *
 * @param node a node with a parent.
 * @param search {beamSize, alpha: the length penalty, ranks: Map from nodes to the ranks of the
 *     translations that they end}.
 */
export function fateOf(node, { beamSize, ranks }) {
  if (node.fate === "kept") {
    return "kept";
  }
  if (node.fate === "ended") {
    return ranks.has(node) ? `ended: translation ${ranks.get(node)}` : "ended";
  }
  if (node.label !== "<end>") {
    return "dropped";
  }
  const isFirst = node.column === 1;
  return `dropped: ${isFirst ? "cannot come first" : `not among the ${beamSize} best candidates`}`;
}

/** Return what is known about a node, as a list of short texts. */
export function factsOf(node, search) {
  if (!node.parent) {
    return ["Position 0: where every hypothesis begins"];
  }
  const penalty = decimal(lengthPenalty(node.column, search.alpha));
  const log = decimal(node.logProbability);
  return [
    `Position ${node.column}, candidate ${node.rank}, ${fateOf(node, search)}`,
    `probability of “${isolated(legible(node.label))}” ${percent(node.probability)}`,
    `log probability ${log}`,
    `score ${log} / ${penalty} = ${decimal(node.score)}`,
  ];
}

/** Return a node in words, as a screen reader says them. */
export function spokenNode(node, search) {
  if (!node.parent) {
    return `${node.label}, where every hypothesis begins`;
  }
  const numbers = [
    `probability ${percent(node.probability)}`,
    `log probability ${decimal(node.logProbability)}`,
    `score ${decimal(node.score)}`,
  ];
  const place = `position ${node.column}, candidate ${node.rank}`;
  const rank = search.ranks.has(node) ? ` ${search.ranks.get(node)}` : ""; // as on the button
  const hypothesis = `${legible(node.label)}${rank}, hypothesis “${prefixOf(node)}”`;
  return [hypothesis, place, ...numbers, fateOf(node, search)].join(", ");
}

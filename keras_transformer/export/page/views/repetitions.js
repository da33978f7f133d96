/** Subwords that occur repeatedly in a sentence, in words. */

import { isolated, shown } from "../interface/labels.js";

const NONE = "If a subword occurs twice in a sentence, both of its arrows begin at the same point.";

/**
 * Return a sentence about the subwords that occur repeatedly.
 *
 * @param ids of all subwords.
 * @param labels of all subwords.
 */
export function repetitions(ids, labels) {
  const repeated = [...new Set(ids)].filter((id) => ids.indexOf(id) !== ids.lastIndexOf(id));
  const found = repeated.map((id) => placesOf(id, ids, labels));
  const each = found.length > 1 ? "each is one point" : "it is one point";
  const effect = `${each} before positions are added, and different points after.`;
  return found.length ? `${found.join("; ")}: ${effect}` : NONE;
}

function placesOf(id, ids, labels) {
  const places = ids.flatMap((each, i) => (each === id ? [i] : []));
  const list = `${places.slice(0, -1).join(", ")} and ${places.at(-1)}`;
  return `“${isolated(shown(labels[places[0]]))}” is at positions ${list}`;
}

/** Byte-pair encoding (Sennrich et al. 2016): the merging of characters into subwords. */

import { Heap } from "./heap.js";
import { Symbols } from "./symbols.js";

export class BytePairEncoding {
  /**
   * @param scores Map from each piece to its score. The pair that forms the best piece is merged.
   * @param userDefined the `UserDefined` symbols.
   */
  constructor(scores, userDefined) {
    this.scores = scores;
    this.userDefined = userDefined;
  }

  /** Return the pieces of a normalized text, and its characters that are in no piece. */
  split(text) {
    const symbols = new Symbols(text, this.userDefined);
    const agenda = new Heap(isBefore);
    for (let right = 1; right < symbols.count; right++) {
      this.propose(agenda, symbols, right - 1, right);
    }
    while (agenda.size) {
      const pair = agenda.pop();
      if (symbols.areNeighbors(pair.left, pair.right, pair.end)) {
        symbols.merge(pair.left, pair.right);
        this.propose(agenda, symbols, symbols.previous[pair.left], pair.left);
        this.propose(agenda, symbols, pair.left, symbols.next[pair.left]);
      }
    }
    return symbols.texts();
  }

  /** Add a pair of neighbors to the agenda if they form a piece. */
  propose(agenda, symbols, left, right) {
    if (symbols.canMerge(left, right)) {
      const score = this.scores.get(symbols.joined(left, right));
      if (score !== undefined) {
        agenda.push({ left, right, end: symbols.ends[right], score });
      }
    }
  }
}

/** Return whether a pair is merged before another one: of equal pairs, the left one is. */
function isBefore(one, other) {
  return one.score > other.score || (one.score === other.score && one.left < other.left);
}

/** A text as a list of symbols, which are characters at first and are merged into pieces. */

export class Symbols {
  /**
   * @param text without lone surrogates.
   * @param userDefined the `UserDefined` symbols, which cannot be merged.
   */
  constructor(text, userDefined) {
    this.text = text;
    this.starts = []; // of each symbol, in UTF-16 code units
    this.ends = [];
    this.isFixed = [];
    for (let start = 0; start < text.length; start = this.ends.at(-1)) {
      const symbol = userDefined.at(text, start);
      this.starts.push(start);
      this.isFixed.push(symbol !== undefined);
      this.ends.push(start + (symbol ?? String.fromCodePoint(text.codePointAt(start))).length);
    }
    this.count = this.starts.length;
    this.previous = this.starts.map((_, i) => i - 1);
    this.next = this.starts.map((_, i) => i + 1);
  }

  /** Return whether two neighbors may be merged; before the first and after the last is none. */
  canMerge(left, right) {
    return left >= 0 && right < this.count && !this.isFixed[left] && !this.isFixed[right];
  }

  /** Return the text of two neighbors. */
  joined(left, right) {
    return this.text.slice(this.starts[left], this.ends[right]);
  }

  /** Return whether two symbols are still neighbors, and the second one ends at a position. */
  areNeighbors(left, right, end) {
    return this.next[left] === right && this.ends[right] === end;
  }

  /** Replace two neighbors by one symbol, which has the number of the first one. */
  merge(left, right) {
    const after = this.next[right];
    this.ends[left] = this.ends[right];
    this.next[left] = after;
    this.next[right] = null;
    if (after < this.count) {
      this.previous[after] = left;
    }
  }

  /** Return the texts of all symbols. */
  texts() {
    const texts = [];
    for (let i = 0; i < this.count; i = this.next[i]) {
      texts.push(this.joined(i, i));
    }
    return texts;
  }
}

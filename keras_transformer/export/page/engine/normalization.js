/** The normalization of a text before SentencePiece splits it into subwords. */

import { Charsmap } from "./charsmap.js";

export const SPACE = "▁"; // SentencePiece's mark of a space in a piece

export class Normalization {
  /**
   * @param settings `charsmap`, `addDummyPrefix`, `removeExtraWhitespaces` and `escapeWhitespaces`
   *   of the JSON of a page's subwords.
   * @param userDefined the `UserDefined` symbols.
   */
  constructor(settings, userDefined) {
    this.charsmap = new Charsmap(settings.charsmap);
    this.prefix = settings.addDummyPrefix ? " " : "";
    this.removes = settings.removeExtraWhitespaces;
    this.escapes = settings.escapeWhitespaces;
    this.userDefined = userDefined;
  }

  /** Return the normal form of a text, which is not empty and has no lone surrogates. */
  normalize(text) {
    const spaced = this.prefix + this.joined(text);
    const escaped = this.escapes ? spaced.replaceAll(" ", SPACE) : spaced;
    return this.removes ? withoutEnd(escaped, this.escapes ? SPACE : " ") : escaped;
  }

  /** Return the replaced text, without spaces at its beginning and after spaces. */
  joined(text) {
    let [joined, afterSpace] = ["", this.removes];
    for (const part of this.replaced(text)) {
      const kept = afterSpace ? part.replace(/^ +/, "") : part;
      joined += kept;
      afterSpace = kept ? this.removes && kept.endsWith(" ") : afterSpace;
    }
    return joined;
  }

  /** Yield the replacements of consecutive characters. */
  *replaced(text) {
    for (let start = 0; start < text.length; ) {
      const { end, replacement } = this.next(text, start);
      yield replacement;
      start = end;
    }
  }

  next(text, start) {
    const symbol = this.userDefined.at(text, start);
    const rule = symbol ? null : this.charsmap.longestMatch(text, start);
    const same = symbol ?? String.fromCodePoint(text.codePointAt(start));
    return rule ?? { end: start + same.length, replacement: same };
  }
}

function withoutEnd(text, space) {
  let length = text.length;
  while (text[length - 1] === space) {
    length--;
  }
  return text.slice(0, length);
}

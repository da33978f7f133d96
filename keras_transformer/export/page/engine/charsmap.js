/** The replacement rules of a SentencePiece model: its `precompiled_charsmap`. */

import { bytesOf } from "./base64.js";
import { DoubleArray, ROOT } from "./doubleArray.js";
import { textOf, utf8Of } from "./utf8.js";

/**
 * The data are the size in bytes of a double array, as a 32-bit number, the double array, and the
 * replacements, each ended by a zero byte. The double array maps the UTF-8 of the replaced
 * characters to the place of their replacement. Numbers are little-endian.
 */
export class Charsmap {
  /** @param base64 the data; empty if there are no rules. */
  constructor(base64) {
    const data = bytesOf(base64);
    const size = data.length ? new DataView(data.buffer).getUint32(0, true) : 0;
    this.rules = new DoubleArray(new Uint32Array(data.slice(4, 4 + size).buffer));
    this.replacements = data.subarray(4 + size);
  }

  /**
   * Find the rule with the most characters that are at a position of a text.
   *
   * @param text without lone surrogates.
   * @param start the position, in UTF-16 code units.
   * @returns {end: position after these characters, replacement: string}, or null.
   */
  longestMatch(text, start) {
    let found = null;
    let node = ROOT;
    for (let end = start; end < text.length; ) {
      const character = String.fromCodePoint(text.codePointAt(end));
      node = this.rules.descend(node, utf8Of(character));
      if (node === null) {
        break;
      }
      end += character.length;
      const place = this.rules.value(node);
      found = place === null ? found : { end, place };
    }
    return found && { end: found.end, replacement: this.replacement(found.place) };
  }

  replacement(place) {
    return textOf(this.replacements.subarray(place, this.replacements.indexOf(0, place)));
  }
}

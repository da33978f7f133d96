/** The text of subwords. */

import { SPACE } from "./normalization.js";
import { BYTE, CONTROL, UNKNOWN } from "./pieceTypes.js";
import { textOf } from "./utf8.js";

export class Detokenizer {
  /** @param data the JSON of a page's subwords. */
  constructor(data) {
    this.pieces = data.pieces;
    this.types = data.types;
    this.unknownSurface = data.unknownSurface;
    // If all spaces at the beginning are removed, each piece loses one until there is text.
    this.removedSpaces = data.removeExtraWhitespaces ? Infinity : Number(data.addDummyPrefix);
  }

  /** Return the text of the ids of pieces. */
  decode(ids) {
    let [decoded, spaces] = ["", this.removedSpaces];
    for (const { text, isPiece } of this.parts(ids)) {
      const isRemoved = isPiece && decoded === "" && spaces > 0 && text.startsWith(SPACE);
      spaces -= isRemoved ? 1 : 0;
      decoded += isPiece ? text.slice(isRemoved ? 1 : 0).replaceAll(SPACE, " ") : text;
    }
    return decoded;
  }

  /** Yield each piece, and the text of consecutive bytes and of special pieces. */
  *parts(ids) {
    let bytes = [];
    for (const id of ids) {
      if (this.types[id] === BYTE) {
        bytes.push(byteOf(this.pieces[id]));
      } else {
        yield { text: textOf(Uint8Array.from(bytes)) };
        yield this.part(id);
        bytes = [];
      }
    }
    yield { text: textOf(Uint8Array.from(bytes)) };
  }

  part(id) {
    if (this.types[id] === CONTROL) {
      return { text: "" };
    }
    const isPiece = this.types[id] !== UNKNOWN;
    return { text: isPiece ? this.pieces[id] : this.unknownSurface, isPiece };
  }
}

/** Return the byte that a piece such as `<0x41>` stands for. */
export function byteOf(piece) {
  return Number(piece.slice(1, -1));
}

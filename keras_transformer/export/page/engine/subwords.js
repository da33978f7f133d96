/** The subwords of a language: texts to ids, and back (keras_transformer.text.subwords). */

import { BytePairEncoding } from "./bytePairEncoding.js";
import { byteOf, Detokenizer } from "./detokenizer.js";
import { Normalization } from "./normalization.js";
import { BYTE, NORMAL, USER_DEFINED } from "./pieceTypes.js";
import { Preprocessing } from "./preprocessing.js";
import { UserDefined } from "./userDefined.js";
import { utf8Of } from "./utf8.js";

export const PADDING = 0;
export const UNKNOWN = 1;
const UNKNOWN_PIECE = 0;

// Texts of which Python's `str.strip` leaves nothing. It also strips four control characters.
const WHITE_SPACE = new RegExp(`^[\\p{White_Space}${"\x1c\x1d\x1e\x1f"}]*$`, "u");
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Subwords with V pieces. Attributes: start, the id V; end, V + 1; and size, V + 2. */
export class Subwords {
  /** @param data the JSON of a page's subwords. */
  constructor(data) {
    this.pieces = data.pieces;
    this.start = data.pieces.length;
    this.end = this.start + 1;
    this.size = this.start + 2;
    this.idsOf = idsOf(data, [NORMAL, USER_DEFINED], (piece) => piece);
    this.idsOfBytes = idsOf(data, [BYTE], byteOf);
    this.preprocessing = data.preprocessed ? new Preprocessing(data.zeros) : null;
    const symbols = new UserDefined(idsOf(data, [USER_DEFINED], (piece) => piece).keys());
    this.normalization = new Normalization(data, symbols);
    const scores = new Map([...this.idsOf].map(([piece, id]) => [piece, data.scores[id]]));
    this.encoding = new BytePairEncoding(scores, symbols);
    this.detokenizer = new Detokenizer(data);
    const special = { [PADDING]: "<pad>", [UNKNOWN]: "<unk>" };
    this.special = { ...special, [this.start]: "<start>", [this.end]: "<end>" };
  }

  /** Return start, the ids of a text, and end; no ids at all for a text of white space. */
  encode(text) {
    if (WHITE_SPACE.test(text)) {
      return [];
    }
    const encodable = text.replace(LONE_SURROGATES, "?");
    const preprocessed = this.preprocessing?.preprocess(encodable) ?? encodable;
    const pieces = this.encoding.split(this.normalization.normalize(preprocessed));
    return [this.start, ...this.idsOfPieces(pieces), this.end];
  }

  idsOfPieces(pieces) {
    const ids = [];
    for (const piece of pieces) {
      if (this.idsOf.has(piece)) {
        ids.push(this.idsOf.get(piece));
      } else if (this.idsOfBytes.size) {
        utf8Of(piece).forEach((byte) => ids.push(this.idsOfBytes.get(byte)));
      } else if (ids.at(-1) !== UNKNOWN) {
        ids.push(UNKNOWN); // for all consecutive unknown characters
      }
    }
    return ids;
  }

  /** Return the text of ids, ignoring padding, start and end tokens. */
  decode(ids) {
    const special = [PADDING, this.start, this.end];
    const shown = ids.filter((id) => !special.includes(id));
    return this.detokenizer.decode(shown.map((id) => (id === UNKNOWN ? UNKNOWN_PIECE : id)));
  }

  /** Return the piece or special token of each id, for display. */
  labels(ids) {
    return ids.map((id) => this.special[id] ?? this.pieces[id]);
  }
}

/** Return a Map from `key` of each piece that has one of some types to the id of the piece. */
function idsOf(data, types, key) {
  const ids = data.pieces.map((_, id) => id).filter((id) => types.includes(data.types[id]));
  return new Map(ids.map((id) => [key(data.pieces[id]), id]));
}

/** Subwords as the steps show them: within the word that they continue, and bytes legibly. */

import { INCOMPLETE, wordsOf } from "../engine/words.js";
import { isToken, shown } from "../interface/labels.js";

const BYTE = /^<0x([0-9A-F]{2})>$/;
const LONGEST_CONTEXT = 10; // characters

/** Return a subword as text: "byte C3" for a byte of a character, see `shown` for others. */
export function legible(label) {
  const byte = BYTE.exec(label);
  return byte ? `byte ${byte[1]}` : shown(label);
}

/**
 * Return a subword as the continuation of others.
 *
 * @param before labels of the subwords before it.
 * @param label of the subword.
 * @returns {context: what is written of its word, "" if it begins a word, text, character: the
 *     character that this byte completes, or ""}.
 */
export function continuation(before, label) {
  const text = label === "<end>" ? "the translation ends" : legible(label);
  const isFirst = label.startsWith("▁") || isToken(label) || isToken(before.at(-1));
  const context = isFirst ? "" : shortened(wordsOf(before).labels.at(-1));
  return { context, text, character: BYTE.test(label) ? completed(before, label) : "" };
}

/** Return the end of what is written of a word, without the bytes of an incomplete character. */
function shortened(word) {
  const characters = [...shown(word).replaceAll(INCOMPLETE, "")];
  const isLong = characters.length > LONGEST_CONTEXT;
  return isLong ? `…${characters.slice(-LONGEST_CONTEXT).join("")}` : characters.join("");
}

/** Return the character whose last byte this is, or "" if there are more to come. */
function completed(before, label) {
  const last = [...wordsOf([...before, label]).labels.at(-1)].at(-1);
  return last === INCOMPLETE ? "" : last;
}

/** Labels of subwords and words, as the pictures show them (keras_transformer.pictures.style). */

const SPACE = "▁";
// What Python's `str.isspace` is true for, which includes four control characters.
const WHITE_SPACE = new RegExp(`[\\p{White_Space}${"\x1c\x1d\x1e\x1f"}]`, "gu");
// All but the zero-width joiners: the spelling of Persian and the languages of India needs them, and
// emoji.
const CONTROL = /(?![\u200c\u200d])\p{C}/gu;
const INVISIBLE = /[\xad\u200b\u200e\u200f\u2060\ufeff]/gu; // the network does not read them
const ENDS = /^ +| +$/g;
const EMPTY = "(empty)";

/**
 * Return a subword or word without SentencePiece's marks of spaces; a single space as "␣". Invisible
 * marks are left out, and control characters become U+FFFD.
 */
export function shown(label) {
  const text = label.replaceAll(SPACE, " ").replace(WHITE_SPACE, " ").replace(INVISIBLE, "");
  return text.replace(CONTROL, "\ufffd").replace(ENDS, "") || "␣";
}

/**
 * Return a label for a sentence in English, in which text from right to left would otherwise change
 * the order of what is beside it (Unicode Standard Annex 9: isolates).
 */
export function isolated(label) {
  return `\u2068${label}\u2069`;
}

/** Return a translation, or what stands for one without words. */
export function shownTranslation(translation) {
  return translation || EMPTY;
}

/**
 * Return the words of a sentence, with a space between two of them if there is one in the text.
 *
 * @param labels of the words.
 * @param words what is shown of each.
 */
export function spaced(labels, words) {
  return words.flatMap((word, i) => (i > 0 && labels[i].startsWith(SPACE) ? [" ", word] : [word]));
}

/** Return whether a label is a special token, such as "<end>". */
export function isToken(label) {
  return label === "<start>" || label === "<end>" || label === "<pad>";
}

/**
 * Return the English names of the languages of a translator, such as "German" for "de".
 *
 * @param description the block `model` of the page.
 * @returns {source, target}; "source" and "target" if a server does not say which they are.
 */
export function languageNames({ source_lang: source, target_lang: target }) {
  return { source: languageName(source) ?? "source", target: languageName(target) ?? "target" };
}

/** Return the English name of a language; undefined if the code is null or is not one. */
export function languageName(code) {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(code);
  } catch {
    return code ?? undefined;
  }
}

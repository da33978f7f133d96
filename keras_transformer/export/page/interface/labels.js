/** Labels of subwords and words, as the pictures show them (keras_transformer.pictures.style). */

const CONTROL = /\p{C}/gu;

/** Return a subword or word without SentencePiece's marks of spaces; a single space as "␣". */
export function shown(label) {
  return label.replaceAll("▁", " ").replace(CONTROL, "\ufffd").trim() || "␣";
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

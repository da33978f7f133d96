/** Apostrophes, and the marks of direct speech (keras_transformer.text.normalization). */

const APOSTROPHES = /[\u2018\u2019\u201a\u201b\u02bc\u2032\xb4`]/g;
const LETTER = String.raw`[\p{L}\p{N}_]`;
// Direct speech between straight apostrophes. Others, as in "the boys' room", stay. There is no
// lookbehind, which browsers have only since 2023.
const SPEECH = new RegExp(
  String.raw`(^|[^\p{L}\p{N}_'])'(?=${LETTER})((?:${LETTER}'(?=${LETTER})|[^'"])+[,.!?])'` +
    String.raw`(?![\p{L}\p{N}_'])`,
  "gu",
);

/** Return the text with straight apostrophes, so that words such as "don't" are recognized. */
export function withStraightApostrophes(text) {
  return text.replace(APOSTROPHES, "'");
}

/**
 * Return the text with direct speech in double quotation marks: "Yes," she said.
 *
 * Apostrophes must be straight.
 */
export function withDoubleQuotes(text) {
  return text.replace(SPEECH, '$1"$2"');
}

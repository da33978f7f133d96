/** The sentences of a text, because networks are trained on single sentences. */

/**
 * Return the sentences of a text without the white space around them.
 *
 * @param text the text.
 * @param language its code, such as "en"; null if it is unknown.
 * @returns list of {text, end: place in the text where the sentence ends}; a single one for a blank text.
 */
export function sentencesOf(text, language) {
  const sentences = segments(text, language)
    .map(({ segment, index }) => ({ text: segment.trim(), end: index + segment.length }))
    .filter((each) => each.text);
  return sentences.length ? sentences : [{ text: "", end: text.length }];
}

function segments(text, language) {
  if (!Intl.Segmenter) {
    return [{ segment: text, index: 0 }];
  }
  return [...new Intl.Segmenter(language ?? undefined, { granularity: "sentence" }).segment(text)];
}

/** Sentences typed in capitals, which training corpora hardly contain (keras_transformer.text.casing). */

const MIN_LETTERS = 5; // a shorter text in capitals may be an abbreviation: OK, USA

/** Convert a sentence typed in capitals to sentence case; return any other unchanged. */
export function withoutCapitals(sentence) {
  const letters = sentence.match(/\p{L}/gu) ?? [];
  const isUpper = /\p{Lu}/u.test(sentence) && !/[\p{Ll}\p{Lt}]/u.test(sentence);
  const inCapitals = letters.length >= MIN_LETTERS && sentence.trim().includes(" ") && isUpper;
  return inCapitals ? capitalized(sentence) : sentence;
}

function capitalized(sentence) {
  const [first] = sentence;
  return first.toUpperCase() + sentence.slice(first.length).toLowerCase();
}

/** Sentences typed in capitals, which training corpora hardly contain (keras_transformer.text.casing). */

const MIN_LETTERS = 5; // a shorter text in capitals may be an abbreviation: OK, USA
const DOMAINS = "com|org|net|edu|gov|info|io|eu|de|uk|fr|nl|pl|ch"; // as in text.addresses
// E-mail addresses, web addresses and words with digits keep their capitals. What follows an
// address without a space is kept too; it consists of punctuation, mostly.
const KEPT = new RegExp(
  String.raw`\S*(?:[\p{L}\p{N}_.+%-]@[\p{L}\p{N}]|://)\S*|www\.\S+` +
    String.raw`|(?:[\p{L}\p{N}_-]+\.)+(?:(?:${DOMAINS})(?![\p{L}\p{N}_-])|[a-z]{2,6}/)\S*` +
    String.raw`|[\p{L}\p{N}_]*\p{Nd}[\p{L}\p{N}_]*`,
  "giu",
);

/** Convert a sentence typed in capitals to sentence case; return any other unchanged. */
export function withoutCapitals(sentence) {
  const letters = sentence.match(/\p{L}/gu) ?? [];
  const isUpper = /\p{Uppercase}/u.test(sentence) && !/[\p{Lowercase}\p{Lt}]/u.test(sentence);
  const inCapitals = letters.length >= MIN_LETTERS && sentence.trim().includes(" ") && isUpper;
  return inCapitals ? capitalized(sentence) : sentence;
}

function capitalized(sentence) {
  const [first] = sentence;
  const text = first.toUpperCase() + sentence.slice(first.length).toLowerCase();
  // The lower case of some letters has two characters.
  return text.length === sentence.length ? withKept(text, sentence) : text;
}

/** Return the text with the capitals of the sentence in addresses and words with digits. */
function withKept(text, sentence) {
  for (const { 0: kept, index } of sentence.matchAll(KEPT)) {
    text = text.slice(0, index) + kept + text.slice(index + kept.length);
  }
  return text;
}

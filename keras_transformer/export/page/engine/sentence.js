/** A sentence as the network reads it (keras_transformer.text.reading). */

import { withoutCapitals } from "./casing.js";
import { withDoubleQuotes, withStraightApostrophes } from "./quotes.js";

/**
 * Return a sentence with composed letters, straight apostrophes, direct speech in double quotation
 * marks, and without capitals if all letters are capitals.
 *
 * @param language the code of the language of the sentence.
 */
export function asRead(sentence, language) {
  const composed = sentence.normalize("NFC");
  return withoutCapitals(withDoubleQuotes(withStraightApostrophes(composed)), language);
}

/** Probabilities of words (keras_transformer.translation.word_probabilities). */

/**
 * Return the product of the probabilities of each word's subwords.
 *
 * @param words {labels, numbers} of a side.
 * @param probabilities of its subwords after the start token, which is given: its product is 1.
 */
export function productsOf({ labels, numbers }, probabilities) {
  const products = labels.map(() => 1);
  probabilities.forEach((probability, i) => {
    products[numbers[i + 1]] *= probability;
  });
  return products;
}

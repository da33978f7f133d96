/** Frequencies of the positional encoding (keras_transformer.inspection.positions). */

/** Return the angle, in radians, by which dimensions 2 `pair` and 2 `pair` + 1 turn per position. */
export function frequencyOf(pair, depth) {
  return 10000 ** ((-2 * pair) / depth);
}

/** Return the number of positions after which a pair of dimensions repeats. */
export function wavelengthOf(pair, depth) {
  return (2 * Math.PI) / frequencyOf(pair, depth);
}

/**
 * Return the numbers of pairs of dimensions whose wavelengths differ widely.
 *
 * The first pair is the fastest and the last the slowest. The wavelengths of the others are spread
 * up to twice the number of positions, so that they visibly change.
 *
 * @param length number of positions.
 * @param depth number of dimensions.
 * @param count number of pairs, or fewer if the depth is small.
 */
export function spreadPairs(length, depth, count) {
  const logs = Array.from({ length: depth / 2 }, (_, pair) => Math.log(wavelengthOf(pair, depth)));
  const longest = Math.log(Math.max(2 * length, 4 * Math.PI));
  const nearest = Array.from({ length: count - 1 }, (_, i) => {
    const wanted = logs[0] + ((longest - logs[0]) * i) / (count - 2);
    const distances = logs.map((each) => Math.abs(each - wanted));
    return distances.indexOf(Math.min(...distances));
  });
  return [...new Set([...nearest, depth / 2 - 1])].sort((one, other) => one - other);
}

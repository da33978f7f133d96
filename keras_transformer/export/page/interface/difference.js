/** What differs between two lists of words. */

/**
 * Return which words of two lists do not belong to their longest common subsequence.
 *
 * @param one, other lists of strings.
 * @returns two lists of booleans: whether each word of `one`, and of `other`, differs.
 */
export function difference(one, other) {
  const lengths = commonLengths(one, other);
  const differs = [one.map(() => true), other.map(() => true)];
  let [i, j] = [0, 0];
  while (i < one.length && j < other.length) {
    if (one[i] === other[j]) {
      differs[0][i++] = false;
      differs[1][j++] = false;
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) {
      i++;
    } else {
      j++;
    }
  }
  return differs;
}

/** Return the length of the longest common subsequence of one[i…] and other[j…], for all i and j. */
function commonLengths(one, other) {
  const lengths = Array.from({ length: one.length + 1 }, () => new Array(other.length + 1).fill(0));
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      const isSame = one[i] === other[j];
      lengths[i][j] = isSame
        ? lengths[i + 1][j + 1] + 1
        : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}

/** How far two pictures with the same rows and columns agree. */

/** Return the column of the largest value of each row of `values` (rows * columns). */
export function largestOfRows(values, columns) {
  return Array.from({ length: values.length / columns }, (_, row) => {
    const cells = values.subarray(row * columns, (row + 1) * columns);
    return cells.indexOf(Math.max(...cells));
  });
}

/**
 * Return Pearson's correlation coefficient of two arrays of numbers, from -1 to 1. It is NaN if all
 * numbers of an array are equal.
 */
export function correlation(one, other) {
  const [x, y] = [centered(one), centered(other)];
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

function centered(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Array.from(values, (value) => value - mean);
}

function product(x, y) {
  return x.reduce((sum, value, i) => sum + value * y[i], 0);
}

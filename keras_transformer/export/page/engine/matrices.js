/** Matrices: `{rows, columns, values}`, with the values of a row side by side. */

/** Return a matrix (rows, columns); its values are 0 unless they are given. */
export function matrix(rows, columns, values = new Float32Array(rows * columns)) {
  return { rows, columns, values };
}

/** Return row i of a matrix as a view of its values. */
export function row(x, i) {
  return x.values.subarray(i * x.columns, (i + 1) * x.columns);
}

/** Return all rows of a matrix, each as a view of its values. */
export function rowsOf(x) {
  return Array.from({ length: x.rows }, (_, i) => row(x, i));
}

/** Return a matrix of rows, which are copied. */
export function stack(rows) {
  const stacked = matrix(rows.length, rows[0].length);
  rows.forEach((values, i) => {
    stacked.values.set(values, i * stacked.columns);
  });
  return stacked;
}

/** Return columns `first` to `last` - 1 of a matrix, copied. */
export function columnsOf(x, first, last) {
  return stack(rowsOf(x).map((values) => values.subarray(first, last)));
}

/** Return the sum of two matrices of the same shape. */
export function add(x, y) {
  return matrix(
    x.rows,
    x.columns,
    x.values.map((value, i) => value + y.values[i]),
  );
}

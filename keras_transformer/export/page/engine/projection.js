/**
 * Principal component analysis: many dimensions projected to a few
 * (keras_transformer.inspection.projection).
 */

import { dot } from "./kernels.js";

const ITERATIONS = 1000; // of the power method; it ends much earlier unless two variances are close
const TOLERANCE = 1e-12;

/**
 * Project points to the two directions in which they vary most.
 *
 * With N points in D dimensions, N is the smaller number here. The coordinates are therefore
 * computed from the products of all pairs of points (N, N): each eigenvector, scaled by the root of
 * its eigenvalue, has the coordinates of all points in one direction.
 *
 * @param points list of N rows (D).
 * @returns {coordinates: list of N pairs, explained: the share of the variance in each direction}.
 */
export function principalComponents(points) {
  const rows = centered(points);
  const products = gram(rows);
  const total = products.reduce((sum, values, i) => sum + values[i], 0);
  const axes = [0, 1].map(() => takeLargest(products));
  const columns = axes.map(({ value, vector }) => {
    const sign = signOf(direction(rows, vector));
    return vector.map((each) => sign * each * Math.sqrt(Math.max(value, 0)));
  });
  return {
    coordinates: points.map((_, i) => columns.map((column) => column[i])),
    explained: axes.map(({ value }) => (total > 0 ? Math.max(value, 0) / total : 0)),
  };
}

function centered(points) {
  const mean = Float64Array.from(points[0], (_, d) => {
    return points.reduce((sum, point) => sum + point[d], 0) / points.length;
  });
  return points.map((point) => Float64Array.from(point, (value, d) => value - mean[d]));
}

function gram(points) {
  return points.map((one) => Float64Array.from(points, (other) => dot(one, other)));
}

/** Return the largest eigenvalue and its eigenvector, and remove them from a symmetric matrix. */
function takeLargest(products) {
  // Not a constant vector: it is orthogonal to all directions of centered points.
  let vector = unit(products.map((_, i) => Math.cos(i + 1)));
  for (let i = 0; i < ITERATIONS; i++) {
    const next = unit(products.map((values) => dot(values, vector)));
    const change = next.reduce((sum, value, j) => sum + (value - vector[j]) ** 2, 0);
    vector = next;
    if (change < TOLERANCE ** 2) {
      break;
    }
  }
  const value = dot(
    vector,
    products.map((values) => dot(values, vector)),
  );
  products.forEach((values, i) => {
    values.forEach((_, j) => {
      values[j] -= value * vector[i] * vector[j];
    });
  });
  return { value, vector };
}

function unit(vector) {
  const norm = Math.sqrt(dot(vector, vector));
  return norm > 0 ? vector.map((value) => value / norm) : vector;
}

/** Return the direction (D) of a component: the sum of the rows (N, D), weighted by a vector. */
function direction(rows, vector) {
  return rows[0].map((_, d) => rows.reduce((sum, row, i) => sum + vector[i] * row[d], 0));
}

/** Return the sign that makes the entry of a direction with the largest magnitude positive. */
function signOf(values) {
  const largest = values.reduce((best, each) => (Math.abs(each) > Math.abs(best) ? each : best), 0);
  return largest < 0 ? -1 : 1;
}

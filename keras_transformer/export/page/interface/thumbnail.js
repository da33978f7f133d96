/** Small heat maps without labels. */

import { channels } from "./colors.js";
import { element } from "./dom.js";

/**
 * Return a small heat map.
 *
 * @param rows, columns their numbers.
 * @param values numbers (rows * columns) from 0 to 1; NaN is transparent.
 * @param head number of the head, from 1, or "mean", which determines the color.
 */
export function thumbnail({ rows, columns, values, head }) {
  const canvas = element("canvas", { width: columns, height: rows, "aria-hidden": "true" });
  const image = new ImageData(columns, rows);
  const color = channels(head);
  values.forEach((value, place) => image.data.set([...color, 255 * (value || 0)], 4 * place));
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

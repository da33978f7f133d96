/** A large heat map with labels, and a sentence about the chosen cell. */

import { element } from "./dom.js";
import { HeatmapDrawing } from "./heatmapDrawing.js";
import { isolated } from "./labels.js";
import { percent } from "./numbers.js";

/**
 * Return a heat map of shares. The mouse, a finger or the arrow keys choose a cell, whose value
 * appears below the picture.
 *
 * @param map {name: what it shows, rows and columns: labels, rowTitle, columnTitle, values: numbers
 *     (rows * columns) from 0 to 1, NaN for masked cells, color: CSS color}.
 */
export function heatmap(map) {
  const hint = `Rows: ${map.rowTitle}. Columns: ${map.columnTitle}. Point at a cell to read its value.`;
  const readout = element("p", { class: "readout", "aria-live": "polite" }, hint);
  const onchoose = (row, column) => {
    drawing.mark(row, column);
    readout.textContent = describe(map, row, column);
  };
  const drawing = new HeatmapDrawing({ ...map, largest: 1 }, { key: "heatmap", onchoose });
  return element("div", { class: "heatmap" }, drawing.element, readout);
}

function describe({ rows, columns, values }, row, column) {
  const value = values[row * columns.length + column];
  const text = Number.isNaN(value) ? "masked" : percent(value);
  return `${isolated(rows[row])} → ${isolated(columns[column])}: ${text}`;
}

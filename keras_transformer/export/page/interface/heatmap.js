/** A large heat map with labels. */

import { element } from "./dom.js";
import { layoutOf, marks } from "./heatmapLayout.js";
import { percent } from "./numbers.js";
import { picture, svg } from "./svg.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Return a heat map. The mouse, a finger or the arrow keys choose a cell, whose value appears below
 * the picture.
 *
 * @param given {name: what it shows, rows and columns: labels, rowTitle, columnTitle, values:
 *     numbers (rows * columns), NaN for masked cells, color: CSS color}, and optionally {negative:
 *     CSS color of negative values, largest: the absolute value with the full color, by default 1,
 *     format: function that returns a value as text, by default as a percentage, describe: function
 *     (row, column, text of the value) that returns a sentence about a cell}.
 */
export function heatmap(given) {
  const map = { format: percent, largest: 1, describe: describer(given), ...given };
  const layout = layoutOf(map);
  const { cell, left, top } = layout;
  const cursor = svg("rect", { class: "cursor", width: cell, height: cell, hidden: true });
  const drawing = picture(map.name, layout.width, layout.height, ...marks(map, layout), cursor);
  const area = element("div", areaAttributes(map.name), drawing);
  const readout = element("p", { class: "readout", "aria-live": "polite" }, hint(map));
  const choose = ([row, column]) => {
    cursor.removeAttribute("hidden");
    cursor.setAttribute("x", left + column * cell);
    cursor.setAttribute("y", top + row * cell);
    const value = map.values[row * map.columns.length + column];
    const text = Number.isNaN(value) ? "masked" : map.format(value);
    readout.textContent = map.describe(row, column, text);
  };
  const isInside = ([row, column]) =>
    row >= 0 && column >= 0 && row < map.rows.length && column < map.columns.length;
  followPointer(drawing, layout, (place) => isInside(place) && choose(place));
  followKeys(area, isInside, (place) => {
    choose(place);
    cursor.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  return element("div", { class: "heatmap" }, area, readout);
}

function areaAttributes(name) {
  const attributes = { class: "scrolling", tabindex: "0", role: "group", "data-key": "heatmap" };
  return { ...attributes, "aria-label": `${name}. Arrow keys choose a cell.` };
}

function describer({ rows, columns }) {
  return (row, column, text) => `${rows[row]} → ${columns[column]}: ${text}`;
}

function hint({ rowTitle, columnTitle }) {
  return `Rows: ${rowTitle}. Columns: ${columnTitle}. Point at a cell to read its value.`;
}

/** Call `choose([row, column])` when the mouse or a finger points at a place. */
function followPointer(drawing, { cell, left, top }, choose) {
  const point = ({ clientX, clientY }) => {
    const { x, y } = drawing.getBoundingClientRect();
    choose([Math.floor((clientY - y - top) / cell), Math.floor((clientX - x - left) / cell)]);
  };
  drawing.addEventListener("pointermove", point);
  drawing.addEventListener("click", point);
}

/** Call `choose([row, column])` when an arrow key moves to a cell. */
function followKeys(area, isInside, choose) {
  let place = [0, 0];
  area.addEventListener("keydown", (event) => {
    const [down, right] = STEPS[event.key] ?? [0, 0];
    const next = [place[0] + down, place[1] + right];
    if (STEPS[event.key] && isInside(next)) {
      event.preventDefault();
      place = next;
      choose(place);
    }
  });
  area.addEventListener("focus", () => area.matches(":focus-visible") && choose(place));
}
